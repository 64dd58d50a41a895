// Makes random BTF blobs: types of every kind, and changes of a few words in other blobs.
import { HEADER_LENGTH, kindOf, recordLength, TAIL_SIZES, TYPE_LENGTH } from '../btf-blob.mjs';
import { blobOf, Dice } from './blob.mjs';

/** `TAIL_SIZES` of the kinds 20 to 22, which bpf-next has. */
const NEXT_SIZES = [
  [4, 4],
  [0, 4],
  [0, 12],
];
/** First kind of which only a layout section gives the size. */
const FIRST_NEW = TAIL_SIZES.length + NEXT_SIZES.length;

const u32 = (bytes, at) => bytes.readUInt32LE(at);

/**
 * Returns maps of all types that can have special fields, with the blob's structs and sections as
 * values.
 */
export function mapsOf(bytes) {
  const starts = recordStarts(bytes);
  const kinds = starts.slice(0, -1).map((at) => kindOf(u32(bytes, at + 4)));
  // A signed INT of 4 bytes as key; in these blobs every INT of 4 bytes is signed.
  const key = kinds.findIndex((kind, i) => kind === 1 && u32(bytes, starts[i] + 8) === 4) + 1;
  return kinds.flatMap((kind, i) => {
    const value = { value: i + 1, size: u32(bytes, starts[i] + 8) };
    if (value.size === 0 || value.size > 1024) return [];
    if (kind === 15) return [0, 0x80].map((flags) => ({ type: 2, flags, key: 0, ...value }));
    if (kind !== 4) return [];
    return [1, 2, 5, 6, 9, 10, 24, 28, 29, 32].map((type) => ({ type, flags: 0, key, ...value }));
  });
}

/**
 * Returns the offset of each record in a little-endian blob, and the end of the last record. Works
 * for invalid blobs, too.
 */
function recordStarts(bytes) {
  const end = HEADER_LENGTH + u32(bytes, 12);
  const starts = [];
  let at = HEADER_LENGTH;
  while (at + TYPE_LENGTH <= Math.min(end, bytes.length)) {
    starts.push(at);
    at += recordLength(u32(bytes, at + 4));
  }
  return [...starts, at];
}

/** Returns a copy of one of `seeds` with one to four changes. */
export function mutatedBlob(seed, seeds) {
  const dice = new Dice(seed);
  let bytes = Buffer.from(dice.of(seeds));
  const places = 1 + (dice.once(2) ? 0 : dice.below(4));
  for (let i = 0; i < places; i++) bytes = changed(dice, bytes);
  return bytes;
}

function changed(dice, bytes) {
  if (dice.once(40)) return changedHeader(dice, bytes);
  const starts = recordStarts(bytes);
  const count = starts.length - 1;
  if (count < 1) return bytes;
  const index = dice.below(count);
  const [start, end] = [starts[index], starts[index + 1]];
  if (start + 12 > bytes.length || end > bytes.length) return bytes;
  if (dice.once(12)) return swapped(dice, bytes, starts);
  const words = (end - start) / 4;
  const at = start + 4 * dice.below(Math.min(words, dice.once(3) ? words : 5));
  const old = u32(bytes, at);
  const stringLength = u32(bytes, 20);
  const value = dice.of([
    0,
    1,
    old + 1,
    old - 1,
    old + 8,
    old * 2,
    old ^ (1 << dice.below(32)),
    index + 1,
    1 + dice.below(count),
    1 + dice.below(count),
    1 + dice.below(count),
    1 + dice.below(count),
    count + dice.below(3),
    dice.below(stringLength + 4),
    0xffffffff,
    0x100000 + dice.below(2) - dice.below(2),
    (dice.below(20) << 24) | (old & 0x8000ffff),
    dice.below(2 ** 32),
  ]);
  bytes.writeUInt32LE(value >>> 0, at);
  return bytes;
}

function changedHeader(dice, bytes) {
  const at = dice.of([0, 2, 3, 4, 8, 12, 16, 20]);
  const old = u32(bytes, dice.of([12, 16, 20]));
  if (at < 4) bytes[at] ^= 1 << dice.below(8);
  else
    bytes.writeUInt32LE(
      dice.of([0, 1, 4, 24, 28, old, old + 4, old - 4, 2 ** 31, 2 ** 32 - 4]) >>> 0,
      at,
    );
  return bytes;
}

/** Swaps two neighbouring records, so that their ids refer to the other one. */
function swapped(dice, bytes, starts) {
  if (starts.length < 3) return bytes;
  const i = dice.below(starts.length - 2);
  const [a, b, c] = starts.slice(i, i + 3);
  return Buffer.concat([
    bytes.subarray(0, a),
    bytes.subarray(b, c),
    bytes.subarray(a, b),
    bytes.subarray(c),
  ]);
}

const NAMED = [
  'typedef',
  'fwd',
  'struct',
  'union',
  'enum',
  'enum64',
  'int',
  'float',
  'var',
  'func',
];

/** Returns a blob with types of all kinds and random references, which no compiler writes. */
export function wildBlob(seed) {
  return blobOf(wildTypes(new Dice(seed)));
}

/**
 * Returns a blob with a layout section and types of kinds that have only a layout. Sizes, header and
 * words are sometimes wrong.
 */
export function layoutBlob(seed) {
  const dice = new Dice(seed);
  const types = wildTypes(dice);
  const layout = [...TAIL_SIZES, ...NEXT_SIZES].map((sizes) => [...sizes]);
  for (let kinds = dice.below(4); kinds > 0; kinds--) {
    layout.push([dice.of([0, 0, 4, 8, dice.below(16)]), dice.of([0, 0, 4, 12, dice.below(16)])]);
  }
  for (let count = dice.below(4); count > 0; count--) {
    const kind = FIRST_NEW + dice.below(dice.once(8) ? 9 : Math.max(1, layout.length - FIRST_NEW));
    const vlen = dice.below(3);
    const [info, elem] = layout[kind] ?? [0, 0];
    const tail = Array.from({ length: (info + vlen * elem) >>> 2 }, () => dice.below(9));
    const name = dice.once(2) ? '' : 'new';
    types.splice(dice.below(types.length + 1), 0, { kind, name, vlen, tail, size: dice.below(4) });
  }
  if (dice.once(6)) layout.length = dice.below(layout.length);
  if (dice.once(4)) layout[dice.below(layout.length)] = [dice.below(256), dice.below(256), 1];
  const isBig = dice.once(8);
  const bytes = blobOf(types, { isBig, layout: layout.length > 0 ? layout : null });
  for (let i = dice.below(3); i > 0 && !dice.once(3); i--) changeWord(dice, bytes, { isBig });
  return dice.once(20) ? bytes.subarray(0, 2 + dice.below(bytes.length - 2)) : bytes;
}

/** Returns split BTF for a base with so many types and bytes of strings. */
export function splitBlob(seed, base) {
  const dice = new Dice(seed);
  const types = wildTypes(dice);
  for (const type of types) {
    if (type.type !== undefined && dice.once(3)) type.type = dice.below(base.types + 2);
  }
  const isBig = dice.once(8);
  const bytes = blobOf(types, { isBig, base });
  for (let i = dice.below(3); i > 0 && !dice.once(3); i--) changeWord(dice, bytes, { isBig, base });
  return bytes;
}

/** Changes a word of a blob: of its header in one of four calls, else of its records. */
function changeWord(dice, bytes, { isBig, base = { types: 0, strings: 0 } }) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = view.getUint32(4, !isBig);
  // Names stay as they are: they are text, which each reader shows in its own way.
  const end = Math.min(header + view.getUint32(16, !isBig), bytes.length) >>> 2;
  const at = 4 * dice.below(dice.once(4) ? Math.min(header >>> 2, end) : end);
  if (at === 0) {
    bytes[2 + dice.below(2)] ^= 1 << dice.below(8);
    return;
  }
  const old = view.getUint32(at, !isBig);
  const value = dice.of([
    ...[0, 1, 4, old + 1, old - 1, old + 4, old - 4, old ^ (1 << dice.below(32))],
    ...[dice.below(base.types + 9), base.types + dice.below(9), dice.below(base.strings + 99)],
    ...[base.strings + dice.below(99), bytes.length, 2 ** 31, 2 ** 32 - 4, dice.below(2 ** 32)],
  ]);
  view.setUint32(at, value >>> 0, !isBig);
}

function wildTypes(dice) {
  const count = 2 + dice.below(24);
  const types = Array.from({ length: count }, () => ({
    kind: dice.of([
      ...['int', 'int', 'ptr', 'ptr', 'array', 'array', 'struct', 'struct', 'union', 'enum', 'fwd'],
      ...[
        'typedef',
        'volatile',
        'const',
        'restrict',
        'func',
        'func_proto',
        'var',
        'datasec',
        'float',
      ],
      ...['decl_tag', 'type_tag', 'enum64'],
    ]),
  }));
  for (const type of types) fill(dice, type, types);
  return types;
}

function fill(dice, type, types) {
  const { kind } = type;
  const of = (...kinds) => {
    const fit = types.filter((one) => kinds.includes(one.kind));
    return fit.length > 0 && !dice.once(12) ? dice.of(fit) : dice.of(types);
  };
  const any = () => (dice.once(25) ? dice.of([null, types.length + 1]) : dice.of(types));
  const sized = () =>
    of('int', 'ptr', 'struct', 'union', 'enum', 'float', 'enum64', 'array', 'typedef', 'const');
  if (NAMED.includes(kind))
    type.name = dice.once(40) ? dice.of(['', '9', 'a b']) : `n${dice.below(6)}`;
  switch (kind) {
    case 'int': {
      type.size = dice.of([1, 2, 4, 4, 8, 8, 16, 3]);
      const bits = dice.once(6) ? dice.below(type.size * 8 + 2) : type.size * 8;
      type.tail = [
        dice.of([0, 1, 2, 4, dice.below(8)]) * 2 ** 24 +
          (dice.once(10) ? 2 ** 16 * dice.below(9) : 0) +
          bits,
      ];
      break;
    }
    case 'array':
      type.tail = [sized(), of('int'), dice.of([0, 1, 2, 100, dice.below(2 ** 31)])];
      break;
    case 'struct':
    case 'union': {
      type.size = dice.of([4, 8, 16, 64, 4096, 0x7fffffff]);
      type.flag = dice.once(4);
      let at = 0;
      type.items = Array.from({ length: dice.below(5) }, (_, i) => {
        at += kind === 'union' ? 0 : dice.of([0, 32, 32, 64, 8, 1, 128]);
        const bits = type.flag && dice.once(2) ? dice.of([1, 7, 8, 32, 33, 64]) : 0;
        return [{ name: `m${i}` }, sized(), at + bits * 2 ** 24];
      });
      break;
    }
    case 'enum':
    case 'enum64':
      type.size = dice.of([1, 2, 4, 8, dice.below(17)]);
      type.items = [[{ name: 'E' }, 1, ...(kind === 'enum64' ? [0] : [])]];
      break;
    case 'func':
      type.vlen = dice.below(dice.once(20) ? 4 : 2);
      type.type = of('func_proto');
      break;
    case 'func_proto':
      type.type = dice.once(2) ? null : sized();
      type.items = Array.from({ length: dice.below(4) }, (_, i) => [
        { name: dice.once(20) ? '' : `a${i}` },
        dice.once(20) ? any() : sized(),
      ]);
      if (dice.once(6)) type.items.push([{ name: '' }, null]);
      break;
    case 'var':
      type.type = sized();
      type.tail = [dice.below(dice.once(20) ? 4 : 2)];
      break;
    case 'datasec': {
      type.name = dice.of(['.bss', '.data', '.rodata.x', '.ksyms']);
      let end = 0;
      type.items = Array.from({ length: dice.below(4) }, () => {
        const size = dice.of([1, 4, 8, 16, 64]);
        const item = [of('var'), end, size];
        end += size + dice.of([0, 0, 8]);
        return item;
      });
      type.size = end + dice.of([0, 0, 4]);
      break;
    }
    case 'float':
      type.size = dice.of([2, 4, 8, 12, 16, 6]);
      break;
    case 'decl_tag':
      type.name = dice.of(['t', 'contains:n1:m0', '']);
      type.type = of('struct', 'union', 'func', 'var', 'typedef');
      type.tail = [dice.of([-1, -1, 0, 1, 2, -2])];
      break;
    case 'type_tag':
      type.name = dice.of(['kptr', 'user', 'rcu', 'percpu_kptr', '']);
      type.flag = dice.once(6);
      type.type = any();
      break;
    case 'fwd':
      type.flag = dice.once(2);
      break;
    default:
      type.type = any();
  }
}
