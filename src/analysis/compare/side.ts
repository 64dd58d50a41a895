/**
 * One side of a comparison: a table, and keys of the types that kind and name identify. An
 * anonymous enum has a key by its first enumerator. Other types without a name (PTR, CONST, ARRAY,
 * anonymous structs …) belong to the types that declare them.
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

/** Results of `keyOf` for types without a key. */
export const NoKey = {
  /** The type belongs to the types that declare it. */
  unkeyed: -1,
  void: -2,
  /** The record does not exist: the base is missing, or the file is damaged. */
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

/** Returns the name number in a key, which must not be one of `NoKey`. */
export function nameOfKey(key: number): number {
  return Math.floor(key / FACTOR);
}

/** Maximum number of string bytes whose names are cached: those of ten kernels. */
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
  /** Name number plus one by `name_off` from the first available string; 0 if unknown. */
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
    // A file can state 4 GB for a missing base.
    this.#firstOff = first.strBase;
    const stringBytes = strLenOf(types) - first.strBase;
    this.#nameIds = new Uint32Array(Math.min(stringBytes, MAX_CACHED));
    this.#keys = new Float64Array(lastId(types) - first.firstId + 1).fill(UNKNOWN);
  }

  /** Number of names of both sides seen so far; greater than all name numbers. */
  get nameCount(): number {
    return this.#names.count;
  }

  /** Returns the number of the name at `nameOff`, equal on both sides for equal names. */
  nameId(nameOff: number): number {
    if (nameOff === 0) return NO_NAME;
    const at = nameOff - this.#firstOff;
    const known = this.#nameIds[at] ?? 0;
    if (known !== 0) return known - 1;
    const id = this.#names.idOf(this.types, nameOff);
    this.#nameIds[at] = id + 1;
    return id;
  }

  /** Returns the key of a reference to `id`, or a value of `NoKey`. A FWD has its type's key. */
  keyOf(id: TypeId): number {
    const at = id - this.#firstId;
    const known = this.#keys[at];
    if (known === undefined || at < 0) return id === 0 ? NoKey.void : NoKey.missing;
    if (known !== UNKNOWN) return known;
    const key = this.#newKey(id);
    this.#keys[at] = key;
    return key;
  }

  /** Returns the key as `keyOf`, except that a forward declaration has its own key. */
  ownKeyOf(id: TypeId): number {
    const key = this.keyOf(id);
    return key >= 0 && kindOf(this.types, id) === BtfKind.FWD
      ? nameOfKey(key) * FACTOR + BtfKind.FWD + (kindFlagOf(this.types, id) ? ANONYMOUS : 0)
      : key;
  }

  /** Returns the declaration tags of a type and its components, in order. */
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
