/**
 * Attributes of a map, read from the members of the struct that defines it. A member points to an
 * array (`__uint`, its length is the number), or to a type (`__type`), or is an enum (`__ulong`,
 * its enumerator is the number). Source: libbpf 1.8, libbpf.c: parse_btf_map_def,
 * get_map_field_int, get_map_field_long; the macros are those of bpf_helpers.h.
 */
import { kindWord } from '#analysis/core/access-text.ts';
import { mapType, mapTypeName } from '#analysis/kernel/map-types.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { enumeratorAt, isEnum, type Member, membersOf } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { errnoNumber, type Failure, failed } from './outcome.ts';
import { resolveSize } from './resolve-size.ts';

/** Type and size of a key or value; null for what the definition does not state. */
export type MapPart = { readonly type: TypeId | null; readonly byteSize: number | null };

/** A field that libbpf does not know but other loaders do, with its number or text. */
export type ExtraField = { readonly name: string; readonly value: bigint | string };

export type MapAttributes = {
  /** Number BPF_MAP_TYPE_*; null if the definition does not state it. */
  readonly mapType: number | null;
  /** Name such as `BPF_MAP_TYPE_HASH`; null if the definition does not state the type. */
  readonly mapTypeName: string | null;
  readonly key: MapPart;
  readonly value: MapPart;
  readonly maxEntries: bigint | null;
  readonly mapFlags: bigint | null;
  readonly mapExtra: bigint | null;
  readonly numaNode: bigint | null;
  /** Pinning: 0 for none, 1 by name; null if the definition does not state it. */
  readonly pinning: bigint | null;
  /** Fields after `map_flags` of a definition in the old section `maps`; empty in `.maps`. */
  readonly extra: readonly ExtraField[];
  /** What each slot of `values` holds: a map with this definition, or a program; else null. */
  readonly inner: MapAttributes | 'program' | null;
  /** Reasons why libbpf refuses the definition, in its order; those of `inner` are in `inner`. */
  readonly faults: readonly Failure[];
};

type Draft = { -readonly [K in keyof MapAttributes]: MapAttributes[K] };

/** Returns the attributes of a definition without members. */
export function noAttributes(): Draft {
  return {
    mapType: null,
    mapTypeName: null,
    key: { type: null, byteSize: null },
    value: { type: null, byteSize: null },
    maxEntries: null,
    mapFlags: null,
    mapExtra: null,
    numaNode: null,
    pinning: null,
    extra: [],
    inner: null,
    faults: [],
  };
}

/**
 * Returns the attributes of a map that `struct` defines. libbpf stops at the first fault; members
 * after it are read, too. `name` is raw text.
 */
export function readMapAttributes(t: TypeTable, struct: TypeId, name: string): MapAttributes {
  const { innerStruct, ...attributes } = named(definitionsOf(t).outer(struct), name);
  if (innerStruct === null) return attributes;
  const inner = named(definitionsOf(t).inner(innerStruct), innerName(name));
  return { ...attributes, inner };
}

/** Returns the first fault of a definition or of its inner definition; undefined if it has none. */
export function firstFault({ faults, inner }: MapAttributes): Failure | undefined {
  // `values`, which holds the inner definition, is the last member.
  return faults[0] ?? (inner === null || inner === 'program' ? undefined : inner.faults[0]);
}

/** Size of libbpf's buffer for the name of an inner map. */
const INNER_NAME_SIZE = 128;

function innerName(name: string): string {
  const bytes = new TextEncoder().encode(`${name}.inner`);
  return decodeText(bytes.subarray(0, INNER_NAME_SIZE - 1));
}

/** A definition of any map: faults are log lines without `map 'NAME': `. */
type Definition = MapAttributes & {
  /** Struct of the maps in `values`; null if there is none. */
  readonly innerStruct: TypeId | null;
};

function named(definition: Definition, name: string): Definition {
  const faults = definition.faults.map(({ errno, lines }) =>
    failed(errno, ...lines.map((line) => `map '${name}': ${line}`)),
  );
  return { ...definition, faults };
}

/** Definitions by struct: many variables may have one struct with many members. */
const definitionsOf = memoized((t: TypeTable) => {
  const cached = (isInner: boolean) => {
    const definitions = new Map<TypeId, Definition>();
    return (struct: TypeId) =>
      getOrCreate(definitions, struct, () => readDefinition(t, struct, isInner));
  };
  return { outer: cached(false), inner: cached(true) };
});

/** Maximum number of faults of a definition that are kept. */
const MAX_FAULTS = 64;

/** A member of a definition, and what its rules depend on. */
type Context = {
  readonly t: TypeTable;
  readonly member: Member;
  readonly isLast: boolean;
  readonly isInner: boolean;
};

type MutableDefinition = { -readonly [K in keyof Definition]: Definition[K] };

function readDefinition(t: TypeTable, struct: TypeId, isInner: boolean): Definition {
  const draft: MutableDefinition = { ...noAttributes(), innerStruct: null };
  const faults: Failure[] = [];
  let isTypeRefused = false;
  const lastIndex = vlenOf(t, struct) - 1;
  for (const member of membersOf(t, struct)) {
    const isLast = member.index === lastIndex;
    const fault = readMember(draft, { t, member, isLast, isInner });
    if (fault === null) continue;
    if (faults.length < MAX_FAULTS) faults.push(fault);
    if (member.name === 'type') isTypeRefused = true;
  }
  if ((draft.mapType ?? 0) === 0 && !isTypeRefused)
    faults.push(refused("map type isn't specified."));
  return { ...draft, faults };
}

function refused(line: string, errno = 'EINVAL'): Failure {
  return failed(errno, line);
}

/** Reads one member into `draft`. Returns the reason why libbpf refuses it, or null. */
function readMember(draft: MutableDefinition, context: Context): Failure | null {
  const { t, member, isInner } = context;
  const { name } = member;
  if (name === 'key' || name === 'value') return readType(draft, t, member, name);
  if (name === 'values') return readValues(draft, context);
  if (name === 'pinning' && isInner) return refused("inner def can't be pinned.");
  if (!NUMBERS.has(name)) return refused(`unknown field '${name}'.`, 'ENOTSUP');
  const value = name === 'map_extra' ? readLong(t, member) : readInt(t, member);
  if (typeof value !== 'bigint') return value;
  switch (name) {
    case 'type':
      draft.mapType = Number(value);
      draft.mapTypeName = mapTypeName(draft.mapType);
      return null;
    case 'key_size':
      return setSize(draft, 'key', Number(value));
    case 'value_size':
      return setSize(draft, 'value', Number(value));
    default: {
      const field = NUMBERS.get(name) ?? null;
      if (field !== null) draft[field] = value;
      return name === 'pinning' && value > PIN_BY_NAME
        ? refused(`invalid pinning value ${value}.`)
        : null;
    }
  }
}

/** Value of LIBBPF_PIN_BY_NAME in libbpf's `enum libbpf_pin_type`. */
export const PIN_BY_NAME = 1n;

type NumberField = 'maxEntries' | 'mapFlags' | 'mapExtra' | 'numaNode' | 'pinning';

/** Fields with a number; null for those that are not stored as they are. */
const NUMBERS: ReadonlyMap<string, NumberField | null> = new Map([
  ['type', null],
  ['key_size', null],
  ['value_size', null],
  ['max_entries', 'maxEntries'],
  ['map_flags', 'mapFlags'],
  ['map_extra', 'mapExtra'],
  ['numa_node', 'numaNode'],
  ['pinning', 'pinning'],
]);

/** Returns the length of the array that a member points to. Source: get_map_field_int. */
function readInt(t: TypeTable, { name, type }: Member): bigint | Failure {
  const at = skipModifiers(t, type);
  if (kindOf(t, at) !== BtfKind.PTR) {
    return refused(`attr '${name}': expected PTR, got ${wordOf(t, at)}.`);
  }
  const pointee = pointeeOf(t, at);
  return kindOf(t, pointee) === BtfKind.ARRAY
    ? BigInt(arrayData(t, pointee).nelems)
    : refused(`attr '${name}': expected ARRAY, got ${wordOf(t, pointee)}.`);
}

/** Returns the number of a `__uint` or `__ulong` of 64 bits. Source: get_map_field_long. */
function readLong(t: TypeTable, member: Member): bigint | Failure {
  const at = skipModifiers(t, member.type);
  const kind = kindOf(t, at);
  if (kind === BtfKind.PTR) return readInt(t, member);
  if (!isEnum(kind)) {
    return refused(`attr '${member.name}': expected ENUM or ENUM64, got ${wordOf(t, at)}.`);
  }
  const only = vlenOf(t, at) === 1 ? enumeratorAt(t, at, 0) : null;
  if (only === null) return refused(`attr '${member.name}': invalid __ulong`);
  // libbpf takes 32 bits as a signed number, whatever the sign of the enum.
  const value = kind === BtfKind.ENUM ? BigInt.asIntN(32, only.value) : only.value;
  return BigInt.asUintN(64, value);
}

/** Reads a `__type`: the member is a pointer, without typedef or modifier. */
function readType(
  draft: MutableDefinition,
  t: TypeTable,
  { type }: Member,
  part: 'key' | 'value',
): Failure | null {
  if (kindOf(t, type) !== BtfKind.PTR) {
    return refused(`${part} spec is not PTR: ${wordOf(t, type)}.`);
  }
  const pointee = pointeeOf(t, type);
  const size = resolveSize(t, pointee);
  if (typeof size === 'number') return setSize(draft, part, size, pointee);
  const number = errnoNumber({ errno: size });
  return refused(`can't determine ${part} size for type [${pointee}]: ${number}.`, size);
}

/** Sets the size of the key or value, and its type. A size other than 0 must not change. */
function setSize(
  draft: MutableDefinition,
  part: 'key' | 'value',
  byteSize: number,
  type = draft[part].type,
): Failure | null {
  const before = draft[part].byteSize ?? 0;
  if (before !== 0 && before !== byteSize) {
    return refused(`conflicting ${part} size ${before} != ${byteSize}.`);
  }
  draft[part] = { type, byteSize };
  return null;
}

const PROG_ARRAY = mapType('PROG_ARRAY');
const MAPS_OF_MAPS = [mapType('ARRAY_OF_MAPS'), mapType('HASH_OF_MAPS')];

/** Returns true for a map whose values are maps. Source: bpf_map_type__is_map_in_map. */
export function isMapInMap(type: number): boolean {
  return MAPS_OF_MAPS.includes(type);
}

/** Reads `values`, an array without a length whose elements point to maps or programs. */
function readValues(draft: MutableDefinition, context: Context): Failure | null {
  const { t, member, isLast, isInner } = context;
  if (isInner) return refused('multi-level inner maps not supported.', 'ENOTSUP');
  const { elemType, nelems } = arrayData(t, member.type);
  const pointer = skipModifiers(t, elemType);
  const content =
    kindOf(t, pointer) === BtfKind.PTR ? skipModifiers(t, pointeeOf(t, pointer)) : null;
  const kind = content === null ? null : kindOf(t, content);
  if (kind === BtfKind.FUNC_PROTO) draft.inner = 'program';
  else if (kind === BtfKind.STRUCT) draft.innerStruct = content;
  if (!isLast) return refused("'values' member should be last.");
  const type = draft.mapType ?? 0;
  if (!isMapInMap(type) && type !== PROG_ARRAY) {
    return refused('should be map-in-map or prog-array.', 'ENOTSUP');
  }
  const conflict = setSize(draft, 'value', 4);
  if (conflict !== null) return conflict;
  const what = isMapInMap(type) ? 'map-in-map inner' : 'prog-array value';
  if (kindOf(t, member.type) !== BtfKind.ARRAY || nelems !== 0) {
    return refused(`${what} spec is not a zero-sized array.`);
  }
  const wanted = isMapInMap(type) ? BtfKind.STRUCT : BtfKind.FUNC_PROTO;
  return kind === wanted
    ? null
    : refused(`${what} def is of unexpected kind ${wordOf(t, content ?? pointer)}.`);
}

function wordOf(t: TypeTable, id: TypeId): string {
  return kindWord(kindOf(t, id));
}

/** Returns the type that a PTR points to; 0 for void. */
function pointeeOf(t: TypeTable, pointer: TypeId): TypeId {
  return typeId(sizeOrTypeOf(t, pointer));
}
