// BTF in the encoding of 2026, which bpftool 7.1 and pahole 1.24 cannot write:
// a header of 32 bytes, a layout section that says how long each kind's record is,
// the kinds of inlined functions (20 to 22) for a function of the sample,
// and one type of an unknown kind, to be stepped over by that layout.
// In: a little-endian blob of kinds 1 to 19 with the 24-byte header.
//
// As a command: node btf-2026.mjs IN OUT
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAGIC = 0xeb9f;
const OLD_HEADER_LENGTH = 24;
const NEW_HEADER_LENGTH = 32;
const TYPE_LENGTH = 12;
/** The first number that is not a kind yet. */
const FUTURE_KIND = 23;

/** Bytes after the 12 common ones, by kind: once a record, and once a member (vlen). */
const LAYOUT = [
  { kind: 'VOID', info: 0, elem: 0 },
  { kind: 'INT', info: 4, elem: 0 },
  { kind: 'PTR', info: 0, elem: 0 },
  { kind: 'ARRAY', info: 12, elem: 0 },
  { kind: 'STRUCT', info: 0, elem: 12 },
  { kind: 'UNION', info: 0, elem: 12 },
  { kind: 'ENUM', info: 0, elem: 8 },
  { kind: 'FWD', info: 0, elem: 0 },
  { kind: 'TYPEDEF', info: 0, elem: 0 },
  { kind: 'VOLATILE', info: 0, elem: 0 },
  { kind: 'CONST', info: 0, elem: 0 },
  { kind: 'RESTRICT', info: 0, elem: 0 },
  { kind: 'FUNC', info: 0, elem: 0 },
  { kind: 'FUNC_PROTO', info: 0, elem: 8 },
  { kind: 'VAR', info: 4, elem: 0 },
  { kind: 'DATASEC', info: 0, elem: 12 },
  { kind: 'FLOAT', info: 0, elem: 0 },
  { kind: 'DECL_TAG', info: 4, elem: 0 },
  { kind: 'TYPE_TAG', info: 0, elem: 0 },
  { kind: 'ENUM64', info: 0, elem: 12 },
  { kind: 'LOC_PARAM', info: 4, elem: 4 },
  { kind: 'LOC_PROTO', info: 0, elem: 4 },
  { kind: 'LOCSEC', info: 0, elem: 12 },
  // Made up for the sample: 8 bytes a record and 4 a member.
  { kind: 'FUTURE', info: 8, elem: 4 },
];

const Kind = { PTR: 2, FUNC: 12, LOC_PARAM: 20, LOC_PROTO: 21, LOCSEC: 22 };
const Loc = { SIGNED: 1, CONST: 2, REG: 8, DEREF: 0x10, OFFSET: 0x20 };
const FRAME_BASE = 0xffffffff;
/** The function that was inlined twice, as if into .text of x86-64: DWARF numbers rdi 5 and rsi 4. */
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
/** For each site its offset in .text, and which of LOCATIONS each parameter is at; null: not known. */
const SITES = [
  { offset: 0x40, params: [0, 1] },
  { offset: 0x90, params: [2, null] },
];

/** The blob of `old` (a Buffer) in the new encoding, with the locations, the future type and a pointer to it behind. */
function encodeBtf2026(old) {
  if (old.readUInt16LE(0) !== MAGIC || old.readUInt32LE(4) !== OLD_HEADER_LENGTH) {
    throw new Error('not a little-endian BTF blob with a 24-byte header');
  }
  const part = (at) => {
    const start = OLD_HEADER_LENGTH + old.readUInt32LE(at);
    return old.subarray(start, start + old.readUInt32LE(at + 4));
  };
  const oldTypes = part(8);
  const oldStrings = part(16);
  let strings = oldStrings;
  const nameOff = (name) => {
    const at = strings.length;
    strings = Buffer.concat([strings, Buffer.from(`${name}\0`)]);
    return at;
  };
  const firstLocation = countTypes(oldTypes, LAYOUT) + 1;
  const firstProto = firstLocation + LOCATIONS.length;
  const futureId = firstProto + SITES.length + 1;
  const func = idOfFunction(oldTypes, oldStrings, INLINED);
  const types = Buffer.concat([
    oldTypes,
    ...LOCATIONS.map(({ size, flags, values }) =>
      record(0, Kind.LOC_PARAM, values.length, size, [flags, ...values]),
    ),
    ...SITES.map(({ params }) => {
      const ids = params.map((index) => (index === null ? 0 : firstLocation + index));
      return record(0, Kind.LOC_PROTO, ids.length, 0, ids);
    }),
    record(
      nameOff('inline.text'),
      Kind.LOCSEC,
      SITES.length,
      0,
      SITES.flatMap(({ offset }, i) => [func, firstProto + i, offset]),
    ),
    futureType(nameOff('from_the_future')),
    record(0, Kind.PTR, 0, futureId, []),
  ]);
  const layout = Buffer.from(LAYOUT.flatMap(({ info, elem }) => [info, elem, 0, 0]));

  const header = Buffer.alloc(NEW_HEADER_LENGTH);
  header.writeUInt16LE(MAGIC, 0);
  header.writeUInt8(1, 2);
  header.writeUInt32LE(NEW_HEADER_LENGTH, 4);
  header.writeUInt32LE(0, 8);
  header.writeUInt32LE(types.length, 12);
  header.writeUInt32LE(types.length + layout.length, 16);
  header.writeUInt32LE(strings.length, 20);
  header.writeUInt32LE(types.length, 24);
  header.writeUInt32LE(layout.length, 28);
  return Buffer.concat([header, types, layout, strings]);
}

/** How many types a blob in the new encoding has, by its own layout section alone. */
export function countTypes2026(blob) {
  const at = NEW_HEADER_LENGTH + blob.readUInt32LE(24);
  const layout = [];
  for (let i = 0; i < blob.readUInt32LE(28); i += 4) {
    layout.push({ info: blob[at + i], elem: blob[at + i + 1] });
  }
  const start = NEW_HEADER_LENGTH + blob.readUInt32LE(8);
  return countTypes(blob.subarray(start, start + blob.readUInt32LE(12)), layout);
}

const countTypes = (types, layout) => [...recordsOf(types, layout)].length;

/** Offset and kind of each record, by the layout. */
function* recordsOf(types, layout) {
  let at = 0;
  for (let id = 1; at < types.length; id++) {
    const info = types.readUInt32LE(at + 4);
    const kind = (info >>> 24) & 0x7f;
    const rule = layout[kind];
    if (!rule) throw new Error(`type ${id} has kind ${kind}, which the layout lacks`);
    yield { at, kind };
    at += TYPE_LENGTH + rule.info + (info & 0xffffff) * rule.elem;
    if (at > types.length) throw new Error(`type ${id} runs past the end`);
  }
}

/** A record of the future kind with two members; the contents mean nothing. */
function futureType(nameOff) {
  const { info, elem } = LAYOUT[FUTURE_KIND];
  const vlen = 2;
  return record(nameOff, FUTURE_KIND, vlen, 0, Array((info + vlen * elem) / 4).fill(0xaaaaaaaa));
}

/** A record: `struct btf_type`, then `words` of 32 bits. */
function record(nameOff, kind, vlen, sizeOrType, words) {
  const all = [nameOff, kind * 0x1000000 + vlen, sizeOrType, ...words];
  const bytes = Buffer.alloc(4 * all.length);
  for (const [i, word] of all.entries()) bytes.writeUInt32LE(word, 4 * i);
  return bytes;
}

function idOfFunction(types, strings, name) {
  let id = 1;
  for (const { at, kind } of recordsOf(types, LAYOUT)) {
    const nameOff = types.readUInt32LE(at);
    const found = strings.toString('latin1', nameOff, strings.indexOf(0, nameOff));
    if (kind === Kind.FUNC && found === name) return id;
    id++;
  }
  throw new Error(`no function ${name}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , from, to] = process.argv;
  writeFileSync(to, encodeBtf2026(readFileSync(from)));
}
