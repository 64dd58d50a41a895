/**
 * The types of a BTF blob: the bytes themselves and the offset of each record.
 *
 * Records are decoded when they are looked at, since a kernel has 130,000 of
 * them. Every accessor is total: an id or offset outside gives void, an empty
 * name, 0 members, so that no view needs an error path of its own. What is
 * wrong with the blob was said once, by `ingest`, as issues.
 *
 * The layout of records is that of `formats/btf/kinds.ts`.
 */
import { oncePer } from '#bytes/keep.ts';
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
  /** File offset of `blob[0]`. When the section was stored compressed, null: its bytes are not in the file. */
  readonly fileOffset: number | null;
  /** Id of the first own type: 1, or the number of base types + 1. */
  readonly firstId: number;
  /** Number of own types. */
  readonly count: number;
  /** Offset in `blob` of each own record; `count + 1` entries, the last is the end of the last record. */
  readonly recordOff: Uint32Array;
  /** Bounds of the string section in `blob`. */
  readonly strStart: number;
  readonly strEnd: number;
  /** Own strings count from here: 0, or the base's string length. */
  readonly strBase: number;
  /** Bytes of a pointer by the class of the ELF file; null for BTF by itself, which does not store it. */
  readonly pointerBytes: 4 | 8 | null;
  /** Is this split BTF, with or without its base at hand? */
  readonly split: boolean;
  /** The base of a split BTF, where it is known. */
  readonly base: TypeTable | null;
};

/**
 * The u32 at `offset` of the blob; 0 outside. Byte by byte: a DataView would have to be
 * kept beside each table, and found again at each read.
 */
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

/** Ids run from 1 to this one; those below `firstId` belong to the base. */
export function lastId(t: TypeTable): number {
  return t.firstId + t.count - 1;
}

/** Bytes of all strings of `types`, those of its bases included. */
export function strLenOf(types: TypeTable): number {
  return types.strBase + types.strEnd - types.strStart;
}

/** What a table of types that were made here has of `base`, on which it stands as the split BTF of a module does. */
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

/** The first id that can be looked at: without its base a split BTF begins at its own types. */
export function firstAtHand(t: TypeTable): number {
  let first = t;
  while (first.base !== null) first = first.base;
  return first.firstId;
}

/** The table that owns `id`: `t` itself or one of its bases; null when no such type is at hand. */
export function ownerOf(t: TypeTable, id: TypeId): TypeTable | null {
  let table: TypeTable | null = t;
  while (table !== null && id < table.firstId) table = table.base;
  return table !== null && id > 0 && id - table.firstId < table.count ? table : null;
}

/** Is there a record for `id`? void (0) has none. */
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

/** The record's `info` word. */
export function infoOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 4);
}

/** BTF_KIND_*; 0 for void and for ids that do not exist. */
export function kindOf(t: TypeTable, id: TypeId): number {
  return infoKind(infoOf(t, id));
}

export function kindFlagOf(t: TypeTable, id: TypeId): boolean {
  return infoKindFlag(infoOf(t, id));
}

/** The `vlen` field as stored: members, enumerators, parameters, variables, or the linkage of a FUNC. */
export function vlenOf(t: TypeTable, id: TypeId): number {
  return infoVlen(infoOf(t, id));
}

/** The third word of the record: `size` or `type`, by kind. */
export function sizeOrTypeOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 8);
}

/** `name_off` of the type. */
export function nameOffOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 0);
}

/** The table, `t` or one of its bases, whose own strings hold `nameOff` or end before it; null where a base is missing. */
export function stringTable(t: TypeTable, nameOff: number): TypeTable | null {
  let table: TypeTable | null = t;
  while (table !== null && nameOff < table.strBase) table = table.base;
  return table;
}

/** Does `offset` lie inside the strings, those of the bases at hand included? */
export function hasString(t: TypeTable, offset: number): boolean {
  const table = stringTable(t, offset);
  return table !== null && table.strStart + (offset - table.strBase) < table.strEnd;
}

/**
 * The string at `offset` of the joined string sections, up to `maxBytes` of it: a
 * hostile one is as long as the file, and a row shows a hundred. Raw text: escape it
 * when drawn.
 */
export function stringAt(t: TypeTable, offset: number, maxBytes = Infinity): string {
  const table = stringTable(t, offset);
  if (table === null) return '';
  const at = table.strStart + (offset - table.strBase);
  // The other way round an offset that is no number would pass.
  if (!(at < table.strEnd)) return '';
  const long = longStrings.get(table)?.find(({ start, end }) => start <= at && at < end);
  if (long !== undefined) return long.text.slice(at - long.start, at - long.start + maxBytes);
  const end = cutBefore(table, at, maxBytes);
  const text = decodeName(table.blob.subarray(0, end), at);
  return text.length > LONG && end === table.strEnd ? sharedEnd(table, at, text) : text;
}

/** ASCII in the strings of a table: what begins at any of its bytes is a part of `text`. */
type LongString = { readonly start: number; readonly end: number; readonly text: string };

const LONG = 1 << 13;
const MAX_LONG = 32;
const longStrings = new WeakMap<TypeTable, LongString[]>();

/**
 * `text`, which begins at `at`, as the end of a string that is decoded once and kept: a thousand
 * members may have names that begin at different bytes of one megabyte, and engines share the
 * memory of a string with its parts. Other text than ASCII is not shared.
 */
function sharedEnd(table: TypeTable, at: number, text: string): string {
  const { blob, strStart } = table;
  const end = stringEnd(blob, at);
  if (text.length !== end - at) return text;
  let start = at;
  while (start > strStart && isAscii(blob[start - 1] ?? 0)) start--;
  const whole = decodeText(blob.subarray(start, end));
  const kept = longStrings.get(table) ?? [];
  longStrings.set(table, [{ start, end, text: whole }, ...kept.slice(0, MAX_LONG - 1)]);
  return whole.slice(at - start);
}

/** One of ASCII, but for the NUL that ends a string. */
function isAscii(byte: number): boolean {
  return byte > 0 && byte < 0x80;
}

/** Where to stop after `maxBytes` from `start`, or at the end of the strings: not inside a character of UTF-8. */
function cutBefore({ blob, strEnd }: TypeTable, start: number, maxBytes: number): number {
  if (start + maxBytes >= strEnd) return strEnd;
  let end = start + maxBytes;
  for (let back = 0; back < 3 && ((blob[end] ?? 0) & 0xc0) === 0x80; back++) end--;
  return end;
}

/** The type's name, or up to `maxBytes` of it; empty when it has none. Raw text: escape it when drawn. */
export function nameOf(t: TypeTable, id: TypeId, maxBytes = Infinity): string {
  const off = nameOffOf(t, id);
  return off === 0 ? '' : stringAt(t, off, maxBytes);
}

/** File span of the record with all that follows it; null where its bytes are not in the file as such. */
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

/** `recordSpan` in the file that has the type, which may be that of the base. */
export function recordIn(t: TypeTable, id: TypeId): Span | null {
  const owner = ownerOf(t, id);
  return owner === null ? null : recordSpan(owner, id);
}

/** The record's bytes, header first, with all that follows it. */
export function recordBytes(t: TypeTable, id: TypeId): Uint8Array {
  const owner = ownerOf(t, id);
  if (owner === null) return new Uint8Array(0);
  const index = id - owner.firstId;
  return owner.blob.subarray(owner.recordOff[index] ?? 0, owner.recordOff[index + 1] ?? 0);
}

/** The id that this type points at by its third word (PTR, TYPEDEF, CONST, FUNC, VAR …); null for other kinds. */
export function refOf(t: TypeTable, id: TypeId): TypeId | null {
  return thirdWordRole(kindOf(t, id)) === null ? null : typeId(sizeOrTypeOf(t, id));
}

/** Is this one of the modifiers that access paths see through: TYPEDEF, CONST, VOLATILE, RESTRICT, TYPE_TAG? */
export function isModifier(kind: number): boolean {
  return (
    kind === BtfKind.TYPEDEF ||
    kind === BtfKind.CONST ||
    kind === BtfKind.VOLATILE ||
    kind === BtfKind.RESTRICT ||
    kind === BtfKind.TYPE_TAG
  );
}

/** Where long chains of modifiers end, of every 16th type on the way. */
const chainEnds = oncePer((_: TypeTable) => new Map<TypeId, TypeId>());
const SHORT_CHAIN = 16;

/**
 * Follows typedefs and modifiers to what they stand for; gives void when they lead in a
 * circle. A long chain is walked once, however often and from wherever it is asked for.
 */
export function skipModifiers(t: TypeTable, id: TypeId): TypeId {
  const passed: TypeId[] = [];
  let at = id;
  for (let steps = 1; isModifier(kindOf(t, at)); steps++) {
    if (steps > SHORT_CHAIN) {
      const ends = chainEnds(t);
      const end = ends.get(at);
      if (end !== undefined) {
        at = end;
        break;
      }
      if (steps % SHORT_CHAIN === 0) {
        // Who comes round to it finds void.
        ends.set(at, typeId(0));
        passed.push(at);
      }
    }
    at = typeId(sizeOrTypeOf(t, at));
  }
  for (const each of passed) chainEnds(t).set(each, at);
  return at;
}

/** The data word of an INT; zeros for other kinds. */
export function intData(t: TypeTable, id: TypeId): IntData {
  return intDataOf(kindOf(t, id) === BtfKind.INT ? word(t, id, BTF_TYPE_SIZE) : 0);
}

export type ArrayData = {
  readonly elemType: TypeId;
  readonly indexType: TypeId;
  readonly nelems: number;
};

/** `struct btf_array`; zeros for other kinds. */
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

/** `component_idx` of a DECL_TAG: -1 = the type itself; 0 for other kinds. */
export function componentIdx(t: TypeTable, id: TypeId): number {
  return kindOf(t, id) === BtfKind.DECL_TAG ? word(t, id, BTF_TYPE_SIZE) | 0 : 0;
}

/** `linkage` of a VAR; 0 for other kinds. */
export function varLinkage(t: TypeTable, id: TypeId): number {
  return kindOf(t, id) === BtfKind.VAR ? word(t, id, BTF_TYPE_SIZE) : 0;
}

/** `flags` of a LOC_PARAM (see `LocFlag`); 0 for other kinds. */
export function locFlags(t: TypeTable, id: TypeId): number {
  return kindOf(t, id) === BtfKind.LOC_PARAM ? word(t, id, BTF_TYPE_SIZE) : 0;
}
