// Makes split BTF with a distilled base, as `resolve_btfids --distill_base` does for modules.
// `.BTF.base` has only kind, name and size of the types that the module needs. Types without a
// name, typedefs, pointers, modifiers, arrays and prototypes are copied to the end of the module's
// types. The rules are those of btf__distill_base in libbpf; bpftool 7.1 and pahole 1.24 lack it.
//
// As a command: node distill.mjs SPLIT BASE SPLIT_OUT BASE_OUT
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import {
  BTF_MAGIC,
  BtfStrings,
  btfBlob,
  HEADER_LENGTH,
  infoOf,
  KIND,
  kindOf,
  recordLength,
  TAIL_SIZES,
  TYPE_LENGTH,
} from '../btf-blob.mjs';

const ITEM = { names: [0], ids: [4] };
/** Offsets of words with ids and with names after a record's first 12 bytes, by kind. */
const TAIL_FIELDS = {
  [KIND.ARRAY]: { fixedIds: [0, 4] },
  [KIND.STRUCT]: ITEM,
  [KIND.UNION]: ITEM,
  [KIND.ENUM]: { names: [0] },
  [KIND.FUNC_PROTO]: ITEM,
  [KIND.DATASEC]: { ids: [0] },
  [KIND.ENUM64]: { names: [0] },
};
/** Kinds whose third word is a type id instead of a size. */
const REFERRING = new Set([
  KIND.PTR,
  KIND.TYPEDEF,
  KIND.VOLATILE,
  KIND.CONST,
  KIND.RESTRICT,
  KIND.FUNC,
  KIND.FUNC_PROTO,
  KIND.VAR,
  KIND.DECL_TAG,
  KIND.TYPE_TAG,
]);
/** Kinds whose named types go into the distilled base. */
const DISTILLED = new Set([
  KIND.INT,
  KIND.STRUCT,
  KIND.UNION,
  KIND.ENUM,
  KIND.FWD,
  KIND.FLOAT,
  KIND.ENUM64,
]);

/**
 * Returns types and strings of a little-endian blob. `firstId` and `strBase` are the ends of its
 * base's ids and strings.
 */
function readBlob(blob, firstId, strBase) {
  if (blob.readUInt16LE(0) !== BTF_MAGIC || blob.readUInt32LE(4) !== HEADER_LENGTH) {
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
    const length = recordLength(types.readUInt32LE(at + 4));
    records.push(types.subarray(at, at + length));
    at += length;
  }
  return { firstId, strBase, records, strings };
}

/** Returns the offsets of a record's words that are ids, and of those that are names. */
function fieldsOf(record) {
  const info = record.readUInt32LE(4);
  const kind = kindOf(info);
  const [fixed, item] = TAIL_SIZES[kind];
  const { fixedIds = [], names = [], ids = [] } = TAIL_FIELDS[kind] ?? {};
  const found = { ids: fixedIds.map((at) => TYPE_LENGTH + at), names: [0] };
  if (REFERRING.has(kind)) found.ids.push(8);
  for (let i = 0; i < (info & 0xffff); i++) {
    const start = TYPE_LENGTH + fixed + i * item;
    found.ids.push(...ids.map((at) => start + at));
    found.names.push(...names.map((at) => start + at));
  }
  return found;
}

/** Returns `{ split, base }`: a distilled base, and the split BTF that refers to it. */
function distill(splitBlob, baseBlob) {
  const base = readBlob(baseBlob, 1, 0);
  const split = readBlob(splitBlob, base.records.length + 1, base.strings.length);
  const recordOf = (id) => base.records[id - 1];
  const nameAt = (offset) => textAt(split, base, offset);
  const isShell = (record) =>
    DISTILLED.has(kindOf(record.readUInt32LE(4))) && nameAt(record.readUInt32LE(0)) !== '';

  // Collects the needed types of the base. Types reduced to a name are not followed.
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

  const baseStrings = new BtfStrings();
  const baseOut = shells.map((id) => shellOf(recordOf(id), baseStrings, nameAt));
  const splitStrings = new BtfStrings(baseStrings);
  const splitOut = [...split.records, ...copied.map(recordOf)].map((record) => {
    const out = Buffer.from(record);
    const { ids, names } = fieldsOf(record);
    for (const at of ids) out.writeUInt32LE(newId.get(record.readUInt32LE(at)), at);
    for (const at of names) {
      out.writeUInt32LE(splitStrings.offset(nameAt(record.readUInt32LE(at))), at);
    }
    return out;
  });
  return {
    split: btfBlob({ types: splitOut, strings: splitStrings.bytes }),
    base: btfBlob({ types: baseOut, strings: baseStrings.bytes }),
  };
}

function idsIn(record) {
  return fieldsOf(record).ids.map((at) => record.readUInt32LE(at));
}

/** Returns a record with only name and size. An ENUM64 becomes an ENUM of 8 bytes. */
function shellOf(record, strings, nameAt) {
  const kind = kindOf(record.readUInt32LE(4));
  const name = strings.offset(nameAt(record.readUInt32LE(0)));
  const isWhole = kind === KIND.INT || kind === KIND.FLOAT || kind === KIND.FWD;
  const out = Buffer.from(isWhole ? record : record.subarray(0, TYPE_LENGTH));
  out.writeUInt32LE(name, 0);
  if (!isWhole) out.writeUInt32LE(infoOf(kind === KIND.ENUM64 ? KIND.ENUM : kind), 4);
  return out;
}

function textAt(split, base, offset) {
  const { strings, strBase } = offset < split.strBase ? base : split;
  const start = offset - strBase;
  return strings.subarray(start, strings.indexOf(0, start)).toString('utf8');
}

/** Returns the number of types in a little-endian blob, without those of its base. */
export function countTypes(blob) {
  return readBlob(blob, 1, 0).records.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , splitFile, baseFile, splitOut, baseOut] = process.argv;
  const { split, base } = distill(readFileSync(splitFile), readFileSync(baseFile));
  writeFileSync(splitOut, split);
  writeFileSync(baseOut, base);
}
