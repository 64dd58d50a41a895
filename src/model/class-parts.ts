/** Parts of classes of C++ that BTF has no place for: methods, static members, alignments. */
import { lowerBound } from '#bytes/arrays.ts';
import { type TypeId, typeId } from './ids.ts';

export const PART = {
  method: 0,
  /** Static member. */
  variable: 1,
  /** Alignment of the class in bytes, as its declaration states it. */
  alignment: 2,
  /** Alignment of the member with the same entry. */
  memberAlignment: 3,
} as const;

/** Bits of `ClassParts.flags`. */
export const PART_FLAGS = {
  /** A `PART`. */
  kind: 3,
  /** DW_ACCESS: 1 public, 2 protected, 3 private; 0 for the default of the class. */
  access: 12,
  static: 1 << 4,
  virtual: 1 << 5,
  pure: 1 << 6,
  explicit: 1 << 7,
  deleted: 1 << 8,
  defaulted: 1 << 9,
  constexpr: 1 << 10,
  /** The method is for an object that is an lvalue: `void f() &`. */
  lvalue: 1 << 11,
  rvalue: 1 << 12,
} as const;

/** Number of bits below `PART_FLAGS.access`. */
export const PART_ACCESS_SHIFT = 2;

/** Bits of `ClassParts.paramFlags`. */
export const PARAM_FLAGS = {
  /** The object itself: `this`. */
  artificial: 1,
  /** `...` */
  variadic: 2,
} as const;

/** Columns of parts, by owner and in the order of the source. Names are numbers of spellings. */
export type ClassParts = {
  /** Types that have parts, ascending, and the first part of each; after the last the end. */
  readonly owner: Uint32Array;
  readonly firstPart: Uint32Array;
  /**
   * Offset of the entry, in another file after those of this one. An alignment has that of the class
   * or member that is aligned.
   */
  readonly entry: Float64Array;
  readonly flags: Uint16Array;
  readonly name: Uint32Array;
  /** Result of a method, type of a static member; 0 for void. */
  readonly type: Uint32Array;
  /** Value of a static member, alignment in bytes, by part. */
  readonly value: ReadonlyMap<number, bigint>;
  /** First parameter of each part, and after the last. */
  readonly firstParam: Uint32Array;
  readonly paramName: Uint32Array;
  readonly paramType: Uint32Array;
  readonly paramFlags: Uint8Array;
};

export type ClassPart = {
  readonly entry: number;
  readonly flags: number;
  readonly name: number;
  readonly type: TypeId;
  readonly value: bigint | null;
  readonly params: readonly ClassParam[];
};

export type ClassParam = {
  readonly name: number;
  readonly type: TypeId;
  readonly flags: number;
};

/** Returns the parts of a type. */
export function partsOf(parts: ClassParts, id: TypeId): ClassPart[] {
  const at = lowerBound(parts.owner, id);
  if (parts.owner[at] !== id) return [];
  const found: ClassPart[] = [];
  const end = parts.firstPart[at + 1] ?? 0;
  for (let part = parts.firstPart[at] ?? 0; part < end; part++) found.push(partAt(parts, part));
  return found;
}

/** Returns the alignment in bytes that the declaration of a class states; null if it states none. */
export function statedAlignment(parts: ClassParts, id: TypeId): bigint | null {
  const at = lowerBound(parts.owner, id);
  if (parts.owner[at] !== id) return null;
  // The alignment of a class is the first of its parts.
  const part = parts.firstPart[at] ?? 0;
  const kind = (parts.flags[part] ?? 0) & PART_FLAGS.kind;
  return kind === PART.alignment ? (parts.value.get(part) ?? null) : null;
}

function partAt(parts: ClassParts, part: number): ClassPart {
  const params: ClassParam[] = [];
  const end = parts.firstParam[part + 1] ?? 0;
  for (let i = parts.firstParam[part] ?? 0; i < end; i++) {
    params.push({
      name: parts.paramName[i] ?? 0,
      type: typeId(parts.paramType[i] ?? 0),
      flags: parts.paramFlags[i] ?? 0,
    });
  }
  return {
    entry: parts.entry[part] ?? -1,
    flags: parts.flags[part] ?? 0,
    name: parts.name[part] ?? 0,
    type: typeId(parts.type[part] ?? 0),
    value: parts.value.get(part) ?? null,
    params,
  };
}
