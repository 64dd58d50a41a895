import { describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { ingest, ingestBytes } from '#ingest/ingest.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import { COMPACT_TYPE } from '#model/relocations.ts';
import { isCode, sectionCount, sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { commentData, ecoffObject, STYP, words } from '#testing/ecoff-object.ts';
import { PDATA_EXPRESSION } from '#testing/ecoff-samples.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';

const opened = () => openModel('a.ecoff', ecoffObject(PDATA_EXPRESSION));

describe('an eCOFF object as a model', () => {
  it('has no types, and headers for people', async () => {
    const model = await opened();
    expect(model).toMatchObject({
      format: 'ecoff',
      fileType: 'relocatable',
      types: null,
      issues: [],
    });
    expect(model.headers.map(({ title }) => title)).toEqual([
      'file header',
      'optional header',
      'section header 1: .text',
      'section header 2: .pdata',
      'symbolic header',
    ]);
    for (const { span, fields } of model.headers) {
      expect(fields[0]?.span.start).toBe(span.start);
      expect(fields.at(-1)?.span.end).toBe(span.end);
    }
  });

  it('has a null section in row 0 that is not counted', async () => {
    const { sections } = await opened();
    const names = [0, 1, 2].map((i) => sectionName(sections, sectionIndex(i)));
    expect(names).toEqual(['', '.text', '.pdata']);
    expect(sectionCount(sections)).toBe(2);
    expect([1, 2].map((i) => isCode(sections, sectionIndex(i)))).toEqual([true, false]);
    expect(sections.addr[2]).toBe(0x70n);
  });

  it('has its external symbols in the sections of their classes', async () => {
    const { symbols } = await opened();
    const named = [...Array(symbols.count).keys()].map((i) => [
      symbolName(symbols, symbolIndex(i)),
      symbols.section[i],
    ]);
    expect(named).toEqual([
      ['main', 1],
      ['foo', 1],
      ['printf', 0],
      ['_fpdata', 0],
    ]);
  });

  it('has its entries by the section that they relocate', async () => {
    const { relocations } = await opened();
    expect([...relocations.type]).toEqual([12, 14, 13]);
    expect([...relocations.relSection]).toEqual([2, 2, 2]);
    expect([...relocations.symbol]).toEqual([-1, 3, -1]);
    expect([...relocations.offset]).toEqual([0x30n, 0n, 0x78n]);
  });

  it('has compact records after them, by the compact section headers', async () => {
    const model = await openModel('c.ecoff', sampleBytes('alpha_compact.ecoff'));
    const { relocations, sections } = model;
    expect(relocations.count).toBe(6);
    expect([...relocations.type].every((type) => type > COMPACT_TYPE)).toBe(true);
    const comment = sectionName(sections, sectionIndex(relocations.relSection[0] ?? 0));
    expect(comment).toBe('.comment');
    expect([...relocations.targetSection]).toEqual(Array(6).fill(1));
    expect(relocations.offset[0]).toBe(0x120001010n);
  });

  it('sets no section for unclaimed compact records, for any claims', async () => {
    const header = (scn: number, rlc: number) =>
      words(2, 1, scn, 0, rlc, 0, 0, 0, 0, 0, 72, 0, 72 + 64 * scn, 0, 0, 0, 0, 0);
    const section = (snum: number) =>
      words(0x7865742e, 0x74, snum, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const data = new Uint8Array(72 + 128 + 24);
    data.set(header(2, 3), 0);
    data.set(section(1), 72);
    data.set(section(0), 136);
    const bytes = ecoffObject({
      sections: [
        { name: '.text', flags: STYP.text, vaddr: 0, data: new Uint8Array(16) },
        { name: '.comment', flags: STYP.comment, vaddr: 0, data: commentData(4, data) },
      ],
    });
    const { relocations } = await openModel('c.ecoff', bytes);
    expect([...relocations.targetSection]).toEqual([1, 1, 1]);
  });
});

/** Returns a compressed object in which every byte is stored as a literal. */
function packed(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(40 + bytes.length + Math.ceil(bytes.length / 8));
  const view = new DataView(out.buffer);
  view.setUint16(0, 0x188, true);
  view.setBigUint64(24, BigInt(bytes.length), true);
  let at = 40;
  for (let i = 0; i < bytes.length; i++) {
    if (i % 8 === 0) out[at++] = 0xff;
    out[at++] = bytes[i] ?? 0;
  }
  return out;
}

describe('the parts around an object', () => {
  it('is unpacked, and offsets are offsets in the unpacked object', async () => {
    const plain = ecoffObject(PDATA_EXPRESSION);
    const read = await ingest(bufferSource('z.ecoff', packed(plain)));
    if (read.kind !== 'object') throw new Error('not an object');
    expect(read.model.containers).toEqual(['eCOFF 0x188']);
    expect(read.model.size).toBe(plain.length);
    expect(await read.source.read(0, plain.length)).toEqual(plain);
  });

  it('refuses a file that ends inside its header, with the reason', async () => {
    const cut = ecoffObject(PDATA_EXPRESSION).subarray(0, 12);
    await expect(ingestBytes('cut.ecoff', cut)).rejects.toMatchObject({
      issue: { code: 'bytes.out-of-bounds', region: 'eCOFF object' },
    });
  });

  it('does not detect an object by two bytes alone', async () => {
    const noise = new Uint8Array(64).fill(0x5a);
    noise.set([0x83, 0x01]);
    await expect(ingestBytes('noise', noise)).rejects.toMatchObject({
      issue: { code: 'file.unknown' },
    });
  });
});
