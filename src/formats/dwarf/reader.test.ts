import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { runs } from '#testing/runs.ts';
import { DW_AT, DW_FORM, DW_LANG, DW_TAG, DW_UT } from './constants.ts';
import { operationsOf, registerOf } from './expressions.ts';
import { lineTableOf } from './line.ts';
import { locationsOf, rangesOf } from './lists.ts';
import { DwarfReader, type OptionalSection } from './reader.ts';

type Bytes = readonly number[];

const u32 = (value: number): Bytes => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const u64 = (value: number): Bytes => [...u32(value), 0, 0, 0, 0];
const text = (value: string): Bytes => [...new TextEncoder().encode(value), 0];
const uleb = (value: number): Bytes =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uleb(value >>> 7)];

/** Abbreviation: code, tag, whether it has children, then pairs of attribute and form. */
const abbrev = (code: number, tag: number, hasChildren: boolean, ...pairs: Bytes): Bytes => [
  ...uleb(code),
  ...uleb(tag),
  hasChildren ? 1 : 0,
  ...pairs.flatMap(uleb),
  0,
  0,
];

/** Unit of DWARF 5 with 8-byte addresses. */
const unit5 = (...entries: Bytes): Bytes => [
  ...u32(8 + entries.length),
  ...[5, 0, DW_UT.compile, 8],
  ...u32(0),
  ...entries,
];

/** Unit of DWARF 4 with 8-byte addresses. */
const unit4 = (...entries: Bytes): Bytes => [
  ...u32(7 + entries.length),
  ...[4, 0],
  ...u32(0),
  8,
  ...entries,
];

function readerOf(
  info: Bytes,
  table: Bytes,
  more: Partial<Record<OptionalSection, Bytes>> = {},
  endian: Endian = 'little',
): DwarfReader {
  const section = (name: string, bytes: Bytes) =>
    new ByteReader(Uint8Array.from(bytes), `.debug_${name}`, endian);
  const others = Object.entries(more).map(([name, bytes]) => [name, section(name, bytes)]);
  return new DwarfReader({
    ...(Object.fromEntries(others) as Partial<Record<OptionalSection, ByteReader>>),
    info: section('info', info),
    abbrev: section('abbrev', [...table, 0]),
  });
}

const firstRoot = (reader: DwarfReader) => {
  const [unit] = reader.units;
  if (unit === undefined) throw new Error('no unit');
  return unit.root;
};

describe('DwarfReader', () => {
  const table = [
    ...abbrev(1, DW_TAG.compile_unit, true, DW_AT.name, DW_FORM.string, DW_AT.language, 0x0b),
    ...abbrev(2, DW_TAG.structure_type, true, DW_AT.name, DW_FORM.string),
    ...abbrev(3, DW_TAG.member, false, DW_AT.type, DW_FORM.ref4, DW_AT.external, 0x19),
  ];
  const entries = [
    ...[1, ...text('a.c'), DW_LANG.C99],
    ...[2, ...text('s')],
    ...[3, ...u32(18)],
    ...[3, ...u32(18), 0],
    ...[2, ...text('t'), 0],
    0,
  ];

  it('reads the tree of a unit', () => {
    const [unit] = readerOf(unit5(...entries), table).units;
    const tree = unit?.tree();
    expect(unit?.language).toBe(DW_LANG.C99);
    expect([...(tree?.parent ?? [])]).toEqual([-1, 0, 1, 1, 0]);
    expect([...(tree?.end ?? [])]).toEqual([5, 4, 3, 4, 5]);
    expect([...(tree?.offset ?? [])].map((at) => unit?.dieAt(at).tag)).toEqual([
      DW_TAG.compile_unit,
      DW_TAG.structure_type,
      DW_TAG.member,
      DW_TAG.member,
      DW_TAG.structure_type,
    ]);
  });

  it('resolves a reference and reads a flag without bytes', () => {
    const reader = readerOf(unit5(...entries), table);
    const member = reader.dieAt(21);
    expect(member.flag(DW_AT.external)).toBe(true);
    expect(reader.dieAt(member.reference(DW_AT.type) ?? 0).string(DW_AT.name)).toBe('s');
    expect(member.attributes().map(({ at, size }) => [at, size])).toEqual([
      [22, 4],
      [26, 0],
    ]);
  });

  it('reads the units after a unit of unknown version', () => {
    const unknown = [...u32(4), 9, 0, 0, 0];
    const reader = readerOf([...unknown, ...unit5(...entries)], table);
    expect(reader.units).toHaveLength(1);
    expect(reader.issues.map(({ code }) => code)).toEqual(['dwarf.version']);
  });

  it('supplies missing ends of children', () => {
    const [unit] = readerOf(unit5(1, ...text(''), 0, 2, ...text('s')), table).units;
    expect([...(unit?.tree().end ?? [])]).toEqual([2, 2]);
  });

  it('reads big-endian units of 64-bit DWARF', () => {
    const root = [1, ...text('a.c'), DW_LANG.C11];
    const length = 2 + 1 + 1 + 8 + root.length;
    const head = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, length];
    const unit = [...head, 0, 5, DW_UT.compile, 4, ...new Array<number>(8).fill(0), ...root];
    const reader = readerOf(unit, table, {}, 'big');
    expect(reader.units[0]?.header).toMatchObject({ offsetSize: 8, addressSize: 4, version: 5 });
    expect(firstRoot(reader).string(DW_AT.name)).toBe('a.c');
  });

  it('reads strings and addresses by index', () => {
    const indexed = abbrev(
      ...([1, DW_TAG.compile_unit, false] as const),
      ...[DW_AT.name, DW_FORM.strx1, DW_AT.low_pc, DW_FORM.addrx],
      ...[DW_AT.str_offsets_base, DW_FORM.sec_offset, DW_AT.addr_base, DW_FORM.sec_offset],
    );
    const reader = readerOf(unit5(1, 1, 1, ...u32(8), ...u32(8)), indexed, {
      str: [...text('first'), ...text('second')],
      str_offsets: [...u32(12), 5, 0, 0, 0, ...u32(0), ...u32(6)],
      addr: [...u32(20), 5, 0, 8, 0, ...u64(1), ...u64(0x401000)],
    });
    expect(firstRoot(reader).string(DW_AT.name)).toBe('second');
    expect(firstRoot(reader).address(DW_AT.low_pc)).toBe(0x401000n);
  });

  it('reads constants by their form', () => {
    const constants = [
      ...[...uleb(1), DW_TAG.compile_unit, 0],
      ...[DW_AT.byte_size, DW_FORM.implicit_const, 0x7f],
      ...[DW_AT.bit_size, DW_FORM.indirect],
      ...[DW_AT.const_value, DW_FORM.data8, DW_AT.count, DW_FORM.data1, 0, 0],
    ];
    const all = new Array<number>(8).fill(0xff);
    const root = firstRoot(readerOf(unit5(1, DW_FORM.udata, 0x80, 1, ...all, 0xfe), constants));
    expect(root.constant(DW_AT.byte_size)).toBe(-1n);
    expect(root.number(DW_AT.bit_size)).toBe(128);
    expect(root.number(DW_AT.const_value)).toBeNull();
    expect(root.constant(DW_AT.const_value)).toBe(0xffff_ffff_ffff_ffffn);
    expect(root.signed(DW_AT.const_value)).toBe(-1n);
    expect([root.number(DW_AT.count), root.signed(DW_AT.count)]).toEqual([0xfe, -2n]);
  });

  it('finds types by their signature', () => {
    const types = [
      ...u32(7 + 12 + 3),
      ...[4, 0],
      ...u32(0),
      ...[8, 1, 2, 3, 4, 5, 6, 7, 8],
      ...u32(23),
      ...[2, ...text('s')],
    ];
    const signed = [...table, ...abbrev(4, DW_TAG.typedef, false, DW_AT.type, DW_FORM.ref_sig8)];
    const info = unit4(4, 1, 2, 3, 4, 5, 6, 7, 8);
    const reader = readerOf(info, signed, { types });
    const type = firstRoot(reader).reference(DW_AT.type);
    expect(type).toBe(info.length + 23);
    expect(reader.dieAt(type ?? 0).string(DW_AT.name)).toBe('s');
  });

  it('refuses damaged bytes with a sentence', () => {
    const code = (read: () => unknown) => {
      try {
        read();
      } catch (error) {
        if (error instanceof Malformed) return error.issue.code;
        throw error;
      }
      return null;
    };
    const unit = (...bytes: Bytes) => readerOf(unit5(...bytes), table).units[0];
    expect(code(() => unit(9)?.root)).toBe('dwarf.abbrev-code');
    expect(code(() => unit(1, 0x61)?.tree())).toBe('dwarf.string-end');
    expect(code(() => unit(...new Array<number>(20).fill(0x80))?.root)).toBe('dwarf.leb128');
    expect(code(() => readerOf(unit5(1), []).dieAt(99))).toBe('dwarf.reference');
    const cut = readerOf([...u32(100), 5, 0], table);
    expect(cut.issues.map((issue) => issue.code)).toEqual(['bytes.out-of-bounds']);
    const loop = abbrev(1, DW_TAG.compile_unit, false, DW_AT.name, DW_FORM.indirect);
    expect(code(() => readerOf(unit5(1, DW_FORM.indirect), loop).units[0]?.tree())).toBe(
      'dwarf.form',
    );
  });

  it('takes no time per entry for attributes without bytes', () => {
    const flags = new Array<Bytes>(20_000).fill([DW_AT.external, DW_FORM.flag_present]).flat();
    const bomb = [
      ...abbrev(1, DW_TAG.compile_unit, true),
      ...abbrev(2, DW_TAG.member, false, ...flags, DW_AT.name, DW_FORM.indirect),
    ];
    const members = new Array<Bytes>(20_000).fill([2, DW_FORM.data1, 0]).flat();
    const [unit] = readerOf(unit5(1, ...members), bomb).units;
    const start = performance.now();
    const tree = unit?.tree();
    for (const at of tree?.offset ?? []) unit?.dieAt(at).number(DW_AT.name);
    expect(tree?.count).toBe(20_001);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('returns or throws Malformed for any bytes', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 64 });
    const all = [...Object.values(DW_AT)];
    fc.assert(
      fc.property(bytes, bytes, bytes, (entry, own, other) => {
        const sections = { str: other, line: other, addr: other, rnglists: other, loclists: other };
        const damaged = [1, DW_TAG.compile_unit, 1, ...own, 0, 0];
        for (const unit of readerOf(unit5(1, ...entry), damaged, sections).units) {
          try {
            const { root } = unit;
            unit.tree();
            root.attributes();
            for (const attribute of all) {
              root.number(attribute);
              root.string(attribute);
              root.reference(attribute);
              root.address(attribute);
            }
            lineTableOf(unit)?.rowAt(1n);
            locationsOf(root);
            rangesOf(root);
          } catch (error) {
            expect(error).toBeInstanceOf(Malformed);
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('operationsOf', () => {
  const format = { version: 5, addressSize: 8, offsetSize: 4 } as const;
  const decode = (...bytes: Bytes) =>
    operationsOf(new ByteReader(Uint8Array.from(bytes), 'expression'), format);

  it('reads operands', () => {
    expect(decode(0x91, 0x68)).toEqual([{ code: 0x91, operands: [-24n], at: 0 }]);
    expect(decode(0x03, ...u64(0x10), 0x9f)).toEqual([
      { code: 0x03, operands: [0x10n], at: 0 },
      { code: 0x9f, operands: [], at: 9 },
    ]);
  });

  it('tells the register that holds a value', () => {
    expect(registerOf(decode(0x55))).toBe(5);
    expect(registerOf(decode(0x90, 0x21))).toBe(0x21);
    expect(registerOf(decode(0x75, 0))).toBeNull();
    expect(registerOf(decode(0xa3, 1, 0x55, 0x9f))).toBeNull();
  });

  it('refuses an unknown operation', () => {
    expect(() => decode(0x01)).toThrow('unknown operation 0x1');
    expect(() => decode(0x9e, 9, 1)).toThrow('a block runs past the end');
  });
});

describe('lists', () => {
  it('reads locations of DWARF 5', () => {
    const table = abbrev(1, DW_TAG.formal_parameter, false, DW_AT.location, DW_FORM.sec_offset);
    const loclists = [4, 2, 6, 1, 0x55, 5, 1, 0x54, 0];
    const locations = locationsOf(firstRoot(readerOf(unit5(1, ...u32(0)), table, { loclists })));
    expect(locations?.kind).toBe('list');
    const list = locations?.kind === 'list' ? locations.list : [];
    expect(list.map(({ range, expression }) => [range, [...expression.bytes]])).toEqual([
      [{ start: 2n, end: 6n }, [0x55]],
      [null, [0x54]],
    ]);
  });

  it('reads ranges of DWARF 4', () => {
    const table = abbrev(
      ...([1, DW_TAG.compile_unit, false] as const),
      ...[DW_AT.low_pc, DW_FORM.addr, DW_AT.ranges, DW_FORM.sec_offset],
    );
    const ranges = [...u64(1), ...u64(2), ...new Array<number>(8).fill(0xff), ...u64(0x100)];
    const pairs = [...ranges, ...u64(3), ...u64(4), ...new Array<number>(16).fill(0)];
    const root = firstRoot(readerOf(unit4(1, ...u64(0x10), ...u32(0)), table, { ranges: pairs }));
    expect(rangesOf(root)).toEqual([
      { start: 0x11n, end: 0x12n },
      { start: 0x103n, end: 0x104n },
    ]);
  });
});

describe('lineTableOf', () => {
  it('reads files and rows of DWARF 4', () => {
    const table = abbrev(
      ...([1, DW_TAG.compile_unit, false] as const),
      ...[DW_AT.comp_dir, DW_FORM.string, DW_AT.stmt_list, DW_FORM.sec_offset],
    );
    const operands = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];
    const files = [...text('include'), 0, ...text('a.c'), 0, 0, 0, ...text('b.h'), 1, 0, 0, 0];
    const rest = [1, 1, 1, 0xfb, 14, 13, ...operands, ...files];
    const program = [0, 9, 2, ...u64(0x1000), 5, 7, 19, 3, 4, 4, 2, 2, 3, 1, 2, 1, 0, 1, 1];
    const length = 2 + 4 + rest.length + program.length;
    const line = [...u32(length), 4, 0, ...u32(rest.length), ...rest, ...program];
    const [unit] = readerOf(unit4(1, ...text('/src'), ...u32(0)), table, { line }).units;
    const lines = unit === undefined ? null : lineTableOf(unit);
    expect([lines?.file(1), lines?.file(2), lines?.file(3)]).toEqual([
      { name: 'a.c', directory: '/src' },
      { name: 'b.h', directory: 'include' },
      null,
    ]);
    const rows = lines?.rows;
    expect([...(rows?.address ?? [])]).toEqual([0x1000n, 0x1003n, 0x1004n]);
    expect([...(rows?.line ?? [])]).toEqual([2, 6, 6]);
    expect([...(rows?.file ?? [])]).toEqual([1, 2, 2]);
    expect([0xfffn, 0x1000n, 0x1003n, 0x1004n].map((at) => lines?.rowAt(at))).toEqual([
      -1, 0, 1, -1,
    ]);
  });
});
