/**
 * Where an access goes, for one side: what libbpf calls a spec.
 *
 * `accessors` are the steps that carry meaning (named members, array indices),
 * which are looked up in a target; `raw` are all indices, those of anonymous
 * members among them. Relocations of types have neither.
 */
import { stripped } from '#analysis/types/strip.ts';
import type { TypeId } from '#model/ids.ts';
import { readEnumerators, readMembers } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { AccessPath, AccessStep } from './access-path.ts';
import { coreKind } from './core-kinds.ts';

export type SpecAccessor = {
  /** Struct, union or enum that holds what is named; the element's type for an index. Stripped. */
  readonly type: TypeId;
  readonly index: number;
  /** Name of the member or enumerator; null for an index. */
  readonly nameOff: number | null;
};

export type Spec = {
  readonly types: TypeTable;
  readonly root: TypeId;
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly accessors: readonly SpecAccessor[];
  readonly raw: readonly number[];
  /** Bits from the start of the first element, modulo 2^32 as libbpf counts. */
  readonly bitOffset: number;
};

/** The spec of the steps of a path, whole or as far as they go. */
export function localSpec(
  types: TypeTable,
  { root, kind, steps }: Pick<AccessPath, 'root' | 'kind' | 'steps'>,
): Spec {
  if (coreKind(kind)?.group === 'type') {
    return { types, root, kind, accessors: [], raw: [], bitOffset: 0 };
  }
  return {
    types,
    root,
    kind,
    accessors: steps.filter((s) => s.means !== 'anonymous-member').map((s) => accessor(types, s)),
    raw: steps.map((step) => step.index),
    bitOffset: Number(BigInt.asUintN(32, steps.at(-1)?.bitOffset ?? 0n)),
  };
}

function accessor(t: TypeTable, { means, container, type, index }: AccessStep): SpecAccessor {
  const holder = stripped(t, container);
  switch (means) {
    case 'member':
      return { type: holder, index, nameOff: readMembers(t, holder).nameOff(index) };
    case 'enumerator':
      return { type: holder, index, nameOff: readEnumerators(t, holder).nameOff(index) };
    default:
      return { type: stripped(t, type), index, nameOff: null };
  }
}

/** Bits of `index` elements of `size` bytes, modulo 2^32. */
export function elementBits(index: number, size: number): number {
  return (Math.imul(index, size) << 3) >>> 0;
}
