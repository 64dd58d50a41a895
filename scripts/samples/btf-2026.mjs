// Makes BTF in the encoding of 2026, which bpftool 7.1 and pahole 1.24 cannot write. It has a
// header of 32 bytes, a layout section with the record size of each kind, kinds 20 to 22 for an
// inlined function, and a type of an unknown kind, which readers skip by the layout section. The
// input is a little-endian blob of kinds 1 to 19 with a header of 24 bytes.
//
// As a command: node btf-2026.mjs IN OUT
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  BTF_MAGIC,
  BtfStrings,
  btfBlob,
  HEADER_LENGTH,
  infoOf,
  KIND,
  LONG_HEADER_LENGTH,
  TAIL_SIZES,
  TYPE_LENGTH,
} from '../btf-blob.mjs';

const LOC_PARAM = 20;
const LOC_PROTO = 21;
const LOCSEC = 22;
/** The first kind number that BTF does not use yet. */
const FUTURE_KIND = 23;

/** Layout section: bytes after `struct btf_type`, per record and per item, by kind. */
const LAYOUT = [...TAIL_SIZES];
LAYOUT[LOC_PARAM] = [4, 4];
LAYOUT[LOC_PROTO] = [0, 4];
LAYOUT[LOCSEC] = [0, 12];
// Made up for the sample: 8 bytes per record and 4 per item.
LAYOUT[FUTURE_KIND] = [8, 4];

const Loc = { SIGNED: 1, CONST: 2, REG: 8, DEREF: 0x10, OFFSET: 0x20 };
const FRAME_BASE = 0xffffffff;
/** Function that is inlined twice, as if into x86-64 code. DWARF numbers: rdi is 5, rsi is 4. */
const INLINED = 'add';
const LOCATIONS = [
  { size: 8, flags: Loc.REG, values: [5] },
  {
    size: 8,
    flags: Loc.REG | Loc.DEREF | Loc.OFFSET | Loc.SIGNED,
    values: [FRAME_BASE, -0x20 >>> 0],
  },
  { size: 4, flags: Loc.CONST | Loc.SIGNED, values: [-1 >>> 0] },
];
/** Inlined sites: offset in .text; per parameter an index into LOCATIONS, null if unknown. */
const SITES = [
  { offset: 0x40, params: [0, 1] },
  { offset: 0x90, params: [2, null] },
];

/**
 * Returns the blob `old` in the new encoding, with the locations, the future type and a pointer to
 * it added.
 */
function encodeBtf2026(old) {
  if (old.readUInt16LE(0) !== BTF_MAGIC || old.readUInt32LE(4) !== HEADER_LENGTH) {
    throw new Error('not a little-endian BTF blob with a 24-byte header');
  }
  const part = (at) => {
    const start = HEADER_LENGTH + old.readUInt32LE(at);
    return old.subarray(start, start + old.readUInt32LE(at + 4));
  };
  const oldTypes = part(8);
  const oldStrings = part(16);
  const added = new BtfStrings(oldStrings.length);
  const firstLocation = countTypes(oldTypes, LAYOUT) + 1;
  const firstProto = firstLocation + LOCATIONS.length;
  const futureId = firstProto + SITES.length + 1;
  const func = idOfFunction(oldTypes, oldStrings, INLINED);
  const types = [
    oldTypes,
    ...LOCATIONS.map(({ size, flags, values }) =>
      record(0, LOC_PARAM, values.length, size, [flags, ...values]),
    ),
    ...SITES.map(({ params }) => {
      const ids = params.map((index) => (index === null ? 0 : firstLocation + index));
      return record(0, LOC_PROTO, ids.length, 0, ids);
    }),
    record(
      added.offset('inline.text'),
      LOCSEC,
      SITES.length,
      0,
      SITES.flatMap(({ offset }, i) => [func, firstProto + i, offset]),
    ),
    futureType(added.offset('from_the_future')),
    record(0, KIND.PTR, 0, futureId, []),
  ];
  const strings = Buffer.concat([oldStrings, added.bytes]);
  return btfBlob({ types, strings, layout: LAYOUT });
}

/** Returns the number of types in a blob of the new encoding, using only its layout section. */
export function countTypes2026(blob) {
  const at = LONG_HEADER_LENGTH + blob.readUInt32LE(24);
  const layout = [];
  for (let i = 0; i < blob.readUInt32LE(28); i += 4) {
    layout.push([blob[at + i], blob[at + i + 1]]);
  }
  const start = LONG_HEADER_LENGTH + blob.readUInt32LE(8);
  return countTypes(blob.subarray(start, start + blob.readUInt32LE(12)), layout);
}

const countTypes = (types, layout) => [...recordsOf(types, layout)].length;

/** Yields offset and kind of each record, using only the layout. */
function* recordsOf(types, layout) {
  let at = 0;
  for (let id = 1; at < types.length; id++) {
    const info = types.readUInt32LE(at + 4);
    const kind = (info >>> 24) & 0x7f;
    const rule = layout[kind];
    if (!rule) throw new Error(`type ${id} has kind ${kind}, which the layout lacks`);
    yield { at, kind };
    at += TYPE_LENGTH + rule[0] + (info & 0xffffff) * rule[1];
    if (at > types.length) throw new Error(`type ${id} runs past the end`);
  }
}

/** Returns a record of the future kind with two items. */
function futureType(nameOff) {
  const [info, elem] = LAYOUT[FUTURE_KIND];
  const vlen = 2;
  return record(nameOff, FUTURE_KIND, vlen, 0, Array((info + vlen * elem) / 4).fill(0xaaaaaaaa));
}

/** Returns a record: `struct btf_type` and then the 32-bit `words`. */
function record(nameOff, kind, vlen, sizeOrType, words) {
  return [nameOff, infoOf(kind, vlen), sizeOrType, ...words];
}

function idOfFunction(types, strings, name) {
  let id = 1;
  for (const { at, kind } of recordsOf(types, LAYOUT)) {
    const nameOff = types.readUInt32LE(at);
    const found = strings.toString('latin1', nameOff, strings.indexOf(0, nameOff));
    if (kind === KIND.FUNC && found === name) return id;
    id++;
  }
  throw new Error(`no function ${name}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , from, to] = process.argv;
  writeFileSync(to, encodeBtf2026(readFileSync(from)));
}
