/**
 * Shapes: types for languages other than C, without typedefs and qualifiers. Types that other
 * languages lack are bytes. A number is aligned to its size, as on 64-bit targets.
 */
import { pointerSize, sizeOf } from '#analysis/types/sizes.ts';
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';

export type Shape =
  /** An integer of 1, 2, 4 or 8 bytes. */
  | { readonly form: 'integer'; readonly byteSize: number; readonly signed: boolean }
  | { readonly form: 'boolean' }
  /** A floating-point number of 4 or 8 bytes. */
  | { readonly form: 'float'; readonly byteSize: number }
  /** A pointer. `to` is null for void, a function, or a type without a name. */
  | {
      readonly form: 'pointer';
      readonly byteSize: 4 | 8;
      readonly to: Shape | null;
      readonly readOnly: boolean;
    }
  | { readonly form: 'array'; readonly of: Shape; readonly count: number }
  /** A type with a declaration, or an opaque type of size 0 and alignment 1. */
  | {
      readonly form: 'named';
      readonly id: TypeId;
      readonly byteSize: number;
      readonly align: number;
    }
  | { readonly form: 'bytes'; readonly count: number };

/** Size and alignment in bytes of the types with a declaration. */
export type Declared = ReadonlyMap<TypeId, { readonly byteSize: number; readonly align: number }>;

/** Limit of nested pointers and arrays; real code nests at most five. */
const MAX_NESTING = 16;

/** Limit of typedefs and qualifiers in a chain: a longer chain is a loop. */
const MAX_STEPS = 1000;

type Wrapper = {
  /** Number of elements of an array; null for a pointer. */
  readonly count: number | null;
  /** True if the target of a pointer is const. */
  readOnly: boolean;
};

/**
 * Returns the shape of type `id`. A struct, union or enum that is not in `declared` becomes bytes.
 * Adds types behind pointers to `pointees`.
 */
export function shapeOf(
  t: TypeTable,
  id: TypeId,
  declared: Declared,
  pointees: Set<TypeId>,
): Shape {
  const wrappers: Wrapper[] = [];
  let at = id;
  for (let steps = 0; steps < MAX_STEPS && wrappers.length <= MAX_NESTING; steps++) {
    switch (kindOf(t, at)) {
      case BtfKind.ARRAY: {
        const { elemType, nelems } = arrayData(t, at);
        wrappers.push({ count: nelems, readOnly: false });
        at = elemType;
        break;
      }
      case BtfKind.PTR:
        wrappers.push({ count: null, readOnly: false });
        at = typeId(sizeOrTypeOf(t, at));
        break;
      case BtfKind.CONST: {
        const pointer = wrappers.findLast(({ count }) => count === null);
        if (pointer !== undefined) pointer.readOnly = true;
        at = typeId(sizeOrTypeOf(t, at));
        break;
      }
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPEDEF:
      case BtfKind.TYPE_TAG:
        at = typeId(sizeOrTypeOf(t, at));
        break;
      default:
        return wrapped(t, at, wrappers, declared, pointees);
    }
  }
  return bytesOf(t, id);
}

/** Returns `base` inside of arrays and pointers. The first of `wrappers` is the outermost. */
function wrapped(
  t: TypeTable,
  base: TypeId,
  wrappers: readonly Wrapper[],
  declared: Declared,
  pointees: Set<TypeId>,
): Shape {
  const behindPointer = wrappers.some(({ count }) => count === null);
  let shape = behindPointer
    ? pointeeShape(t, base, declared, pointees)
    : valueShape(t, base, declared);
  for (const { count, readOnly } of wrappers.toReversed()) {
    if (count === null) {
      shape = { form: 'pointer', byteSize: pointerSize(t), to: shape, readOnly };
    } else if (shape !== null) {
      shape = { form: 'array', of: shape, count };
    }
  }
  return shape ?? { form: 'bytes', count: 0 };
}

/** Returns the shape of a pointer's target; null if it has none. */
function pointeeShape(
  t: TypeTable,
  id: TypeId,
  declared: Declared,
  pointees: Set<TypeId>,
): Shape | null {
  const kind = kindOf(t, id);
  if (!isComposite(kind) && kind !== BtfKind.FWD) {
    const value = valueShape(t, id, declared);
    return value?.form === 'bytes' ? null : value;
  }
  // A pointer to a type without any name is a pointer to anything.
  if (nameOf(t, id) === '' && !declared.has(id)) return null;
  pointees.add(id);
  return { form: 'named', id, byteSize: 0, align: 1 };
}

/** Returns the shape of a value of type `id`; null if the type has no size. */
function valueShape(t: TypeTable, id: TypeId, declared: Declared): Shape | null {
  const known = declared.get(id);
  if (known !== undefined) return { form: 'named', id, ...known };
  const byteSize = sizeOrTypeOf(t, id);
  const isNumber = byteSize === 1 || byteSize === 2 || byteSize === 4 || byteSize === 8;
  switch (kindOf(t, id)) {
    case BtfKind.INT: {
      const { encoding } = intData(t, id);
      if ((encoding & IntEncoding.BOOL) !== 0 && byteSize === 1) return { form: 'boolean' };
      if (isNumber)
        return { form: 'integer', byteSize, signed: (encoding & IntEncoding.SIGNED) !== 0 };
      const half: Shape = { form: 'integer', byteSize: 8, signed: false };
      return byteSize === 16 ? { form: 'array', of: half, count: 2 } : bytesOf(t, id);
    }
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      // An enum without a declaration, which occurs only behind pointers, is a number.
      if (isNumber) return { form: 'integer', byteSize, signed: kindFlagOf(t, id) };
      return bytesOf(t, id);
    case BtfKind.FLOAT:
      return byteSize === 4 || byteSize === 8 ? { form: 'float', byteSize } : bytesOf(t, id);
    default:
      return sizeOf(t, id) === null ? null : bytesOf(t, id);
  }
}

/** Returns a type as bytes. Sizes above 2^53 are rounded: no struct has room for these bytes. */
function bytesOf(t: TypeTable, id: TypeId): Shape {
  return { form: 'bytes', count: Number(sizeOf(t, id) ?? 0n) };
}

/** Returns the size in bytes of a value with this shape. */
export function shapeSize(shape: Shape): number {
  switch (shape.form) {
    case 'boolean':
      return 1;
    case 'array':
      return shapeSize(shape.of) * shape.count;
    case 'bytes':
      return shape.count;
    default:
      return shape.byteSize;
  }
}

/** Returns the alignment in bytes of a value with this shape. */
export function shapeAlign(shape: Shape): number {
  switch (shape.form) {
    case 'array':
      return shapeAlign(shape.of);
    case 'boolean':
    case 'bytes':
      return 1;
    case 'named':
      return shape.align;
    default:
      return shape.byteSize;
  }
}
