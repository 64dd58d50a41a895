/**
 * Version 1 of the format of types in a link, before deflation. Ids are numbered in the order of
 * first use, offsets are gaps after the previous member, a name is stored where it is used.
 *
 * Each type writes its kind (kind_flag in bit 7) to `kinds`. A reference is 0 for void, 1 for the
 * next new id, else the id + 1. The size of a member's type follows libbpf's rules up to 2^32 bits,
 * through at most 32 modifiers and arrays; else the size is 0.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import type {
  BtfCompositeRecord,
  BtfDatasecRecord,
  BtfEnumRecord,
  BtfRecord,
} from '#formats/btf/write-records.ts';
import { isModifier } from '#model/type-table.ts';
import type { CarriedTypes } from './carried-records.ts';
import { broken, type Coder, ColumnReader, ColumnWriter } from './columns.ts';

const BIG_ENDIAN = 1;
const SHORT_POINTERS = 2;

/** Returns the types encoded as bytes of version 1. */
export function writeTypes(types: CarriedTypes): Uint8Array<ArrayBuffer> {
  const { endian, pointerSize, records, names } = types;
  const out = new ColumnWriter(names);
  const flags = (endian === 'big' ? BIG_ENDIAN : 0) + (pointerSize === 4 ? SHORT_POINTERS : 0);
  out.number('kinds', flags);
  const refs = new References(out);
  for (const record of records) {
    out.number('kinds', record.kind + (record.kindFlag === true ? 0x80 : 0));
    codeRecord(out, refs, record);
  }
  codeOffsets(out, records, pointerSize);
  return out.finish();
}

/** Returns the types that bytes of version 1 encode. Throws `Malformed` for invalid bytes. */
export function readTypes(bytes: Uint8Array): CarriedTypes {
  const input = new ColumnReader(bytes, 0);
  const flags = input.number('kinds');
  const pointerSize = (flags & SHORT_POINTERS) === 0 ? 8 : 4;
  const refs = new References(input);
  const read: BtfRecord[] = [];
  while (input.left('kinds') > 0) {
    const head = input.number('kinds');
    read.push(codeRecord(input, refs, blankRecord(head & 0x7f, head >= 0x80)));
  }
  if (refs.highest > read.length || read.length === 0) throw broken();
  return {
    endian: (flags & BIG_ENDIAN) === 0 ? 'little' : 'big',
    pointerSize,
    records: codeOffsets(input, read, pointerSize),
    names: input.names,
  };
}

/** Numbers ids in the order in which they are referred to, both for writing and for reading. */
class References {
  readonly #coder: Coder;
  #highest = 1;

  /** Starts at the first type: no record needs to refer to it. */
  constructor(coder: Coder) {
    this.#coder = coder;
  }

  /** Highest id that a record refers to. */
  get highest(): number {
    return this.#highest;
  }

  code(id: number): number {
    const isNext = id === this.#highest + 1;
    const read = this.#coder.number('refs', isNext ? 1 : id === 0 ? 0 : id + 1);
    const result = read === 1 ? this.#highest + 1 : Math.max(0, read - 1);
    this.#highest = Math.max(this.#highest, result);
    return result;
  }
}

const nameIndex = (name: unknown): number => (typeof name === 'number' ? name : 0);

/** Returns an empty record of a kind, which the reader fills in. */
function blankRecord(kind: number, kindFlag: boolean): BtfRecord {
  const blank = BLANKS.get(kind);
  if (blank === undefined) throw broken();
  return { ...blank, kindFlag };
}

const K = BtfKind;
const BLANKS: ReadonlyMap<number, BtfRecord> = new Map(
  [
    { kind: K.INT, size: 0, encoding: 0, bitOffset: 0, bits: 0 },
    { kind: K.FLOAT, size: 0 },
    { kind: K.FWD },
    ...[K.PTR, K.CONST, K.VOLATILE, K.RESTRICT, K.TYPEDEF, K.TYPE_TAG].map((kind) => ({
      kind,
      type: 0,
    })),
    { kind: K.ARRAY, elemType: 0, indexType: 0, nelems: 0 },
    { kind: K.STRUCT, size: 0, members: [] },
    { kind: K.UNION, size: 0, members: [] },
    { kind: K.ENUM, size: 0, enumerators: [] },
    { kind: K.ENUM64, size: 0, enumerators: [] },
    { kind: K.FUNC, type: 0, linkage: 0 },
    { kind: K.FUNC_PROTO, type: 0, params: [] },
    { kind: K.VAR, type: 0, linkage: 0 },
    { kind: K.DATASEC, size: 0, secinfos: [] },
    { kind: K.DECL_TAG, type: 0, componentIdx: 0 },
    { kind: K.LOC_PARAM, size: 0, flags: 0, values: [] },
    { kind: K.LOC_PROTO, locations: [] },
    { kind: K.LOCSEC, sites: [] },
  ].map((record: BtfRecord) => [record.kind, record]),
);

/** Writes or reads `count` items by calling `code`. When reading, `items` is empty. */
function codeItems<T>(c: Coder, items: readonly T[], blank: T, code: (item: T) => T): T[] {
  const count = c.number('counts', items.length);
  const coded: T[] = [];
  for (let i = 0; i < count; i++) coded.push(code(items[i] ?? blank));
  return coded;
}

/** Writes or reads a record, but not the offsets of its members. */
function codeRecord(c: Coder, refs: References, record: BtfRecord): BtfRecord {
  const name = c.name(nameIndex(record.name));
  const head = { ...record, name };
  switch (head.kind) {
    case BtfKind.INT: {
      const size = c.number('sizes', head.size);
      const encoding = c.number('values', head.encoding);
      const bits = c.signed('values', head.bits - 8 * head.size) + 8 * size;
      return { ...head, size, encoding, bits, bitOffset: c.number('values', head.bitOffset) };
    }
    case BtfKind.FLOAT:
      return { ...head, size: c.number('sizes', head.size) };
    case BtfKind.FWD:
      return head;
    case BtfKind.PTR:
    case BtfKind.CONST:
    case BtfKind.VOLATILE:
    case BtfKind.RESTRICT:
    case BtfKind.TYPEDEF:
    case BtfKind.TYPE_TAG:
      return { ...head, type: refs.code(head.type) };
    case BtfKind.FUNC:
    case BtfKind.VAR: {
      const type = refs.code(head.type);
      return { ...head, type, linkage: c.number('values', head.linkage) };
    }
    case BtfKind.DECL_TAG: {
      const type = refs.code(head.type);
      return { ...head, type, componentIdx: c.signed('values', head.componentIdx) };
    }
    case BtfKind.ARRAY: {
      const elemType = refs.code(head.elemType);
      const indexType = refs.code(head.indexType);
      return { ...head, elemType, indexType, nelems: c.number('sizes', head.nelems) };
    }
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return { ...head, size: c.number('sizes', head.size), members: codeMembers(c, refs, head) };
    case BtfKind.ENUM:
    case BtfKind.ENUM64: {
      const size = c.number('sizes', head.size);
      return { ...head, size, enumerators: codeEnumerators(c, head) };
    }
    case BtfKind.FUNC_PROTO: {
      const type = refs.code(head.type);
      const params = codeItems(c, head.params, { type: 0 }, (param) => ({
        name: c.name(nameIndex(param.name)),
        type: refs.code(param.type),
      }));
      return { ...head, type, params };
    }
    case BtfKind.DATASEC:
      return { ...head, size: c.number('sizes', head.size), secinfos: codeSecinfos(c, refs, head) };
    case BtfKind.LOC_PARAM: {
      const size = c.number('sizes', head.size);
      const flags = c.number('values', head.flags);
      return {
        ...head,
        size,
        flags,
        values: codeItems(c, head.values, 0, (v) => c.number('values', v)),
      };
    }
    case BtfKind.LOC_PROTO:
      return { ...head, locations: codeItems(c, head.locations, 0, (id) => refs.code(id)) };
    case BtfKind.LOCSEC: {
      const blank = { func: 0, locProto: 0, offset: 0 };
      const sites = codeItems(c, head.sites, blank, (site) => ({
        func: refs.code(site.func),
        locProto: refs.code(site.locProto),
        offset: c.number('values', site.offset),
      }));
      return { ...head, sites };
    }
  }
}

function codeMembers(c: Coder, refs: References, record: BtfCompositeRecord) {
  return codeItems(c, record.members, { type: 0, bitOffset: 0 }, (member) => ({
    name: c.name(nameIndex(member.name)),
    type: refs.code(member.type),
    bitOffset: member.bitOffset,
    bitfieldSize: record.kindFlag === true ? c.number('values', member.bitfieldSize ?? 0) : 0,
  }));
}

/** Writes or reads enumerators. A stored value counts from the value after the previous one. */
function codeEnumerators(c: Coder, { enumerators }: BtfEnumRecord) {
  let expected = 0n;
  return codeItems(c, enumerators, { value: 0n }, (enumerator) => {
    const name = c.name(nameIndex(enumerator.name));
    const value = expected + c.big('values', enumerator.value - expected);
    expected = value + 1n;
    return { name, value };
  });
}

function codeSecinfos(c: Coder, refs: References, { secinfos }: BtfDatasecRecord) {
  let end = 0;
  return codeItems(c, secinfos, { type: 0, offset: 0, size: 0 }, (info) => {
    const type = refs.code(info.type);
    const size = c.number('sizes', info.size);
    const offset = end + c.signed('offsets', info.offset - end);
    end = offset + size;
    return { type, size, offset };
  });
}

/** Maximum number of modifiers and arrays that a member's type may lead through. */
const MAX_STEPS = 32;
const MAX_BITS = 2 ** 32;

/** Writes or reads member offsets: as gaps after the previous member, in a union from the start. */
function codeOffsets(
  c: Coder,
  records: readonly BtfRecord[],
  pointerSize: number,
): readonly BtfRecord[] {
  const bits = records.map((_, i) => bitSize(records, i + 1, pointerSize));
  return records.map((record) =>
    record.kind === BtfKind.STRUCT || record.kind === BtfKind.UNION
      ? { ...record, members: codeGaps(c, record, bits) }
      : record,
  );
}

function codeGaps(c: Coder, record: BtfCompositeRecord, bits: readonly number[]) {
  let expected = 0;
  return record.members.map((member) => {
    const bitOffset = expected + c.signed('offsets', member.bitOffset - expected);
    const width = member.bitfieldSize || (bits[member.type - 1] ?? 0);
    if (record.kind === BtfKind.STRUCT) expected = bitOffset + width;
    return { ...member, bitOffset };
  });
}

/** Returns the size of type `id` in bits; 0 if the rules of the format define no size. */
function bitSize(records: readonly BtfRecord[], id: number, pointerSize: number): number {
  let factor = 8;
  let at = id;
  for (let step = 0; step <= MAX_STEPS; step++) {
    const record = records[at - 1];
    if (record === undefined) return 0;
    if ('size' in record) return record.kind === BtfKind.DATASEC ? 0 : within(factor * record.size);
    if (record.kind === BtfKind.PTR) return within(factor * pointerSize);
    if (record.kind === BtfKind.ARRAY) {
      factor *= record.nelems;
      at = record.elemType;
    } else if ('type' in record && isModifier(record.kind)) {
      at = record.type;
    } else {
      return 0;
    }
    if (factor > MAX_BITS) return 0;
  }
  return 0;
}

const within = (bits: number): number => (bits <= MAX_BITS ? bits : 0);
