/**
 * A small BTF with the parts of a target that some relocations need, as `bpftool gen min_core_btf`
 * writes it (gen.c, 7.1), in the order of the target's ids.
 *
 * A field needs the members on its path and their types. A type needs all types that it refers to,
 * up to the next struct. type_matches needs complete structs, but structs without members behind
 * pointers. An enumerator needs its complete enum. One difference: bpftool fails at a FWD or a type
 * tag, but this code copies both.
 */
import type { CoreResult } from '#analysis/core/resolve.ts';
import { type CopiedTypes, type CopyOptions, copyTypes } from '#analysis/rewrite/copy-types.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { type MatchedSpec, markSpec, TypeMarks } from './type-marks.ts';

export type MinBtf = CopiedTypes & {
  /** Number of members of all structs and unions in the minimal BTF. */
  readonly memberCount: number;
};

/** Returns the minimal BTF of `t` for `specs`; uses an invalid path up to its last valid step. */
export function minBtf(
  t: TypeTable,
  specs: Iterable<MatchedSpec>,
  options: Pick<CopyOptions, 'endian' | 'encoding'> = {},
): MinBtf {
  const marks = new TypeMarks(t);
  for (const spec of specs) markSpec(t, marks, spec);
  const copied = copyTypes(t, markedIds(t, marks), {
    ...options,
    keepMember: (id, index) => marks.hasMember(id, index),
  });
  return { ...copied, memberCount: marks.memberCount };
}

function* markedIds(t: TypeTable, marks: TypeMarks): Generator<TypeId, void, void> {
  for (let id = 1; id <= lastId(t); id++) if (marks.has(typeId(id))) yield typeId(id);
}

type MatchedSpecs = {
  readonly specs: readonly MatchedSpec[];
  /** Rows of ambiguous or invalid records. bpftool writes no BTF if there is such a record. */
  readonly undecided: readonly number[];
};

/** Returns the specs of the first matches in target table number `table`, as bpftool does. */
export function matchedSpecs(results: Iterable<CoreResult>, table = 0): MatchedSpecs {
  const specs: MatchedSpec[] = [];
  const undecided: number[] = [];
  for (const { record, matched, targetSpec, resolveErr } of results) {
    if (resolveErr !== 0) {
      undecided.push(record.index);
    } else if (targetSpec !== null && matched[0]?.table === table) {
      specs.push({ kind: record.kind, root: targetSpec.root, raw: targetSpec.raw });
    }
  }
  return { specs, undecided };
}
