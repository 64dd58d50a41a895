/** Random types, and the pair graph of two type tables, for tests of comparisons. */
import fc from 'fast-check';
import { pairGraphOf } from '#analysis/compare/compare-types.ts';
import type { PairGraph } from '#analysis/compare/pair-graph.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from './btf-blob.ts';
import {
  array,
  enumeration,
  func,
  funcProto,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
} from './btf-types.ts';
import { tableOf } from './type-table.ts';

/** Returns a table of the given types; their ids begin at 1. */
export function tableFrom(types: readonly TypeRecord[]): TypeTable {
  return tableOf(btfBlob({ types }).bytes);
}

/** Returns the pair graph of two tables, made from their types. */
export function graphFrom(before: readonly TypeRecord[], after: readonly TypeRecord[]): PairGraph {
  return pairGraphOf(tableFrom(before), tableFrom(after));
}

const name = fc.constantFrom('', 'a', 'b', 'c', 'd');

/** Generates valid records with random references, cycles and duplicate names. */
export function anyTypes(most = 12): fc.Arbitrary<TypeRecord[]> {
  const ref = fc.nat({ max: most + 1 });
  const member = fc.record({ name, type: ref, bitOffset: fc.nat({ max: 256 }) });
  const anyRecord = fc.oneof(
    fc.tuple(name, fc.constantFrom(1, 4, 8)).map(([n, size]) => int(n, size)),
    ref.map(ptr),
    fc
      .tuple(fc.constantFrom('const' as const, 'volatile' as const), ref)
      .map(([k, r]) => modifier(k, r)),
    fc.tuple(name, ref).map(([n, r]) => typedef(n, r)),
    fc.tuple(ref, fc.nat({ max: 3 })).map(([r, n]) => array(r, 1, n)),
    fc.tuple(name, fc.array(member, { maxLength: 4 })).map(([n, m]) => struct(n, 32, m)),
    fc.tuple(name, fc.array(member, { maxLength: 4 })).map(([n, m]) => union(n, 32, m)),
    fc
      .tuple(name, fc.array(fc.tuple(name, fc.nat({ max: 3 })), { maxLength: 3 }))
      .map(([n, v]) => enumeration(n, v)),
    fc.tuple(ref, fc.array(fc.tuple(name, ref), { maxLength: 3 })).map(([r, p]) => funcProto(r, p)),
    fc.tuple(name, ref).map(([n, r]) => func(n, r)),
  );
  return fc.array(anyRecord, { minLength: 1, maxLength: most });
}
