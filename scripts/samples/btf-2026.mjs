// BTF in the encoding of 2026, which bpftool 7.1 and pahole 1.24 cannot write:
// a header of 32 bytes, a layout section that says how long each kind's record is,
// and one type of a kind that nobody knows yet, to be stepped over by that layout.
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

/** The blob of `old` (a Buffer) in the new encoding, with the future type and a pointer to it behind. */
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
  const futureId = countTypes(oldTypes, LAYOUT) + 1;
  const types = Buffer.concat([oldTypes, futureType(oldStrings.length), pointerTo(futureId)]);
  const layout = Buffer.from(LAYOUT.flatMap(({ info, elem }) => [info, elem, 0, 0]));
  const strings = Buffer.concat([oldStrings, Buffer.from('from_the_future\0')]);

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

function countTypes(types, layout) {
  let count = 0;
  for (let at = 0; at < types.length; count++) {
    const info = types.readUInt32LE(at + 4);
    const kind = (info >>> 24) & 0x7f;
    const rule = layout[kind];
    if (!rule) throw new Error(`type ${count + 1} has kind ${kind}, which the layout lacks`);
    at += TYPE_LENGTH + rule.info + (info & 0xffffff) * rule.elem;
    if (at > types.length) throw new Error(`type ${count + 1} runs past the end`);
  }
  return count;
}

/** A record of the future kind with two members; the contents mean nothing. */
function futureType(nameOff) {
  const { info, elem } = LAYOUT[FUTURE_KIND];
  const vlen = 2;
  const record = Buffer.alloc(TYPE_LENGTH + info + vlen * elem, 0xaa);
  record.writeUInt32LE(nameOff, 0);
  record.writeUInt32LE(FUTURE_KIND * 0x1000000 + vlen, 4);
  record.writeUInt32LE(0, 8);
  return record;
}

function pointerTo(typeId) {
  const record = Buffer.alloc(TYPE_LENGTH);
  record.writeUInt32LE(2 * 0x1000000, 4);
  record.writeUInt32LE(typeId, 8);
  return record;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , from, to] = process.argv;
  writeFileSync(to, encodeBtf2026(readFileSync(from)));
}
