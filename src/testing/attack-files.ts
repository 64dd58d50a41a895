/**
 * Small files that were once slow to handle. Each has a program, a variable, CO-RE records and a
 * family of types; `scale` 1 gives a few thousand types or members.
 */
import { assemble, distance, hex, label, u8, u16, u32 } from './assemble.ts';
import { type BtfBlob, btfBlob } from './btf-blob.ts';
import {
  array,
  datasec,
  func,
  funcProto,
  int,
  type Member,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
  variable,
} from './btf-types.ts';
import { elfObject } from './elf-object.ts';

export type AttackFile = { readonly name: string; readonly buffer: Uint8Array<ArrayBuffer> };

type Family = {
  /** Types of the file from id 2 on; type 1 is `int`. */
  readonly types: readonly TypeRecord[];
  /** Type id of the variable; by default the last of `types`. */
  readonly root?: number;
  readonly accessStr?: string;
  readonly records?: number;
  readonly dataBytes?: number;
};

const INT = 1;

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function members(count: number, type: (index: number) => number, isNamed = true): Member[] {
  return times(count, (i) => ({
    name: isNamed ? `m${i}` : '',
    type: type(i),
    bitOffset: 32 * i,
  }));
}

/** Families of types by name. In each, `types[i]` has the type id `2 + i`. */
const FAMILIES: Readonly<Record<string, (scale: number) => Family>> = {
  'typedef-tree': (scale) => ({
    types: times(30 * scale, (i) => [
      funcProto(i === 0 ? INT : 2 * i + 1, [
        ['a', i === 0 ? INT : 2 * i],
        ['b', i === 0 ? INT : 2 * i + 1],
      ]),
      ptr(2 * i + 2),
    ]).flat(),
  }),
  'circle-of-prototypes': (scale) => ({
    types: times(60 * scale, (i) =>
      funcProto(2 + ((i + 1) % (60 * scale)), [
        ['a', 2 + ((7 * i + 3) % (60 * scale))],
        ['b', 2 + ((11 * i + 5) % (60 * scale))],
      ]),
    ),
  }),
  'holds-itself': (scale) => ({
    types: [
      struct('s', 8000 * scale, [
        { name: '', type: 2, bitOffset: 0 },
        ...members(2000 * scale, () => INT),
      ]),
    ],
  }),
  'wide-and-anonymous': (scale) => ({
    types: [
      union(
        '',
        4,
        members(1000 * scale, () => INT),
      ),
      struct(
        'wide',
        4000 * scale,
        members(1000 * scale, () => 2, false),
      ),
    ],
  }),
  'anonymous-tree': (scale) => ({
    types: [
      struct(
        '',
        8,
        members(2, () => INT, false),
      ),
      ...times(40 * scale, (i) =>
        struct(
          '',
          8,
          members(2, () => 2 + i, false),
        ),
      ),
    ],
  }),
  'array-of-arrays': (scale) => ({
    types: [
      ...times(60 * scale, (i) => array(1 + i, INT, 1)),
      struct(
        's',
        400 * scale,
        members(100 * scale, () => 1 + 60 * scale),
      ),
    ],
  }),
  'chain-of-elements': (scale) => ({
    types: [
      ...times(500 * scale, (i) =>
        i % 2 === 0 ? typedef('t', 1 + i) : modifier('volatile', 1 + i),
      ),
      array(1 + 500 * scale, INT, 500 * scale),
    ],
    dataBytes: 2000 * scale,
  }),
  'one-name': (scale) => ({
    types: times(300 * scale, (i) => [
      struct('s', 8, [{ name: 'n', type: i === 0 ? INT : 2 * i + 1, bitOffset: 0 }]),
      ptr(2 * i + 2),
    ]).flat(),
    root: 600 * scale,
    records: 200 * scale,
    accessStr: '0:0',
  }),
  'access-digits': (scale) => ({
    types: [
      struct(
        's',
        8,
        members(2, () => INT),
      ),
    ],
    accessStr: `0:${'1'.repeat(300_000)}`,
    records: 200 * scale,
  }),
  'functions-in-a-struct': (scale) => ({
    types: [
      funcProto(
        INT,
        times(200, (i) => [`a${i}`, INT] as const),
      ),
      ptr(2),
      struct(
        'ops',
        4000 * scale,
        members(1000 * scale, () => 3),
      ),
    ],
  }),
  'chain-of-prototypes': (scale) => ({
    types: times(3000 * scale, (i) => funcProto(1 + i, [['a', 1 + i]])),
  }),
  'long-name': (scale) => ({
    types: times(200 * scale, () =>
      struct('q'.repeat(50_000), 8, [{ name: 'q'.repeat(50_000), type: INT, bitOffset: 0 }]),
    ),
  }),
};

/** Returns one file for each family. */
export function attackFiles(scale = 1): AttackFile[] {
  return Object.entries(FAMILIES).map(([name, family]) => ({
    name: `${name}.o`,
    buffer: objectOf(family(scale)),
  }));
}

const WRITE_ALLOC = 3;
const ALLOC_EXEC = 6;
const OBJECT = 1;
const FUNC = 2;

/**
 * Returns an object with one program, one variable, and CO-RE records of all kinds for the family's
 * root type.
 */
export function objectOf(family: Family): Uint8Array<ArrayBuffer> {
  const { types, accessStr = '0:0', records = 10, dataBytes = 64 } = family;
  const root = family.root ?? 1 + types.length;
  const next = 2 + types.length;
  const blob = btfBlob({
    types: [
      int('int', 4),
      ...types,
      typedef('top', root),
      struct('outer', 8, [{ name: 'a', type: root, bitOffset: 0 }]),
      variable('v', root),
      datasec('.data', dataBytes, [[next + 2, 0, dataBytes]]),
      funcProto(INT),
      func('prog', next + 4),
    ],
    strings: [accessStr, 'socket'],
  });
  const code = times(records, () => hex('b7 00 00 00 00 00 00 00'));
  const insns = assemble('little', ...code, hex('95 00 00 00 00 00 00 00')).bytes;
  return elfObject({
    sections: [
      { name: 'socket', flags: ALLOC_EXEC, data: insns },
      { name: '.data', flags: WRITE_ALLOC, data: new Uint8Array(dataBytes).fill(1) },
      { name: 'license', flags: WRITE_ALLOC, data: new TextEncoder().encode('GPL\0') },
      { name: '.BTF', data: blob.bytes },
      { name: '.BTF.ext', data: extOf(blob, { root, prog: next + 5, accessStr, records }) },
    ],
    symbols: [
      { name: 'prog', size: insns.length, type: FUNC, shndx: 'socket' },
      { name: 'v', size: dataBytes, type: OBJECT, shndx: '.data' },
    ],
  }).bytes;
}

type Ext = Readonly<Record<'root' | 'prog' | 'records', number>> & { readonly accessStr: string };

/** Returns a `.BTF.ext` with one function, and CO-RE records of all kinds for the root type. */
function extOf(blob: BtfBlob, { root, prog, accessStr, records }: Ext): Uint8Array {
  const section = u32(blob.stringOff('socket'));
  return assemble(
    'little',
    ...[u16(0xeb9f), u8(1), u8(0), u32(32)],
    ...[u32(0), u32(distance('funcs', 'core'))],
    ...[u32(distance('funcs', 'core')), u32(0)],
    ...[u32(distance('funcs', 'core')), u32(distance('core', 'end'))],
    label('funcs'),
    ...[u32(8), section, u32(1), u32(0), u32(prog)],
    label('core'),
    ...[u32(16), section, u32(records)],
    ...times(records, (i) => [
      u32(8 * i),
      u32(root),
      u32(blob.stringOff(accessStr)),
      u32(i % 13),
    ]).flat(),
    label('end'),
  ).bytes;
}
