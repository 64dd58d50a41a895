/**
 * One side of a comparison: a table, and keys of the types that kind and name identify. The key of
 * an anonymous enum is made from its first enumerator. Other types without a name (PTR, CONST,
 * ARRAY, anonymous structs …) belong to the types that declare them.
 */
import { addTo } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { type NameIds, NO_NAME } from '#model/name-ids.ts';
import { isEnum, readEnumerators } from '#model/type-items.ts';
import {
  componentIdx,
  hasType,
  kindFlagOf,
  kindOf,
  lastId,
  nameOffOf,
  sizeOrTypeOf,
  strLenOf,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';

/** Values of `keyOf` for types that have no key. */
export const NoKey = {
  /** The type is compared as part of the types whose declarations contain it. */
  unkeyed: -1,
  void: -2,
  /** The type does not exist, since the base is missing or the file is damaged. */
  missing: -3,
} as const;

const KEYED: ReadonlySet<number> = new Set([
  BtfKind.INT,
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.FWD,
  BtfKind.TYPEDEF,
  BtfKind.FUNC,
  BtfKind.VAR,
  BtfKind.DATASEC,
  BtfKind.FLOAT,
  BtfKind.ENUM64,
]);

const ANONYMOUS = 32;
const FACTOR = 64;
const UNKNOWN = 0;

/** Returns the name number in `key`, which must not be a value of `NoKey`. */
export function nameOfKey(key: number): number {
  return Math.floor(key / FACTOR);
}

/** Maximum number of string bytes whose name numbers are cached: the strings of ten kernels. */
const MAX_CACHED = 1 << 24;

export type DeclTag = {
  readonly nameId: number;
  readonly nameOff: number;
  readonly componentIdx: number;
};

const NO_TAGS: readonly DeclTag[] = [];

export class Side {
  readonly types: TypeTable;
  readonly #names: NameIds;
  /** Name number + 1 by `name_off`, counted from the first available string; 0 if not known. */
  readonly #nameIds: Uint32Array;
  readonly #firstOff: number;
  readonly #keys: Float64Array;
  readonly #firstId: number;
  #tags: Map<number, DeclTag[]> | null = null;

  constructor(types: TypeTable, names: NameIds) {
    this.types = types;
    this.#names = names;
    let first = types;
    while (first.base !== null) first = first.base;
    this.#firstId = first.firstId;
    // Offsets count from the first available string: a file can declare a missing base of 4 GB.
    this.#firstOff = first.strBase;
    const stringBytes = strLenOf(types) - first.strBase;
    this.#nameIds = new Uint32Array(Math.min(stringBytes, MAX_CACHED));
    this.#keys = new Float64Array(lastId(types) - first.firstId + 1).fill(UNKNOWN);
  }

  /** Number of different names found so far on both sides; all name numbers are lower. */
  get nameCount(): number {
    return this.#names.count;
  }

  /** Returns the number of the name at `nameOff`; equal names have equal numbers on both sides. */
  nameId(nameOff: number): number {
    if (nameOff === 0) return NO_NAME;
    const at = nameOff - this.#firstOff;
    const known = this.#nameIds[at] ?? 0;
    if (known !== 0) return known - 1;
    const id = this.#names.idOf(this.types, nameOff);
    this.#nameIds[at] = id + 1;
    return id;
  }

  /** Returns the key of type `id`, or a value of `NoKey`. A struct and its FWD share a key. */
  keyOf(id: TypeId): number {
    const at = id - this.#firstId;
    const known = this.#keys[at];
    if (known === undefined || at < 0) return id === 0 ? NoKey.void : NoKey.missing;
    if (known !== UNKNOWN) return known;
    const key = this.#newKey(id);
    this.#keys[at] = key;
    return key;
  }

  /** Returns the key of type `id` like `keyOf`, but a FWD has a different key than its struct. */
  ownKeyOf(id: TypeId): number {
    const key = this.keyOf(id);
    return key >= 0 && kindOf(this.types, id) === BtfKind.FWD
      ? nameOfKey(key) * FACTOR + BtfKind.FWD + (kindFlagOf(this.types, id) ? ANONYMOUS : 0)
      : key;
  }

  /** Returns the declaration tags of a type and its members or parameters, in order. */
  tagsOf(id: TypeId): readonly DeclTag[] {
    this.#tags ??= this.#findTags();
    return this.#tags.get(id) ?? NO_TAGS;
  }

  #newKey(id: TypeId): number {
    const { types } = this;
    if (!hasType(types, id)) return NoKey.missing;
    const kind = kindOf(types, id);
    if (!KEYED.has(kind)) return NoKey.unkeyed;
    const nameId = this.nameId(nameOffOf(types, id));
    if (nameId !== NO_NAME) {
      const keyKind =
        kind !== BtfKind.FWD ? kind : kindFlagOf(types, id) ? BtfKind.UNION : BtfKind.STRUCT;
      return nameId * FACTOR + keyKind;
    }
    const firstOff =
      isEnum(kind) && vlenOf(types, id) > 0 ? readEnumerators(types, id).nameOff(0) : NO_NAME;
    const firstName = this.nameId(firstOff);
    return firstName === NO_NAME ? NoKey.unkeyed : firstName * FACTOR + ANONYMOUS + kind;
  }

  #findTags(): Map<number, DeclTag[]> {
    const { types } = this;
    const tags = new Map<number, DeclTag[]>();
    for (let n = this.#firstId; n <= lastId(types); n++) {
      const id = typeId(n);
      if (kindOf(types, id) !== BtfKind.DECL_TAG) continue;
      const nameOff = nameOffOf(types, id);
      const tag = { nameId: this.nameId(nameOff), nameOff, componentIdx: componentIdx(types, id) };
      addTo(tags, sizeOrTypeOf(types, id), tag);
    }
    return tags;
  }
}

/** Both sides of a comparison; `a` is before, `b` after. */
export type Sides = { readonly a: Side; readonly b: Side };
