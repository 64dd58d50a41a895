import { describe, expect, it } from 'vitest';
import type { ReadBytes } from '#analysis/fields/field.ts';
import { selectionAt } from '#store/lesson/step-place.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { isEmptyPicture, type Picture, pictureOf } from './StepPicture.tsx';

async function picture(name: string, words: string, view: string): Promise<Picture> {
  const { model, source } = await openObject(name, sampleBytes(name));
  const file = await source.read(0, source.size);
  const read: ReadBytes = (start, end) => file.subarray(start, end);
  return pictureOf(model, selectionAt(model, words), view, read);
}

const marked = ({ lines }: Picture) => lines.filter(({ isMarked }) => isMarked);

describe('pictureOf', () => {
  it('draws bytes with the range marked and its owners named', async () => {
    const { hex } = await picture('kinds.btf', 'bytes=@0x0-0x4', 'bytes');
    const cells = hex?.rows.flatMap((row) => row.cells) ?? [];
    expect(cells.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual([
      '9f',
      'eb',
      '01',
      '00',
    ]);
    expect(hex?.fields.map(({ name }) => name)).toEqual(['magic', 'version', 'flags']);
    expect(hex?.fields[0]).toMatchObject({ place: '0x0, 2 bytes', says: '0xeb9f, little-endian' });
    expect(hex?.around.at(-1)).toBe('BTF header');
  });

  it('draws eight rows, and counts the rest', async () => {
    const { hex } = await picture('kinds.btf', 'bytes=@0x10-0x400', 'bytes');
    expect(hex?.rows).toHaveLength(8);
    expect(hex?.rows[0]?.fileOffset).toBe(0x10);
    expect(hex?.leftOut).toBe(0x400 - 0x90);
  });

  it('draws a member as its line and its part of the bar', async () => {
    const drawn = await picture('layout.bpf.o', 'type=struct:careless&member=started', 'types');
    expect(marked(drawn).map(({ text }) => text)).toEqual([
      expect.stringMatching(/__u64 +started; +\/\* +8 +8 \*\//),
    ]);
    expect(drawn.bar.filter(({ isMarked }) => isMarked)).toMatchObject([
      { name: 'started', bitOffset: 64, bitSize: 64 },
    ]);
    expect(drawn.bar.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });

  it('draws other types than structs as their declaration', async () => {
    const drawn = await picture('kinds.btf', 'type=int:int', 'types');
    expect(drawn.lines.length).toBeGreaterThan(0);
    expect(drawn.bar).toEqual([]);
  });

  it('draws what has no declaration as its record', async () => {
    const drawn = await picture('kinds.btf', 'type=var:table', 'types');
    expect(drawn.lines.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\[\d+\] VAR 'table' type_id=\d+, linkage=global$/),
    ]);
  });

  it('draws a few instructions around one', async () => {
    const drawn = await picture('xdp_counter.bpf.o', 'insn=xdp@0x8', 'code');
    expect(marked(drawn)).toHaveLength(1);
    expect(marked(drawn)[0]?.text).toMatch(/^ +1: r2 = 0x0 ll/);
    expect(drawn.lines.length).toBeLessThanOrEqual(15);
  });

  it('describes a CO-RE record', async () => {
    const { facts } = await picture('doc_core.bpf.o', 'core=.text@0x0', 'core');
    expect(facts).toContainEqual({ term: 'Access string', value: '0:0' });
    expect(facts).toContainEqual({ term: 'In C', value: 's->a' });
    expect(facts).toContainEqual({
      term: 'As libbpf logs it',
      value: '<byte_off> [2] struct foo.a (0:0 @ offset 0)',
    });
  });

  it('describes a relocation', async () => {
    const drawn = await picture('xdp_counter.bpf.o', 'reloc=.relxdp@0x180', 'relocations');
    expect(drawn.facts.map(({ term }) => term)).toEqual(
      expect.arrayContaining(['Type', 'Symbol', 'Patches', 'In words']),
    );
    expect(drawn.facts[0]?.value).toMatch(/^R_BPF_64_/);
    expect(marked(drawn)).toHaveLength(1);
    expect(drawn.hex?.rows.length).toBeGreaterThan(0);
  });

  it('draws the file without a selection, and fields of an Alpha object', async () => {
    const { facts } = await picture('kinds.bpf.o', '', 'overview');
    expect(facts.find(({ term }) => term === 'Byte order')?.value).toBe('little-endian');
    const alpha = await picture('alpha_gpdisp.ecoff', 'section=.text', 'code');
    expect(isEmptyPicture(alpha)).toBe(false);
    expect(alpha.lines.some(({ text }) => text.includes('ldah'))).toBe(true);
  });

  it('is empty until the bytes are loaded', async () => {
    const { model } = await openObject('kinds.btf', sampleBytes('kinds.btf'));
    const selection = { kind: 'bytes', start: 0, end: 4 } as const;
    expect(pictureOf(model, selection, 'bytes', () => null).hex).toBeNull();
  });
});
