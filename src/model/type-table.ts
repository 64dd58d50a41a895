/**
 * Types of a BTF blob: its bytes, and the offset of each record.
 *
 * Records are decoded on access, because a kernel has 130,000 records. No function throws: for an
 * invalid id or offset it returns void, an empty name or 0 members. So views need no error
 * handling. `ingest` reports errors of the blob as issues.
 *
 * The fields of records are in `formats/btf/kinds.ts`.
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
import type { DwarfPlaces } from './dwarf.ts';
import { type TypeId, typeId } from './ids.ts';

export type TypeTable = {
  /** Whole BTF blob, beginning with the header. */
  readonly blob: Uint8Array;
  readonly endian: Endian;
  /** File offset of the first byte of `blob`; null if the section is stored compressed. */
  readonly fileOffset: number | null;
  /** Id of the first type in `blob`: 1, or the number of base types plus 1. */
  readonly firstId: number;
  /** Number of types in `blob`, without the base. */
  readonly count: number;
  /** Offset in `blob` of each record, then of the end of the last record: `count + 1` numbers. */
  readonly recordOff: Uint32Array;
  /** Bounds of the string section as offsets in `blob`. */
  readonly strStart: number;
  readonly strEnd: number;
  /** String offset at which the strings of `blob` begin: 0, or the length of the base's strings. */
  readonly strBase: number;
  /** Size of a pointer in bytes by the class of the ELF file; null for raw BTF. */
  readonly pointerBytes: 4 | 8 | null;
  /** True for split BTF, also if its base is missing. */
  readonly split: boolean;
  /** Base of a split BTF; null if there is none. */
  readonly base: TypeTable | null;
  /** What DWARF says beside the blob; absent for types of BTF. */
  readonly places?: DwarfPlaces;
};

/** Returns the u32 at `offset`; 0 outside of `blob`. Looking up a cached DataView would be slow. */
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

/** Returns the highest type id. Ids below `firstId` belong to the base. */
export function lastId(t: TypeTable): number {
  return t.firstId + t.count - 1;
}

/** Returns the length in bytes of all strings of `types` and its bases. */
export function strLenOf(types: TypeTable): number {
  return types.strBase + types.strEnd - types.strStart;
}

/** Returns the fields of a new table on top of `base`, for example for a module. */
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

/** Returns the first available type id: without its base, a split BTF begins at `firstId`. */
export function firstAtHand(t: TypeTable): number {
  let first = t;
  while (first.base !== null) first = first.base;
  return first.firstId;
}

/** Returns the table that contains type `id`: `t` or one of its bases; null if none does. */
export function ownerOf(t: TypeTable, id: TypeId): TypeTable | null {
  let table: TypeTable | null = t;
  while (table !== null && id < table.firstId) table = table.base;
  return table !== null && id > 0 && id - table.firstId < table.count ? table : null;
}

/** Returns true if type `id` has a record. Void (0) has none. */
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

/** Returns the word `info` of type `id`. */
export function infoOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 4);
}

/** Returns the kind of type `id` (BTF_KIND_*); 0 for void and missing types. */
export function kindOf(t: TypeTable, id: TypeId): number {
  return infoKind(infoOf(t, id));
}

export function kindFlagOf(t: TypeTable, id: TypeId): boolean {
  return infoKindFlag(infoOf(t, id));
}

/** Returns `vlen` of type `id`: the number of items, or the linkage of a FUNC. */
export function vlenOf(t: TypeTable, id: TypeId): number {
  return infoVlen(infoOf(t, id));
}

/** Returns the third word of the record of type `id`: `size` or `type`. */
export function sizeOrTypeOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 8);
}

/** Returns `name_off` of type `id`. */
export function nameOffOf(t: TypeTable, id: TypeId): number {
  return word(t, id, 0);
}

/** Returns the table (`t` or a base) with the string at `nameOff`; null if that base is missing. */
export function stringTable(t: TypeTable, nameOff: number): TypeTable | null {
  let table: TypeTable | null = t;
  while (table !== null && nameOff < table.strBase) table = table.base;
  return table;
}

/** Returns true if `offset` is inside of the strings of `t` or its available bases. */
export function hasString(t: TypeTable, offset: number): boolean {
  const table = stringTable(t, offset);
  return table !== null && table.strStart + (offset - table.strBase) < table.strEnd;
}

/** Returns up to `maxBytes` of the string at `offset`, which may be very long. Not escaped. */
export function stringAt(t: TypeTable, offset: number, maxBytes = Infinity): string {
  const table = stringTable(t, offset);
  if (table === null) return '';
  const at = table.strStart + (offset - table.strBase);
  // Not `at >= table.strEnd`, which would accept NaN.
  if (!(at < table.strEnd)) return '';
  const long = longStrings.get(table)?.find(({ start, end }) => start <= at && at < end);
  if (long !== undefined) return long.text.slice(at - long.start, at - long.start + maxBytes);
  const end = cutBefore(table, at, maxBytes);
  const text = decodeName(table.blob.subarray(0, end), at);
  return text.length > MIN_SHARED_LENGTH && end === table.strEnd
    ? sharedEnd(table, at, text)
    : text;
}

/** Part of the strings of a table that was decoded to `text`. It consists of ASCII characters. */
type LongString = { readonly start: number; readonly end: number; readonly text: string };

const MIN_SHARED_LENGTH = 1 << 13;
const MAX_LONG_STRINGS = 32;
const longStrings = new WeakMap<TypeTable, LongString[]>();

/**
 * Returns `text`, which begins at `at`, as a part of a cached string. A thousand members may have
 * names that begin at different bytes of one megabyte, and parts of a string take no memory of
 * their own. Only ASCII text is cached.
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

/** Returns the offset `maxBytes` after `start`, moved back so as not to split a character. */
function cutBefore({ blob, strEnd }: TypeTable, start: number, maxBytes: number): number {
  if (start + maxBytes >= strEnd) return strEnd;
  let end = start + maxBytes;
  for (let back = 0; back < 3 && ((blob[end] ?? 0) & 0xc0) === 0x80; back++) end--;
  return end;
}

/** Returns up to `maxBytes` of the name of type `id`, not escaped; empty if it has none. */
export function nameOf(t: TypeTable, id: TypeId, maxBytes = Infinity): string {
  const off = nameOffOf(t, id);
  return off === 0 ? '' : stringAt(t, off, maxBytes);
}

/** Returns the file span of the record of type `id`; null if its bytes are not in the file. */
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

/** Returns the span of the record in the file that contains type `id`, perhaps the base's file. */
export function recordIn(t: TypeTable, id: TypeId): Span | null {
  const owner = ownerOf(t, id);
  return owner === null ? null : recordSpan(owner, id);
}

/** Returns the bytes of the record of type `id`, including its items. */
export function recordBytes(t: TypeTable, id: TypeId): Uint8Array {
  const owner = ownerOf(t, id);
  if (owner === null) return new Uint8Array(0);
  const index = id - owner.firstId;
  return owner.blob.subarray(owner.recordOff[index] ?? 0, owner.recordOff[index + 1] ?? 0);
}

/** Returns the type id in the third word of a record (PTR, TYPEDEF, FUNC); null for other kinds. */
export function refOf(t: TypeTable, id: TypeId): TypeId | null {
  return thirdWordRole(kindOf(t, id)) === null ? null : typeId(sizeOrTypeOf(t, id));
}

/** Returns true for kinds that access paths skip: TYPEDEF, CONST, VOLATILE, RESTRICT, TYPE_TAG. */
export function isModifier(kind: number): boolean {
  return (
    kind === BtfKind.TYPEDEF ||
    kind === BtfKind.CONST ||
    kind === BtfKind.VOLATILE ||
    kind === BtfKind.RESTRICT ||
    kind === BtfKind.TYPE_TAG
  );
}

/** Caches the end of a long chain of modifiers for every 16th type of the chain. */
const chainEnds = memoized((_: TypeTable) => new Map<TypeId, TypeId>());
const qualifiedEnds = memoized((_: TypeTable) => new Map<TypeId, TypeId>());
const MAX_UNCACHED_CHAIN = 16;

/** Returns the type after all typedefs and modifiers; void if they form a cycle. */
export function skipModifiers(t: TypeTable, id: TypeId): TypeId {
  return chainEnd(t, id, isModifier, chainEnds);
}

/** Returns the type after all modifiers that are not typedefs; void if they form a cycle. */
export function skipQualifiers(t: TypeTable, id: TypeId): TypeId {
  return chainEnd(t, id, isQualifier, qualifiedEnds);
}

const isQualifier = (kind: number) => kind !== BtfKind.TYPEDEF && isModifier(kind);

function chainEnd(
  t: TypeTable,
  id: TypeId,
  isPassed: (kind: number) => boolean,
  endsOf: typeof chainEnds,
): TypeId {
  const passed: TypeId[] = [];
  let at = id;
  for (let steps = 1; isPassed(kindOf(t, at)); steps++) {
    if (steps > MAX_UNCACHED_CHAIN) {
      const ends = endsOf(t);
      const end = ends.get(at);
      if (end !== undefined) {
        at = end;
        break;
      }
      if (steps % MAX_UNCACHED_CHAIN === 0) {
        // A chain that comes back to this type is a cycle, and its end is void.
        ends.set(at, typeId(0));
        passed.push(at);
      }
    }
    at = typeId(sizeOrTypeOf(t, at));
  }
  for (const each of passed) endsOf(t).set(each, at);
  return at;
}

/** Returns the decoded data word of an INT; zeros for other kinds. */
export function intData(t: TypeTable, id: TypeId): IntData {
  return intDataOf(kindOf(t, id) === BtfKind.INT ? word(t, id, BTF_TYPE_SIZE) : 0);
}

export type ArrayData = {
  readonly elemType: TypeId;
  readonly indexType: TypeId;
  readonly nelems: number;
};

/** Returns the fields of `struct btf_array`; zeros for other kinds. */
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

/** Returns `component_idx` of a DECL_TAG (-1 means the type itself); 0 for other kinds. */
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
