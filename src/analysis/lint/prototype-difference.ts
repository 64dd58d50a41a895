/**
 * Compares the prototypes of two functions of one name: types that C calls compatible are equal,
 * structs and enums by name, as pahole compares functions (`types__match`, btf_encoder.c).
 *
 * Typedefs are equal to their types. Qualifiers and type tags are not compared: pahole ignores
 * const, and the verifier reads none of them. Names of parameters are not compared either.
 */
import { declaratorText } from '#analysis/types/declarator.ts';
import { counted } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { readParams } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';

/** Maximum number of compared pairs of types. Prototypes beyond it are taken as equal. */
const MAX_PAIRS = 2000;
const MAX_NAME = 512;
const MAX_TEXT = 160;

type Pair = readonly [a: TypeId, b: TypeId];

/** Number of pairs of types that may still be compared. */
type Budget = { left: number };

/**
 * Returns the first difference of two FUNC_PROTOs of a table as text; null if they are equal.
 * Takes the compared pairs of types from `total`.
 */
export function prototypeDifference(
  t: TypeTable,
  a: TypeId,
  b: TypeId,
  total: Budget,
): string | null {
  if (a === b) return null;
  const most = Math.min(MAX_PAIRS, total.left);
  const budget: Budget = { left: most };
  const difference = differenceWithin(t, a, b, budget);
  total.left -= most - Math.max(budget.left, 0);
  return difference;
}

function differenceWithin(t: TypeTable, a: TypeId, b: TypeId, budget: Budget): string | null {
  const [params, others] = [readParams(t, a), readParams(t, b)];
  const [result, otherResult] = [typeId(sizeOrTypeOf(t, a)), typeId(sizeOrTypeOf(t, b))];
  if (!areEqual(t, [result, otherResult], budget)) {
    return `result ${typeText(t, result)} → ${typeText(t, otherResult)}`;
  }
  if (params.count !== others.count) {
    return `${counted(params.count, 'parameter')} → ${others.count}`;
  }
  for (let i = 0; i < params.count && budget.left > 0; i++) {
    const [type, other] = [params.type(i), others.type(i)];
    if (areEqual(t, [type, other], budget)) continue;
    return `parameter ${i + 1} ${paramText(t, type)} → ${paramText(t, other)}`;
  }
  return null;
}

/** Compares two types and all that their declarations consist of, without recursion. */
function areEqual(t: TypeTable, pair: Pair, budget: Budget): boolean {
  const pairs: Pair[] = [pair];
  for (let next = pairs.pop(); next !== undefined; next = pairs.pop()) {
    budget.left--;
    if (budget.left < 0) return true;
    const a = skipModifiers(t, next[0]);
    const b = skipModifiers(t, next[1]);
    if (a === b) continue;
    const inner = innerPairs(t, a, b, budget.left);
    if (inner === null) return false;
    for (const each of inner) pairs.push(each);
  }
  return true;
}

/** Returns the pairs on which the equality of two types depends; null if they differ. */
function innerPairs(t: TypeTable, a: TypeId, b: TypeId, most: number): readonly Pair[] | null {
  if (a === VOID || b === VOID) return null;
  const kind = kindOf(t, a);
  if (composite(t, a) !== composite(t, b)) return null;
  switch (kind) {
    case BtfKind.PTR:
      return [[typeId(sizeOrTypeOf(t, a)), typeId(sizeOrTypeOf(t, b))]];
    case BtfKind.ARRAY: {
      const [array, other] = [arrayData(t, a), arrayData(t, b)];
      return array.nelems === other.nelems ? [[array.elemType, other.elemType]] : null;
    }
    case BtfKind.FUNC_PROTO:
      return protoPairs(t, a, b, most);
    default:
      return nameOf(t, a, MAX_NAME) === nameOf(t, b, MAX_NAME) && areEqualNumbers(t, a, b)
        ? []
        : null;
  }
}

function protoPairs(t: TypeTable, a: TypeId, b: TypeId, most: number): readonly Pair[] | null {
  const [params, others] = [readParams(t, a), readParams(t, b)];
  if (params.count !== others.count) return null;
  const pairs: Pair[] = [[typeId(sizeOrTypeOf(t, a)), typeId(sizeOrTypeOf(t, b))]];
  for (let i = 0; i < Math.min(params.count, most); i++) {
    pairs.push([params.type(i), others.type(i)]);
  }
  return pairs;
}

/** Returns the kind, of a declaration the kind that it declares. */
function composite(t: TypeTable, id: TypeId): number {
  const kind = kindOf(t, id);
  if (kind === BtfKind.ENUM64) return BtfKind.ENUM;
  if (kind !== BtfKind.FWD) return kind;
  return kindFlagOf(t, id) ? BtfKind.UNION : BtfKind.STRUCT;
}

/** Returns true for INTs and FLOATs of equal size and encoding, and for all other kinds. */
function areEqualNumbers(t: TypeTable, a: TypeId, b: TypeId): boolean {
  const kind = kindOf(t, a);
  if (kind !== BtfKind.INT && kind !== BtfKind.FLOAT) return true;
  const [data, other] = [intData(t, a), intData(t, b)];
  const isSame = data.bits === other.bits && data.encoding === other.encoding;
  return isSame && sizeOrTypeOf(t, a) === sizeOrTypeOf(t, b);
}

const paramText = (t: TypeTable, type: TypeId) => (type === VOID ? '...' : typeText(t, type));

const typeText = (t: TypeTable, type: TypeId) => declaratorText(t, type, '', MAX_TEXT);
