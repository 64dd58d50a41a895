/** Types read from DWARF, with what their source says and BTF has no place for. */
import { languageName } from '#formats/dwarf/language-names.ts';
import type { DwarfPlaces, VirtualBase } from '#model/dwarf.ts';
import { ITEM_FLAGS } from '#model/dwarf.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Member, membersOf, type Param, paramsOf } from '#model/type-items.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';

/** Types of a file and where they were read. */
export type SourcedTypes = { readonly types: TypeTable; readonly places: DwarfPlaces };

/** Returns the types of a model that were read from DWARF; null if it has none. */
export function sourcedTypes({ types, dwarf }: ObjectModel): SourcedTypes | null {
  return types === null || dwarf?.places == null ? null : { types, places: dwarf.places };
}

/** Returns the name of the language of the unit of a type; empty for a type without an entry. */
export function languageOf({ types, places }: SourcedTypes, id: TypeId): string {
  const language = places.language[id - types.firstId] ?? 0;
  return language === 0 ? '' : languageName(language);
}

/** Returns DW_TAG of the entry of a type; 0 for a type without one. */
export function tagOf({ types, places }: SourcedTypes, id: TypeId): number {
  return places.tag[id - types.firstId] ?? 0;
}

/** Returns true for `enum class` of C++. */
export function isScopedEnum({ types, places }: SourcedTypes, id: TypeId): boolean {
  return places.isScoped[id - types.firstId] === 1;
}

/** Returns the name that a pointer or function type has in its language; empty if none. */
export function spellingOf({ types, places: { source } }: SourcedTypes, id: TypeId): string {
  return source.spellings[(source.spelling[id - types.firstId] ?? 0) - 1] ?? '';
}

/** Returns the type of the values of an enumeration, or the class of a pointer to a member; or 0. */
export function otherType({ types, places: { source } }: SourcedTypes, id: TypeId): TypeId {
  return (source.other[id - types.firstId] ?? 0) as TypeId;
}

export type SourceItem = {
  /** Offset of the entry; -1 if this file has none. */
  readonly entry: number;
  readonly flags: number;
  /** Value of the discriminant for a variant; undefined for a variant with all other values. */
  readonly discriminant: bigint | undefined;
};

export type SourceMember = Omit<Member, 'nameOff'> & SourceItem;
export type SourceParam = Omit<Param, 'nameOff'> & SourceItem;

/** Returns the members of a composite in the order of the source. */
export function sourceMembers(s: SourcedTypes, id: TypeId): SourceMember[] {
  const members = membersOf(s.types, id).map((member) => {
    const { index, name, type, bitOffset, bitfieldSize } = member;
    return { index, name, type, bitOffset, bitfieldSize, ...itemOf(s, id, index) };
  });
  return members.sort((a, b) => a.entry - b.entry || a.index - b.index);
}

export function sourceParams(s: SourcedTypes, proto: TypeId): SourceParam[] {
  return paramsOf(s.types, proto).map(({ index, name, type }) => ({
    index,
    name,
    type,
    ...itemOf(s, proto, index),
  }));
}

function itemOf(
  { types, places: { source } }: SourcedTypes,
  id: TypeId,
  index: number,
): SourceItem {
  const item = (source.firstItem[id - types.firstId] ?? 0) + index;
  return {
    entry: source.itemEntry[item] ?? -1,
    flags: source.itemFlags[item] ?? 0,
    discriminant: source.discriminants.get(item),
  };
}

/** Returns the base classes of a class, in the order of the source. */
export function baseClasses(
  { places: { source } }: SourcedTypes,
  id: TypeId,
  members: readonly SourceMember[],
): readonly VirtualBase[] {
  const placed = members.filter((member) => hasFlag(member, 'base'));
  const virtual = source.virtualBases.get(id) ?? [];
  return [...placed, ...virtual].sort((a, b) => a.entry - b.entry);
}

export function hasFlag(
  { flags }: { readonly flags: number },
  flag: Exclude<keyof typeof ITEM_FLAGS, 'access'>,
): boolean {
  return (flags & ITEM_FLAGS[flag]) !== 0;
}

/** Longest chain of types and deepest nesting that are written. */
const MAX_DEPTH = 32;
/** Number of types and items that one declaration writes: hostile types may nest without end. */
const MAX_STEPS = 70_000;
/** Limit of the characters of all names: each of many members may have the longest one. */
const MAX_NAMES = 1 << 22;

/** The same limits for the text of a row, and the bytes of a name that are read. */
const MAX_SHORT_STEPS = 128;
const MAX_SHORT_NAMES = 1 << 12;
const MAX_SHORT_BYTES = 1 << 10;

/** Text for what is left out. */
export const LEFT_OUT = '…';

/** Counts what is written, so that a declaration ends. */
export class Budget {
  #left: number;
  #names: number;
  /** True for the text of a row, in which a type without a name is not declared. */
  readonly isShort: boolean;

  constructor(isShort = false) {
    this.isShort = isShort;
    this.#left = isShort ? MAX_SHORT_STEPS : MAX_STEPS;
    this.#names = isShort ? MAX_SHORT_NAMES : MAX_NAMES;
  }

  /** True once a type was left out. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Returns true if `count` more types or items may be written at a depth. */
  take(depth: number, count = 1): boolean {
    this.#left -= count;
    return depth <= MAX_DEPTH && !this.isOver;
  }

  /** Returns a name, or what stands for one that is left out. */
  name(name: string): string {
    this.#names -= name.length;
    return this.#names < 0 ? LEFT_OUT : name;
  }

  /** Returns the name of a type, or what stands for one that is left out. */
  nameOf(t: TypeTable, id: TypeId): string {
    return this.name(nameOf(t, id, this.isShort ? MAX_SHORT_BYTES : Infinity));
  }
}
