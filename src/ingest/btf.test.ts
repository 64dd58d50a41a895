import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import { typeId } from '#model/ids.ts';
import { enumeratorsOf, membersOf, paramsOf, varSecinfosOf } from '#model/type-items.ts';
import {
  infoOf,
  kindOf,
  lastId,
  nameOf,
  recordSpan,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';
import { u32 } from '#testing/assemble.ts';
import { type BtfSpec, btfBlob } from '#testing/btf-blob.ts';
import {
  datasec,
  enumeration,
  func,
  funcProto,
  int,
  ptr,
  record,
  struct,
  type TypeRecord,
  variable,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { ingestBtf } from './btf.ts';

const types: readonly TypeRecord[] = [
  int('int', 4, { encoding: 1 }),
  ptr(3),
  struct('list', 16, [
    { name: 'next', type: 2, bitOffset: 0 },
    { name: 'flag', type: 1, bitOffset: 64, bitfieldSize: 3 },
  ]),
  enumeration('color', [['RED', 1]]),
  funcProto(1, [['l', 2]]),
  func('walk', 5),
  variable('head', 2),
  datasec('.bss', 8, [[7, 0, 8]]),
];

const region = (bytes: Uint8Array, fileOffset: number | null = 0) => ({
  bytes,
  fileOffset,
  region: '.BTF',
});

function ingest(spec: BtfSpec, base: TypeTable | null = null, fileOffset: number | null = 0) {
  const issues: Issue[] = [];
  const read = ingestBtf(region(btfBlob({ types, ...spec }).bytes, fileOffset), base, issues);
  return { ...read, issues, codes: issues.map((i) => i.code) };
}

/** Returns the visible content of a table, which is independent of the byte order. */
function contents(t: TypeTable): unknown[] {
  return Array.from({ length: t.count }, (_, i) => {
    const id = typeId(t.firstId + i);
    const items = [membersOf(t, id), enumeratorsOf(t, id), paramsOf(t, id), varSecinfosOf(t, id)];
    return [infoOf(t, id), nameOf(t, id), sizeOrTypeOf(t, id), ...items];
  });
}

describe('ingestBtf', () => {
  it('reads the types of a valid blob without issues', () => {
    const { types: t, issues } = ingest({});
    expect(issues).toEqual([]);
    expect(t).toMatchObject({ firstId: 1, count: 8, strBase: 0, split: false, base: null });
    expect(nameOf(t, typeId(3))).toBe('list');
  });

  it('reads equal types in both byte orders', () => {
    const [little, big] = [ingest({ endian: 'little' }), ingest({ endian: 'big' })];
    expect(big.types.endian).toBe('big');
    expect(contents(big.types)).toEqual(contents(little.types));
  });

  it('counts spans from the offset of the region in the file', () => {
    const { types: t, header } = ingest({}, null, 1000);
    expect(recordSpan(t, typeId(1))).toEqual({ start: 1024, end: 1040 });
    expect(header.fields.at(-1)?.span).toEqual({ start: 1020, end: 1024 });
  });

  it('has no record spans, and header spans from 0, when the section was compressed', () => {
    const { types: t, header } = ingest({}, null, null);
    expect(recordSpan(t, typeId(1))).toBeNull();
    expect(header.span).toEqual({ start: 0, end: 24 });
  });

  it('lists every header field with its value and span', () => {
    const layout = [{ infoSize: 0, elemSize: 0 }];
    const { header } = ingest({ layout, header: { hdrLen: 32 } });
    expect(header.title).toBe('BTF header');
    expect(header.fields.map((f) => [f.name, f.value, f.span.start, f.span.end])).toEqual([
      ['magic', '0xeb9f', 0, 2],
      ['version', '1', 2, 3],
      ['flags', '0x0', 3, 4],
      ['hdr_len', '32', 4, 8],
      ['type_off', '0', 8, 12],
      ['type_len', '156', 12, 16],
      ['str_off', '160', 16, 20],
      ['str_len', '47', 20, 24],
      ['layout_off', '156', 24, 28],
      ['layout_len', '4', 28, 32],
    ]);
  });

  it.each<[string, BtfSpec, string, string]>([
    ['version', { header: { version: 2 } }, 'btf.version', 'version 2'],
    ['flags', { header: { flags: 0x80 } }, 'btf.flags', 'flags 0x80'],
    [
      'layout flags',
      { layout: [{ infoSize: 0, elemSize: 0, flags: 0x8001 }] },
      'btf.layout-flags',
      '0x8001',
    ],
    [
      'a layout that contradicts',
      {
        layout: [
          { infoSize: 0, elemSize: 0 },
          { infoSize: 8, elemSize: 0 },
        ],
      },
      'btf.layout-contradicts',
      'INT',
    ],
    ['kind 0', { types: [...types, record(0)] }, 'btf.kind-zero', '[9]'],
  ])('warns and reads on: %s', (_name, spec, code, words) => {
    const { issues, types: t } = ingest(spec);
    expect(issues).toMatchObject([{ severity: 'warning', code, region: '.BTF' }]);
    expect(issues[0]?.message).toContain(words);
    expect(t.count).toBeGreaterThanOrEqual(8);
  });

  it('warns about bytes after the strings, between sections and in unknown header fields', () => {
    const { bytes } = btfBlob({
      types,
      headerLength: 32,
      header: { hdrLen: 24, typeOff: 8, strOff: 164 },
    });
    bytes[25] = 1;
    const longer = new Uint8Array(bytes.length + 3);
    longer.set(bytes);
    const issues: Issue[] = [];
    ingestBtf(region(longer, 50), null, issues);
    expect(issues).toMatchObject([
      { code: 'btf.gap', span: { start: 74, end: 82 } },
      { code: 'btf.trailing', span: { start: 50 + bytes.length, end: 53 + bytes.length } },
    ]);
    longer[4] = 28;
    longer[8] = 4;
    longer[16] = 160;
    issues.length = 0;
    ingestBtf(region(longer, 50), null, issues);
    expect(issues).toMatchObject([
      { code: 'btf.header-unknown-data', span: { start: 75, end: 76 }, found: '0x01' },
      { code: 'btf.gap' },
      { code: 'btf.trailing' },
    ]);
  });

  it('returns the types before the first unreadable type and names that type', () => {
    const { types: t, issues } = ingest({ types: [...types, record(23), int('late', 4)] });
    expect(t.count).toBe(8);
    expect(issues).toMatchObject([
      { severity: 'error', code: 'btf.walk-no-layout', span: { start: 180, end: 192 } },
    ]);
    expect(issues[0]?.message).toMatch(/\[9\].*kind 23 .*from there on/);
  });

  it('counts the items past the end', () => {
    const { issues } = ingest({ types: [int('int', 4), record(4, { vlen: 65_537 })] });
    expect(issues[0]?.message).toContain('[2]: STRUCT with 65537 members runs past the end');
  });

  it('has a note if there are no types', () => {
    expect(ingest({ types: [] }).issues).toMatchObject([
      { severity: 'note', code: 'btf.no-types' },
    ]);
  });

  it.each<[string, BtfSpec, string]>([
    ['no strings', { types: [], header: { strLen: 0 } }, 'btf.strings-empty'],
    ['no NUL at the end', { header: { strLen: 46 } }, 'btf.strings-end'],
    [
      'no NUL at the start',
      { types: [int(1, 4)], strings: new TextEncoder().encode('xint\0') },
      'btf.strings-start',
    ],
  ])('refuses: %s', (_name, spec, code) => {
    const issues: Issue[] = [];
    const read = () => ingestBtf(region(btfBlob({ types, ...spec }).bytes), null, issues);
    expect(read).toThrow(Malformed);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ issue: { code } });
    }
    expect(issues).toEqual([]);
  });
});

describe('ingestBtf on a base', () => {
  const base = () => ingest({}).types;
  const split = (given: readonly TypeRecord[], more: BtfSpec = {}) =>
    ingest({ types: given, baseStringLength: 47, ...more }, base());

  it('counts on from the end of the base', () => {
    const { types: t, codes } = split([
      ptr(3),
      struct('own', 8, [{ name: 'p', type: 9, bitOffset: 0 }]),
    ]);
    expect(codes).toEqual(['btf.base-in-use']);
    expect(t).toMatchObject({ firstId: 9, count: 2, strBase: 47, split: true });
    expect([nameOf(t, typeId(10)), nameOf(t, typeId(3)), lastId(t)]).toEqual(['own', 'list', 10]);
  });

  it('finds the layout in the base, including in the base of the base', () => {
    const layout = Array.from({ length: 24 }, () => ({ infoSize: 4, elemSize: 0 }));
    const bottom = ingest({ layout }).types;
    const middle = ingest({ types: [ptr(1)], baseStringLength: 47 }, bottom).types;
    const future = record(23, { name: 'new', tail: () => [u32(7)] });
    const { types: t, codes } = ingest({ types: [future, ptr(1)], baseStringLength: 47 }, middle);
    expect([t.firstId, t.count, kindOf(t, typeId(10)), kindOf(t, typeId(11))]).toEqual([
      10, 2, 23, 2,
    ]);
    expect(codes).toContain('btf.unknown-kinds');
  });

  it('reports ids and names outside both', () => {
    const { issues } = split([ptr(99), int(4000, 4), ptr(0xffffffff)]);
    expect(issues.map((i) => i.code)).toEqual(
      expect.arrayContaining(['btf.ids-outside-base', 'btf.names-outside-base']),
    );
    expect(issues.find((i) => i.code === 'btf.ids-outside-base')?.message).toContain('2 type ids');
  });

  it('doubts a base of the wrong size', () => {
    const own = [funcProto(1), func('f', 20), func('g', 20), struct('own', 4, [])];
    const { issues } = split(own, { baseStringLength: 400 });
    expect(issues.find((i) => i.code === 'btf.base-does-not-fit')).toMatchObject({
      severity: 'warning',
      found: '8 types and 47 bytes of strings',
    });
  });
});

describe('ingestBtf on damaged bytes', () => {
  const layout = Array.from({ length: 24 }, () => ({ infoSize: 0, elemSize: 0 }));
  const sound = [btfBlob({ types }).bytes, btfBlob({ types, layout, endian: 'big' }).bytes];

  /** Checks that a result or `Malformed` comes back and that all issues have spans in the file. */
  function holds(bytes: Uint8Array): void {
    const issues: Issue[] = [];
    try {
      const { types: t, header } = ingestBtf(region(bytes, 0), null, issues);
      contents(t);
      const spans = [header.span, ...header.fields.map((f) => f.span)];
      for (let id = t.firstId; id <= lastId(t); id++) {
        const span = recordSpan(t, typeId(id));
        if (span !== null) spans.push(span);
      }
      for (const issue of issues) if (issue.span !== null) spans.push(issue.span);
      const isInside = (s: Span) => s.start >= 0 && s.start <= s.end && s.end <= bytes.length;
      expect(spans.filter((s) => !isInside(s))).toEqual([]);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      expect(error.issue.span?.end).toBeLessThanOrEqual(bytes.length);
    }
  }

  it('holds for every truncation', () => {
    for (const bytes of sound) {
      for (let length = 0; length <= bytes.length; length++) holds(bytes.subarray(0, length));
    }
  });

  it('holds for every byte flipped', () => {
    for (const bytes of sound) {
      for (let at = 0; at < bytes.length; at++) {
        for (const mask of [0x01, 0x80, 0xff]) {
          const flipped = bytes.slice();
          flipped[at] = (flipped[at] ?? 0) ^ mask;
          holds(flipped);
        }
      }
    }
  });

  it('holds for words replaced at random', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sound),
        fc.array(fc.tuple(fc.nat(60), fc.nat(0xffffffff)), { minLength: 1, maxLength: 6 }),
        (bytes, changes) => {
          const changed = bytes.slice();
          const view = new DataView(changed.buffer);
          for (const [word, value] of changes) {
            if (word * 4 + 4 <= changed.length) view.setUint32(word * 4, value, true);
          }
          holds(changed);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
