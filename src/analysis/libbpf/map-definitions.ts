/**
 * Map definitions of `.maps`, read from the members of a struct. A member points to an array
 * (`__uint`, its length is the number), an enum (`__ulong`, its first enumerator is the number) or
 * a type. Source: libbpf's parse_btf_map_def and bpf_map_def of bpf_helpers.h.
 */
import { mapTypeName } from '#analysis/kernel/map-types.ts';
import { relocationOffset, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { mapVariables, type Variable } from '#analysis/values/variables.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { RelocIndex, SectionIndex, SymbolIndex, TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { enumeratorsOf, type Member, memberAt, memberCount } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  refOf,
  skipModifiers,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';

/** Type and size of a key or value; null for what the definition does not state. */
export type MapPart = { readonly type: TypeId | null; readonly byteSize: number | null };

/** What a slot of `values` initially holds: a map, or a program of a PROG_ARRAY. */
export type MapSlot = {
  readonly index: number;
  readonly name: string;
  /** Relocation entry for the slot. */
  readonly reloc: RelocIndex;
};

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
  /** Sentences about members that libbpf refuses; names are raw text. */
  readonly faults: readonly string[];
  /** Name of the first refused member if it is a field that libbpf does not know; else null. */
  readonly unknownField: string | null;
};

export type MapDefinition = MapAttributes & {
  /** Name of the map as raw text. */
  readonly name: string;
  readonly section: '.maps' | 'maps';
  readonly sectionIndex: SectionIndex | null;
  readonly symbol: SymbolIndex | null;
  /** Id of the map's VAR; null in the old section `maps`. */
  readonly varId: TypeId | null;
  /** Id of the struct that defines the map; null in the old section `maps`. */
  readonly type: TypeId | null;
  readonly byteOffset: number | null;
  readonly byteSize: number;
  readonly linkage: Variable['linkage'];
  readonly slots: readonly MapSlot[];
};

/** Returns the maps of `.maps`, in the order of BTF. */
export function btfMaps(model: ObjectModel): MapDefinition[] {
  const t = model.types;
  if (t === null) return [];
  return mapVariables(model).map((variable) => {
    const struct = variable.type === null ? null : skipModifiers(t, variable.type);
    return {
      ...mapAttributes(t, struct),
      ...variable,
      section: '.maps',
      slots: struct === null ? [] : slotsOf(model, t, struct, variable),
    };
  });
}

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
    unknownField: null,
  };
}

/** Maximum number of members of a definition that are read. */
const MAX_MEMBERS = 64;

function mapAttributes(t: TypeTable, struct: TypeId | null): MapAttributes {
  const outer = oneLevel(t, struct);
  // Like libbpf, reads one level only: a map in a map of maps contains no maps.
  const inner = outer.innerStruct === null ? null : oneLevel(t, outer.innerStruct);
  if (inner === null) return outer.attributes;
  const { faults } = inner.attributes;
  const nested = 'values: a map inside a map must not hold maps';
  return {
    ...outer.attributes,
    inner: {
      ...inner.attributes,
      faults: inner.innerStruct === null ? faults : [...faults, nested],
    },
  };
}

type Level = { readonly attributes: MapAttributes; readonly innerStruct: TypeId | null };

/** Reads a definition, but not the definition of its inner map. */
function oneLevel(t: TypeTable, struct: TypeId | null): Level {
  const draft = noAttributes();
  if (struct === null || kindOf(t, struct) !== BtfKind.STRUCT) {
    const faults = ['the definition is not a struct'];
    return { attributes: { ...draft, faults }, innerStruct: null };
  }
  const faults: string[] = [];
  let innerStruct: TypeId | null = null;
  const count = memberCount(t, struct);
  for (let i = 0; i < Math.min(count, MAX_MEMBERS); i++) {
    const member = memberAt(t, struct, i);
    if (member === null) continue;
    if (member.name === 'values') innerStruct = readValues(t, member, draft, faults);
    else readMember(t, member, draft, faults);
  }
  if (count > MAX_MEMBERS) faults.push(`${count - MAX_MEMBERS} members were not read`);
  return { attributes: { ...draft, faults }, innerStruct };
}

function readMember(t: TypeTable, member: Member, draft: Draft, faults: string[]): void {
  const { name } = member;
  if (name === 'key' || name === 'value') {
    const pointee = pointeeOf(t, member.type);
    const size = pointee === null ? null : sizeOf(t, pointee);
    if (pointee === null) faults.push(`${name}: not a pointer`);
    else if (size === null) faults.push(`${name}: its type has no size`);
    else draft[name] = { type: pointee, byteSize: Number(size) };
    return;
  }
  const value = numberOf(t, member.type);
  if (!NUMBERS.has(name)) {
    const label = name || '(anon)';
    if (faults.length === 0) draft.unknownField = label;
    faults.push(`${label}: not known`);
    return;
  }
  if (value === null) {
    faults.push(`${name}: not a number`);
    return;
  }
  switch (name) {
    case 'type':
      draft.mapType = Number(value);
      draft.mapTypeName = mapTypeName(draft.mapType);
      break;
    case 'key_size':
      draft.key = { ...draft.key, byteSize: draft.key.byteSize ?? Number(value) };
      break;
    case 'value_size':
      draft.value = { ...draft.value, byteSize: draft.value.byteSize ?? Number(value) };
      break;
    default: {
      const field = NUMBERS.get(name) ?? null;
      if (field !== null) draft[field] = value;
    }
  }
}

type NumberField = 'maxEntries' | 'mapFlags' | 'mapExtra' | 'numaNode' | 'pinning';

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

/** Returns the struct of the inner map of `values`; null for programs and other types. */
function readValues(t: TypeTable, member: Member, draft: Draft, faults: string[]): TypeId | null {
  const array = skipModifiers(t, member.type);
  const { elemType, nelems } = arrayData(t, array);
  const pointee = kindOf(t, array) === BtfKind.ARRAY ? pointeeOf(t, elemType) : null;
  if (pointee === null || nelems !== 0) {
    faults.push('values: no array of pointers without a length');
    return null;
  }
  draft.value = { ...draft.value, byteSize: draft.value.byteSize ?? 4 };
  const content = skipModifiers(t, pointee);
  if (kindOf(t, content) === BtfKind.FUNC_PROTO) draft.inner = 'program';
  else if (kindOf(t, content) === BtfKind.STRUCT) return content;
  else faults.push('values: neither maps nor programs');
  return null;
}

function pointeeOf(t: TypeTable, id: TypeId): TypeId | null {
  const at = skipModifiers(t, id);
  return kindOf(t, at) === BtfKind.PTR ? refOf(t, at) : null;
}

/**
 * Returns the length of an array (`__uint`) or the first enumerator (`__ulong`) behind a pointer.
 */
function numberOf(t: TypeTable, id: TypeId): bigint | null {
  const pointee = pointeeOf(t, id);
  if (pointee === null) return null;
  const at = skipModifiers(t, pointee);
  switch (kindOf(t, at)) {
    case BtfKind.ARRAY:
      return BigInt(arrayData(t, at).nelems);
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return enumeratorsOf(t, at)[0]?.value ?? null;
    default:
      return null;
  }
}

const SLOT_SIZE = 8;

function slotsOf(
  model: ObjectModel,
  t: TypeTable,
  struct: TypeId,
  { sectionIndex, byteOffset, byteSize }: Variable,
): MapSlot[] {
  const last = memberAt(t, struct, Math.min(vlenOf(t, struct), MAX_MEMBERS) - 1);
  if (sectionIndex === null || byteOffset === null || last?.name !== 'values') return [];
  const first = byteOffset + last.bitOffset / 8;
  const relocs = relocationsInRange(model, sectionIndex, first, byteOffset + byteSize);
  return relocs.flatMap((reloc) => {
    const { target } = relocationMeaning(model, reloc);
    const index = Math.floor((relocationOffset(model, reloc) - first) / SLOT_SIZE);
    return target === null ? [] : [{ index, name: target.name, reloc }];
  });
}
