/** Limits of relocation values, as the supplements state them and as linkers check them. */
import type { RelocationField } from '#formats/elf/relocations/relocation-field.ts';
import {
  LINKERS,
  type Linker,
  type RelocationCheck,
  type RelocationType,
} from '#formats/elf/relocations/relocation-type.ts';
import { groupFits } from './encode.ts';

/** Smallest and largest value without overflow; null for no limit on that side. */
export type ValueRange = {
  readonly min: bigint | null;
  readonly max: bigint | null;
  readonly multipleOf: number;
};

/** Returns the values that a check accepts, before the field's constant is added. */
export function rangeOf(
  { rule, bits, multipleOf }: RelocationCheck,
  { adjust }: RelocationField,
  place: bigint | null,
): ValueRange {
  const power = 1n << BigInt(bits);
  const shifted = (min: bigint, max: bigint) => ({
    min: min - adjust,
    max: max - adjust,
    multipleOf,
  });
  switch (rule) {
    case 's':
    case 'unwrapped':
      return shifted(-power / 2n, power / 2n - 1n);
    case 'u':
      return shifted(0n, power - 1n);
    case 'x':
      return shifted(-power / 2n, power - 1n);
    case 'm':
      return shifted(1n - power, power - 1n);
    case 'jump': {
      if (place === null) return { min: null, max: null, multipleOf };
      const region = (place + 4n) & ~0xfff_ffffn;
      return { min: region, max: region + 0xfff_ffffn, multipleOf };
    }
    default:
      return { min: null, max: null, multipleOf };
  }
}

export type Overflow = {
  /** Result of GNU ld, or of lld if only lld has the type. */
  readonly first: boolean;
  /** Result by linker; null if the linker does not have the type. */
  readonly by: Readonly<Record<Linker, boolean | null>>;
  /** True if a linker reaches the target through a stub. */
  readonly stub: boolean;
};

export type CheckedValue = {
  readonly value: bigint;
  /** The value before an address of 32 bits wraps around. */
  readonly unwrapped: bigint;
  readonly place: bigint | null;
  /** True if the symbol is undefined: linkers make no stub for it. */
  readonly isUndefined: boolean;
};

/** Returns whether a value overflows its field, by linker. */
export function overflowOf(
  type: RelocationType,
  field: RelocationField,
  checked: CheckedValue,
): Overflow {
  const results = LINKERS.map((linker) => {
    const rule = type.byLinker[linker];
    if (rule === 'unsupported') return { linker, overflows: null, stub: false };
    const isStub = rule === 'stub' && !checked.isUndefined;
    const check = rule === 'stub' ? type.check : rule;
    const overflows = !accepts(check, type, field, checked);
    return { linker, overflows: overflows && !isStub, stub: overflows && isStub };
  });
  const [ld, lld] = results;
  return {
    first: ld?.overflows ?? lld?.overflows ?? false,
    by: { ld: ld?.overflows ?? null, lld: lld?.overflows ?? null },
    stub: results.some(({ stub }) => stub),
  };
}

function accepts(
  check: RelocationCheck,
  type: RelocationType,
  field: RelocationField,
  { value, unwrapped, place }: CheckedValue,
): boolean {
  const { min, max, multipleOf } = rangeOf(check, field, place);
  const tested = check.rule === 'unwrapped' ? unwrapped : value;
  const isInside = (min === null || tested >= min) && (max === null || tested <= max);
  if (!isInside || tested % BigInt(multipleOf) !== 0n) return false;
  return check.rule !== 'rest' || groupFits(value, type, field);
}
