import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { NO_SECTIONS, type SectionTable } from '#model/sections.ts';
import type { TypeTable } from '#model/type-table.ts';
import { assemble, distance, label, type Part, u8, u16, u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int } from '#testing/btf-types.ts';
import { ingestBtf } from './btf.ts';
import { ingestExt } from './ext.ts';

const blob = btfBlob({ types: [int('int', 4)], strings: ['xdp', 'tc', 'gone'] });
const [xdp, tc, gone] = ['xdp', 'tc', 'gone'].map(blob.stringOff);

function types(endian: Endian = 'little'): TypeTable {
  const { bytes } = btfBlob({ types: [int('int', 4)], strings: ['xdp', 'tc', 'gone'], endian });
  return ingestBtf({ bytes, fileOffset: 0, region: '.BTF' }, null, []).types;
}

/** Returns sections with the names `names`. The first has index 1. */
function sections(...names: string[]): SectionTable {
  const nameOff = [0];
  let text = '\0';
  for (const name of names) {
    nameOff.push(text.length);
    text += `${name}\0`;
  }
  return {
    ...NO_SECTIONS,
    count: nameOff.length,
    nameOff: Uint32Array.from(nameOff),
    names: new TextEncoder().encode(text),
  };
}

type Block = readonly [secNameOff: number | undefined, ...records: (readonly number[])[]];
type Spec = {
  readonly endian?: Endian;
  readonly func?: readonly Block[];
  readonly line?: readonly Block[];
  readonly core?: readonly Block[];
  /** Unknown header fields, as words between the known fields and `func_info`. */
  readonly extraHeader?: readonly number[];
  readonly recordSize?: number;
};

function part(name: string, known: number, blocks: readonly Block[], recordSize = known): Part[] {
  const pad = Array.from({ length: (recordSize - known) / 4 }, () => u32(0xdddddddd));
  return [
    label(name),
    ...(blocks.length === 0 ? [] : [u32(recordSize)]),
    ...blocks.flatMap(([secNameOff, ...records]) => [
      u32(secNameOff ?? 0),
      u32(records.length),
      ...records.flatMap((record) => [...record.map((word) => u32(word)), ...pad]),
    ]),
    label(`${name} end`),
  ];
}

function section(spec: Spec): Uint8Array {
  const size = spec.recordSize;
  const place = (name: string) => [u32(distance('data', name)), u32(distance(name, `${name} end`))];
  return assemble(
    spec.endian ?? 'little',
    label('start'),
    u16(0xeb9f),
    u8(1),
    u8(0),
    u32(distance('start', 'data')),
    ...['func', 'line', 'core'].flatMap(place),
    ...(spec.extraHeader ?? []).map((word) => u32(word)),
    label('data'),
    ...part('func', 8, spec.func ?? [], size),
    ...part('line', 16, spec.line ?? [], size),
    ...part('core', 16, spec.core ?? [], size),
  ).bytes;
}

function ingest(
  bytes: Uint8Array,
  over: { fileOffset?: number | null; known?: SectionTable } = {},
) {
  const issues: Issue[] = [];
  const { fileOffset = 0, known = sections('xdp', 'tc', 'xdp') } = over;
  const read = ingestExt({ bytes, fileOffset, region: '.BTF.ext' }, types(), known, issues);
  return { ...read, issues, codes: issues.map((i) => i.code) };
}

const full: Spec = {
  func: [
    [xdp, [0, 5]],
    [tc, [8, 6], [16, 7]],
  ],
  line: [[tc, [0, 1, 2, (30 << 10) | 4]]],
  core: [
    [tc, [8, 1, 5, 0]],
    [xdp, [0, 1, 5, 2], [24, 1, 9, 12]],
  ],
};

describe('ingestExt', () => {
  it('reads every column of every part', () => {
    const { ext, issues } = ingest(section(full), { fileOffset: 1000 });
    expect(issues).toEqual([]);
    expect(ext.func).toEqual({
      count: 3,
      section: Int32Array.of(1, 2, 2),
      secNameOff: Uint32Array.of(xdp ?? 0, tc ?? 0, tc ?? 0),
      indexInSection: Uint32Array.of(0, 0, 1),
      insnOff: Uint32Array.of(0, 8, 16),
      typeId: Uint32Array.of(5, 6, 7),
      recordOffset: Float64Array.of(1044, 1060, 1068),
      recordSize: 8,
    });
    expect(ext.line).toMatchObject({
      count: 1,
      fileNameOff: Uint32Array.of(1),
      lineOff: Uint32Array.of(2),
      lineCol: Uint32Array.of((30 << 10) | 4),
      recordSize: 16,
    });
    expect(ext.core).toMatchObject({
      count: 3,
      section: Int32Array.of(2, 1, 1),
      indexInSection: Uint32Array.of(0, 0, 1),
      insnOff: Uint32Array.of(8, 0, 24),
      typeId: Uint32Array.of(1, 1, 1),
      accessStrOff: Uint32Array.of(5, 5, 9),
      kind: Uint32Array.of(0, 2, 12),
    });
  });

  it('reads big-endian equally', () => {
    const { ext, codes } = ingest(section({ ...full, endian: 'big' }));
    expect(ext).toEqual(ingest(section(full)).ext);
    expect(codes).toEqual(['ext.endian']);
  });

  it('counts record offsets in the section when it was compressed', () => {
    expect(ingest(section(full), { fileOffset: null }).ext.func.recordOffset[0]).toBe(44);
  });

  it('reads the known front of longer records', () => {
    const { ext, issues } = ingest(section({ ...full, recordSize: 24 }));
    expect(issues).toEqual([]);
    expect(ext.func.typeId).toEqual(Uint32Array.of(5, 6, 7));
    expect(ext.core.kind).toEqual(Uint32Array.of(0, 2, 12));
    expect([ext.func.recordSize, ext.core.recordSize]).toEqual([24, 24]);
  });

  it('gives records no section if the names cannot be read, and reports it once per part', () => {
    const { ext, issues } = ingest(
      section({
        core: [
          [gone, [0, 1, 1, 0]],
          [gone, [8, 1, 1, 0]],
          [5000, [0, 1, 1, 0]],
        ],
      }),
    );
    expect([...ext.core.section]).toEqual([-1, -1, -1]);
    expect(issues).toMatchObject([
      { severity: 'warning', code: 'ext.section-name-outside', found: '5000' },
      { severity: 'note', code: 'ext.no-such-section', found: 'gone' },
    ]);
    expect(issues[1]?.message).toContain('2 core_relo blocks');
  });

  it('reports no missing sections if the file has none', () => {
    expect(ingest(section(full), { known: NO_SECTIONS }).issues).toEqual([]);
  });

  it('reads the other parts if one is damaged', () => {
    const bytes = section(full);
    new DataView(bytes.buffer).setUint32(32, 7, true);
    const { ext, issues } = ingest(bytes, { fileOffset: 100 });
    expect(issues).toMatchObject([
      { severity: 'error', code: 'ext.record-size', span: { start: 132, end: 136 }, found: '7' },
    ]);
    expect([ext.func.count, ext.line.count, ext.core.count]).toEqual([0, 1, 3]);
  });

  it('lists every header field with its span', () => {
    const { header } = ingest(section({ ...full, extraHeader: [0] }), { fileOffset: 10 });
    expect(header?.title).toBe('.BTF.ext header');
    expect(header?.fields.map((f) => f.name)).toEqual([
      'magic',
      'version',
      'flags',
      'hdr_len',
      'func_info_off',
      'func_info_len',
      'line_info_off',
      'line_info_len',
      'core_relo_off',
      'core_relo_len',
      '(unknown)',
    ]);
    expect(header?.fields.at(-1)).toMatchObject({ span: { start: 42, end: 46 } });
  });

  it('warns of unknown header data', () => {
    expect(ingest(section({ ...full, extraHeader: [0, 0x100] })).issues).toMatchObject([
      { severity: 'warning', code: 'ext.header-unknown-data', span: { start: 37, end: 38 } },
    ]);
  });

  it('notes a missing CO-RE part, and warns when there are no parts at all', () => {
    const bytes = section({ func: [[xdp, [0, 5]]] });
    const short = Uint8Array.from([...bytes.subarray(0, 24), ...bytes.subarray(32)]);
    new DataView(short.buffer).setUint32(4, 24, true);
    expect(ingest(short)).toMatchObject({
      ext: { func: { count: 1 }, core: { count: 0 } },
      issues: [{ severity: 'note', code: 'ext.no-core-part' }],
    });
    expect(ingest(section({})).codes).toEqual(['ext.no-data']);
  });

  it('returns null and an issue for an unreadable header', () => {
    const { ext, header, issues } = ingest(Uint8Array.of(1, 2, 3, 4));
    expect([ext.func.count, ext.line.count, ext.core.count, header]).toEqual([0, 0, 0, null]);
    expect(issues).toMatchObject([{ severity: 'error', code: 'ext.bad-magic' }]);
  });

  it('holds with any words replaced, and for every truncation', () => {
    const sound = section(full);
    const holds = (bytes: Uint8Array) => {
      const { ext, issues } = ingest(bytes);
      for (const table of [ext.func, ext.line, ext.core]) {
        expect(table.insnOff).toHaveLength(table.count);
        const last = table.recordOffset.at(-1) ?? 0;
        expect(table.count === 0 || last + table.recordSize <= bytes.length).toBe(true);
      }
      const outside = issues.filter((i) => i.span !== null && i.span.end > bytes.length);
      expect(outside).toEqual([]);
    };
    for (let length = 0; length <= sound.length; length++) holds(sound.subarray(0, length));
    const word = fc.tuple(fc.nat(sound.length / 4 - 1), fc.oneof(fc.nat(64), fc.nat(0xffffffff)));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (changes) => {
        const bytes = sound.slice();
        const view = new DataView(bytes.buffer);
        for (const [at, value] of changes) view.setUint32(at * 4, value, true);
        holds(bytes);
      }),
    );
  });
});
