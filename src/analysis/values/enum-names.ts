/** Values of enums by name. */
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import { kindFlagOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

type Names = {
  /** The first enumerator of each value, cut to the enum's size. */
  readonly byValue: ReadonlyMap<bigint, string>;
  /** Single bits in their order; empty unless all enumerators are such, or 0. */
  readonly flags: readonly (readonly [bit: bigint, name: string])[];
};

const known = new WeakMap<TypeTable, Map<TypeId, Names>>();

function namesOf(t: TypeTable, id: TypeId): Names {
  let names = known.get(t);
  if (names === undefined) {
    names = new Map();
    known.set(t, names);
  }
  let found = names.get(id);
  if (found === undefined) {
    found = findNames(t, id);
    names.set(id, found);
  }
  return found;
}

function findNames(t: TypeTable, id: TypeId): Names {
  const bits = enumBits(t, id);
  const byValue = new Map<bigint, string>();
  for (const { value, name } of enumeratorsOf(t, id)) {
    const cut = BigInt.asUintN(bits, value);
    if (!byValue.has(cut)) byValue.set(cut, name);
  }
  const flags = [...byValue].filter(([value]) => value !== 0n);
  // 0, 1, 2 are states one after the other as well as flags: only a third bit tells.
  const areFlags = flags.length > 2 && flags.every(([value]) => (value & (value - 1n)) === 0n);
  return { byValue, flags: areFlags ? flags : [] };
}

/** Bits of an ENUM or ENUM64 as its size says, at most 64. */
export function enumBits(t: TypeTable, id: TypeId): number {
  return 8 * Math.min(8, sizeOrTypeOf(t, id));
}

/** `raw`, the unsigned number of `bitSize` bits, with the sign that the enum's kind_flag gives it. */
export function enumValue(t: TypeTable, id: TypeId, raw: bigint, bitSize: number): bigint {
  return kindFlagOf(t, id) ? BigInt.asIntN(bitSize, raw) : raw;
}

/**
 * The name of `value`; of an enum that has nothing but single bits, the names of the
 * bits that are set. Empty where that leaves something without a name.
 */
export function enumNames(t: TypeTable, id: TypeId, value: bigint): readonly string[] {
  const { byValue, flags } = namesOf(t, id);
  const cut = BigInt.asUintN(enumBits(t, id), value);
  const name = byValue.get(cut);
  if (name !== undefined) return [name];
  const set = flags.filter(([bit]) => (cut & bit) !== 0n);
  const isAll = set.reduce((left, [bit]) => left & ~bit, cut) === 0n;
  return isAll ? set.map(([, flag]) => flag) : [];
}
