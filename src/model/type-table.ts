/**
 * The types of a BTF blob: the bytes and the offset of each record.
 *
 * A record is decoded on access, because a kernel has 130,000 records. Every accessor is total: an
 * id or offset outside returns void, an empty name, 0 members, so that views need no error
 * handling. `ingest` reports errors of the blob as issues.
 *
 * `formats/btf/kinds.ts` has the layout of records.
 */
import { memoized } from '#bytes/cache.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { decodeName, decodeText, stringEnd } from '#bytes/text.ts';
import {
  BTF_ARRAY,
  BTF_TYPE_SIZE,
  BtfKind,
  type IntData,
  infoKind,
  infoKindFlag,
  infoVlen,
  intDataOf,
  thirdWordRole,
} from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from './ids.ts';

export type TypeTable = {
  /** The whole BTF blob, header first. */
  readonly blob: Uint8Array;
  readonly endian: Endian;
  /** File offset of `blob[0]`; null if the section was stored compressed: its bytes are not in the file. */
  readonly fileOffset: number | null;
  /** Id of the first type of this blob: 1, or the number of base types + 1. */
  readonly firstId: number;
  /** Number of types, without the base. */
  readonly count: number;
  /** Offset in `blob` of each record; `count + 1` entries, the last is the end of the last record. */
  readonly recordOff: Uint32Array;
  /** Bounds of the string section in `blob`. */
  readonly strStart: number;
  readonly strEnd: number;
  /** String offset of the first string of this blob: 0, or the base's string length. */
  readonly strBase: number;
  /** Size of a pointer by the class of the ELF file; null for raw BTF, which does not store it. */
  readonly pointerBytes: 4 | 8 | null;
  /** True for split BTF, with or without its base. */
  readonly split: boolean;
  /** The base of a split BTF, if available. */
  readonly base: TypeTable | null;
};

/** Returns the u32 at `offset` of the blob, 0 outside; byte by byte, since a DataView per table would cost a lookup. */
export function u32At(blob: Uint8Array, endian: Endian, offset: number): number {
  if (offset < 0 || offset + 4 > blob.length) return 0;
  const first = blob[offset] ?? 0;
  const second = blob[offset + 1] ?? 0;
  const third = blob[offset + 2] ?? 0;
  const fourth = blob[offset + 3] ?? 0;
  return endian === 'little'
    ? (first | (second << 8) | (third << 16) | (fourth << 24)) >>> 0
    : (fourth | (third << 8) | (second << 16) | (first << 24)) >>> 0;
}

/** Returns the highest id; ids below `firstId` belong to the base. */
export function lastId(t: TypeTable): number {
  return t.firstId + t.count - 1;
}

/** Returns the length in bytes of all strings of `types` and its bases. */
export function strLenOf(types: TypeTable): number {
  return types.strBase + types.strEnd - types.strStart;
}

/** Returns the fields of a generated table on top of `base`, as for the split BTF of a module. */
export function standingOn(base: TypeTable) {
  return {
    endian: base.endian,
    fileOffset: null,
    firstId: lastId(base) + 1,
    strBase: strLenOf(base),
    pointerBytes: base.pointerBytes,
    split: true,
    base,
  } as const;
}

/** Returns the first available id: a split BTF without its base begins at its first type. */
export function firstAtHand(t: TypeTable): number {
  let first = t;
  while (first.base !== null) first = first.base;
  return first.firstId;
}

/** Returns the table with the record of `id`: `t` itself or one of its bases; null if the type is not available. */
export function ownerOf(t: TypeTable, id: TypeId): TypeTable | null {
  let table: TypeTable | null = t;
  while (table !== null && id < table.firstId) table = table.base;
  return table !== null && id > 0 && id - table.firstId < table.count ? table : null;
}

/** True if `id` has a record; void (0) has none. */
export function hasType(t: TypeTable, id: TypeId): boolean {
  return ownerOf(t, id) !== null;
}

function recordStart(owner: TypeTable, id: TypeId): number {
  return owner.recordOff[id - owner.firstId] ?? -1;
}

function word(t: TypeTable, id: TypeId, offsetInRecord: number): number {
  const owner = ownerOf(t, id);
  return owner === null
    ? 0
    : u32At(owner.blob, owner.endian, recordStart(owner, id) + offsetInRecord);
}

/** Returns the `info` word of the record. */
export function infoOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 4);
}

/** Returns BTF_KIND_*; 0 for void and missing ids. */
export function kindOf(t: TypeTable, id: TypeId): number {
  return infoKind(infoOf(t, id));
}

export function kindFlagOf(t: TypeTable, id: TypeId): boolean {
  return infoKindFlag(infoOf(t, id));
}

/** Returns `vlen` as stored: number of members, enumerators, parameters or variables, or the linkage of a FUNC. */
export function vlenOf(t: TypeTable, id: TypeId): number {
  return infoVlen(infoOf(t, id));
}

/** Returns the third word of the record: `size` or `type`, by kind. */
export function sizeOrTypeOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 8);
}

/** Returns `name_off` of the type. */
export function nameOffOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 0);
}

/** Returns the table whose strings contain `nameOff` or end before it: `t` or a base; null if a base is missing. */
export function stringTable(t: TypeTable, nameOff: number): TypeTable | null {
  let table: TypeTable | null = t;
  while (table !== null && nameOff < table.strBase) table = table.base;
  return table;
}

/** True if `offset` is inside the strings of `t` or its available bases. */
export function hasString(t: TypeTable, offset: number): boolean {
  const table = stringTable(t, offset);
  return table !== null && table.strStart + (offset - table.strBase) < table.strEnd;
}

/** Returns at most `maxBytes` of a string, which may be as long as the file. Not escaped. */
export function stringAt(t: TypeTable, offset: number, maxBytes = Infinity): string {
  const table = stringTable(t, offset);
  if (table === null) return '';
  const at = table.strStart + (offset - table.strBase);
  // `at >= table.strEnd` would accept NaN.
  if (!(at < table.strEnd)) return '';
  const long = longStrings.get(table)?.find(({ start, end }) => start <= at && at < end);
  if (long !== undefined) return long.text.slice(at - long.start, at - long.start + maxBytes);
  const end = cutBefore(table, at, maxBytes);
  const text = decodeName(table.blob.subarray(0, end), at);
  return text.length > MIN_SHARED_LENGTH && end === table.strEnd
    ? sharedEnd(table, at, text)
    : text;
}

/** ASCII text in the strings of a table: every string that begins in it is a part of `text`. */
type LongString = { readonly start: number; readonly end: number; readonly text: string };

const MIN_SHARED_LENGTH = 1 << 13;
const MAX_LONG_STRINGS = 32;
const longStrings = new WeakMap<TypeTable, LongString[]>();

/**
 * Returns `text`, which begins at `at`, as the end of a cached string: a thousand members may have
 * names that begin at different bytes of one megabyte, and engines share the memory of a string
 * with its parts. Only ASCII text is shared.
 */
function sharedEnd(table: TypeTable, at: number, text: string): string {
  const { blob, strStart } = table;
  const end = stringEnd(blob, at);
  if (text.length !== end - at) return text;
  let start = at;
  while (start > strStart && isAscii(blob[start - 1] ?? 0)) start--;
  const whole = decodeText(blob.subarray(start, end));
  const cached = longStrings.get(table) ?? [];
  longStrings.set(table, [{ start, end, text: whole }, ...cached.slice(0, MAX_LONG_STRINGS - 1)]);
  return whole.slice(at - start);
}

function isAscii(byte: number): boolean {
  return byte > 0 && byte < 0x80;
}

/** Returns the end of `maxBytes` from `start`, or of the strings, without splitting a UTF-8 character. */
function cutBefore({ blob, strEnd }: TypeTable, start: number, maxBytes: number): number {
  if (start + maxBytes >= strEnd) return strEnd;
  let end = start + maxBytes;
  for (let back = 0; back < 3 && ((blob[end] ?? 0) & 0xc0) === 0x80; back++) end--;
  return end;
}

/** Returns the type's name, at most `maxBytes` of it; empty if it has none. Raw text: escape it when drawn. */
export function nameOf(t: TypeTable, id: TypeId, maxBytes = Infinity): string {
  const off = nameOffOf(t, id);
  return off === 0 ? '' : stringAt(t, off, maxBytes);
}

/** Returns the file span of the record with its items; null if its bytes are not in the file. */
export function recordSpan(t: TypeTable, id: TypeId): Span | null {
  const owner = ownerOf(t, id);
  if (owner === null || owner !== t || owner.fileOffset === null) return null;
  const index = id - owner.firstId;
  const start = owner.recordOff[index] ?? 0;
  return {
    start: owner.fileOffset + start,
    end: owner.fileOffset + (owner.recordOff[index + 1] ?? start),
  };
}

/** Returns `recordSpan` in the file with the type, which may be the file of the base. */
export function recordIn(t: TypeTable, id: TypeId): Span | null {
  const owner = ownerOf(t, id);
  return owner === null ? null : recordSpan(owner, id);
}

/** Returns the bytes of the record with its items. */
export function recordBytes(t: TypeTable, id: TypeId): Uint8Array {
  const owner = ownerOf(t, id);
  if (owner === null) return new Uint8Array(0);
  const index = id - owner.firstId;
  return owner.blob.subarray(owner.recordOff[index] ?? 0, owner.recordOff[index + 1] ?? 0);
}

/** Returns the id in the third word of the type (PTR, TYPEDEF, CONST, FUNC, VAR …); null for other kinds. */
export function refOf(t: TypeTable, id: TypeId): TypeId | null {
  return thirdWordRole(kindOf(t, id)) === null ? null : typeId(sizeOrTypeOf(t, id));
}

/** True for the kinds that access paths skip: TYPEDEF, CONST, VOLATILE, RESTRICT, TYPE_TAG. */
export function isModifier(kind: number): boolean {
  return (
    kind === BtfKind.TYPEDEF ||
    kind === BtfKind.CONST ||
    kind === BtfKind.VOLATILE ||
    kind === BtfKind.RESTRICT ||
    kind === BtfKind.TYPE_TAG
  );
}

/** End of long chains of modifiers, for every 16th type on the way. */
const chainEnds = memoized((_: TypeTable) => new Map<TypeId, TypeId>());
const MAX_UNCACHED_CHAIN = 16;

/** Returns the type after typedefs and modifiers; void for a cycle. The ends of long chains are cached. */
export function skipModifiers(t: TypeTable, id: TypeId): TypeId {
  const passed: TypeId[] = [];
  let at = id;
  for (let steps = 1; isModifier(kindOf(t, at)); steps++) {
    if (steps > MAX_UNCACHED_CHAIN) {
      const ends = chainEnds(t);
      const end = ends.get(at);
      if (end !== undefined) {
        at = end;
        break;
      }
      if (steps % MAX_UNCACHED_CHAIN === 0) {
        // A chain that reaches this type again is a cycle, which ends at void.
        ends.set(at, typeId(0));
        passed.push(at);
      }
    }
    at = typeId(sizeOrTypeOf(t, at));
  }
  for (const each of passed) chainEnds(t).set(each, at);
  return at;
}

/** Returns the data word of an INT; zeros for other kinds. */
export function intData(t: TypeTable, id: TypeId): IntData {
  return intDataOf(kindOf(t, id) === BtfKind.INT ? word(t, id, BTF_TYPE_SIZE) : 0);
}

export type ArrayData = {
  readonly elemType: TypeId;
  readonly indexType: TypeId;
  readonly nelems: number;
};

/** Returns `struct btf_array`; zeros for other kinds. */
export function arrayData(t: TypeTable, id: TypeId): ArrayData {
  const isArray = kindOf(t, id) === BtfKind.ARRAY;
  const field = (offset: number) => (isArray ? word(t, id, BTF_TYPE_SIZE + offset) : 0);
  const { at } = BTF_ARRAY;
  return {
    elemType: typeId(field(at.type)),
    indexType: typeId(field(at.index_type)),
    nelems: field(at.nelems),
  };
}

/** Returns `component_idx` of a DECL_TAG: -1 = the type itself; 0 for other kinds. */
export function componentIdx(t: TypeTable, id: TypeId): number {
  return kindOf(t, id) === BtfKind.DECL_TAG ? word(t, id, BTF_TYPE_SIZE) | 0 : 0;
}

/** Returns `linkage` of a VAR; 0 for other kinds. */
export function varLinkage(t: TypeTable, id: TypeId): number {
  return kindOf(t, id) === BtfKind.VAR ? word(t, id, BTF_TYPE_SIZE) : 0;
}

/** Returns `flags` of a LOC_PARAM (see `LocFlag`); 0 for other kinds. */
export function locFlags(t: TypeTable, id: TypeId): number {
  return kindOf(t, id) === BtfKind.LOC_PARAM ? word(t, id, BTF_TYPE_SIZE) : 0;
}
