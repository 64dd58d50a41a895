// Split BTF with a distilled base, as `resolve_btfids --distill_base` makes it for a
// module: of each type of the base that is needed only kind, name and size go into
// `.BTF.base`; what has no name, or is a typedef, a pointer, a modifier, an array or
// a prototype, is copied behind the module's own types. The rules are those of
// libbpf's btf__distill_base; bpftool 7.1 and pahole 1.24 do not have it yet.
//
// As a command: node distill.mjs SPLIT BASE SPLIT_OUT BASE_OUT
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const HEADER_LENGTH = 24;
const MAGIC = 0xeb9f;

const INT = 1;
const ARRAY = 3;
const STRUCT = 4;
const UNION = 5;
const ENUM = 6;
const FWD = 7;
const FUNC_PROTO = 13;
const DATASEC = 15;
const FLOAT = 16;
const ENUM64 = 19;

/** Bytes behind the 12 common ones: once, and for each of vlen; which words of them are ids and names. */
const TAILS = {
  [INT]: { fixed: 4, item: 0 },
  [ARRAY]: { fixed: 12, item: 0, fixedIds: [0, 4] },
  [STRUCT]: { fixed: 0, item: 12, names: [0], ids: [4] },
  [UNION]: { fixed: 0, item: 12, names: [0], ids: [4] },
  [ENUM]: { fixed: 0, item: 8, names: [0] },
  [FUNC_PROTO]: { fixed: 0, item: 8, names: [0], ids: [4] },
  14: { fixed: 4, item: 0 },
  [DATASEC]: { fixed: 0, item: 12, ids: [0] },
  17: { fixed: 4, item: 0 },
  [ENUM64]: { fixed: 0, item: 12, names: [0] },
};
/** Kinds whose third word is a type id. */
const REFERRING = new Set([2, 8, 9, 10, 11, 12, FUNC_PROTO, 14, 17, 18]);
/** Kinds that go into the distilled base when they have a name. */
const DISTILLED = new Set([INT, STRUCT, UNION, ENUM, FWD, FLOAT, ENUM64]);

/** The types and strings of a little-endian blob that counts on from `firstId` and `strBase`. */
function readBlob(blob, firstId, strBase) {
  if (blob.readUInt16LE(0) !== MAGIC || blob.readUInt32LE(4) !== HEADER_LENGTH) {
    throw new Error('not a little-endian BTF blob with a 24-byte header');
  }
  const part = (at) => {
    const start = HEADER_LENGTH + blob.readUInt32LE(at);
    return blob.subarray(start, start + blob.readUInt32LE(at + 4));
  };
  const types = part(8);
  const strings = part(16);
  const records = [];
  for (let at = 0; at < types.length; ) {
    const length = lengthOf(types, at);
    records.push(types.subarray(at, at + length));
    at += length;
  }
  return { firstId, strBase, records, strings };
}

function lengthOf(types, at) {
  const { fixed, item } = tailOf(types.readUInt32LE(at + 4));
  return 12 + fixed + item * (types.readUInt32LE(at + 4) & 0xffff);
}

const kindOf = (info) => (info >>> 24) & 0x1f;

function tailOf(info) {
  return TAILS[kindOf(info)] ?? { fixed: 0, item: 0 };
}

/** Offsets in a record of the words that are ids and of those that are names. */
function fieldsOf(record) {
  const info = record.readUInt32LE(4);
  const { fixed, item, fixedIds = [], names = [], ids = [] } = tailOf(info);
  const found = { ids: fixedIds.map((at) => 12 + at), names: [0] };
  if (REFERRING.has(kindOf(info))) found.ids.push(8);
  for (let i = 0; i < (info & 0xffff); i++) {
    const start = 12 + fixed + i * item;
    found.ids.push(...ids.map((at) => start + at));
    found.names.push(...names.map((at) => start + at));
  }
  return found;
}

/** `split` (a Buffer) on `base` (a Buffer) as `{ split, base }`: the same on a distilled base. */
function distill(splitBlob, baseBlob) {
  const base = readBlob(baseBlob, 1, 0);
  const split = readBlob(splitBlob, base.records.length + 1, base.strings.length);
  const recordOf = (id) => base.records[id - 1];
  const nameAt = (offset) => textAt(split, base, offset);
  const isShell = (record) =>
    DISTILLED.has(kindOf(record.readUInt32LE(4))) && nameAt(record.readUInt32LE(0)) !== '';

  // What is needed of the base: types without members are not followed.
  const needed = new Set();
  const queue = split.records.flatMap((record) => idsIn(record));
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (id === 0 || id >= split.firstId || needed.has(id)) continue;
    needed.add(id);
    if (!isShell(recordOf(id))) queue.push(...idsIn(recordOf(id)));
  }
  const ordered = [...needed].sort((a, b) => a - b);
  const shells = ordered.filter((id) => isShell(recordOf(id)));
  const copied = ordered.filter((id) => !isShell(recordOf(id)));

  const newId = new Map([[0, 0]]);
  const own = split.records.map((_record, i) => split.firstId + i);
  for (const [i, id] of [...shells, ...own, ...copied].entries()) newId.set(id, i + 1);

  const baseStrings = new Strings(0);
  const baseOut = shells.map((id) => shellOf(recordOf(id), baseStrings, nameAt));
  const splitStrings = new Strings(baseStrings.length, baseStrings);
  const splitOut = [...split.records, ...copied.map(recordOf)].map((record) => {
    const out = Buffer.from(record);
    const { ids, names } = fieldsOf(record);
    for (const at of ids) out.writeUInt32LE(newId.get(record.readUInt32LE(at)), at);
    for (const at of names) {
      out.writeUInt32LE(splitStrings.offsetOf(nameAt(record.readUInt32LE(at))), at);
    }
    return out;
  });
  return { split: blobOf(splitOut, splitStrings), base: blobOf(baseOut, baseStrings) };
}

function idsIn(record) {
  return fieldsOf(record).ids.map((at) => record.readUInt32LE(at));
}

/** A type with its name and size alone. An ENUM64 becomes an ENUM of 8 bytes. */
function shellOf(record, strings, nameAt) {
  const kind = kindOf(record.readUInt32LE(4));
  const name = strings.offsetOf(nameAt(record.readUInt32LE(0)));
  const isWhole = kind === INT || kind === FLOAT || kind === FWD;
  const out = Buffer.from(isWhole ? record : record.subarray(0, 12));
  out.writeUInt32LE(name, 0);
  if (!isWhole) out.writeUInt32LE((kind === ENUM64 ? ENUM : kind) * 0x1000000, 4);
  return out;
}

function textAt(split, base, offset) {
  const { strings, strBase } = offset < split.strBase ? base : split;
  const start = offset - strBase;
  return strings.subarray(start, strings.indexOf(0, start)).toString('utf8');
}

/** A string section that counts on from `first`; a string that `before` has is taken from there. */
class Strings {
  constructor(first, before = null) {
    this.first = first;
    this.before = before;
    this.bytes = before === null ? [Buffer.from([0])] : [];
    this.offsets = new Map(before === null ? [['', 0]] : []);
    this.end = first + (before === null ? 1 : 0);
  }

  get length() {
    return this.end - this.first;
  }

  offsetOf(text) {
    const known = this.before?.offsets.get(text) ?? this.offsets.get(text);
    if (known !== undefined) return known;
    const bytes = Buffer.from(`${text}\0`);
    const offset = this.end;
    this.bytes.push(bytes);
    this.offsets.set(text, offset);
    this.end += bytes.length;
    return offset;
  }
}

function blobOf(records, strings) {
  const types = Buffer.concat(records);
  const header = Buffer.alloc(HEADER_LENGTH);
  header.writeUInt16LE(MAGIC, 0);
  header.writeUInt8(1, 2);
  header.writeUInt32LE(HEADER_LENGTH, 4);
  header.writeUInt32LE(0, 8);
  header.writeUInt32LE(types.length, 12);
  header.writeUInt32LE(types.length, 16);
  header.writeUInt32LE(strings.length, 20);
  return Buffer.concat([header, types, ...strings.bytes]);
}

/** How many own types a little-endian blob with the 24-byte header has. */
export function countTypes(blob) {
  return readBlob(blob, 1, 0).records.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , splitFile, baseFile, splitOut, baseOut] = process.argv;
  const { split, base } = distill(readFileSync(splitFile), readFileSync(baseFile));
  writeFileSync(splitOut, split);
  writeFileSync(baseOut, base);
}
