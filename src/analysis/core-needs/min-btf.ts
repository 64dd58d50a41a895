/**
 * A small BTF with the parts of a target that some relocations need, as `bpftool gen min_core_btf`
 * writes it. The input is the target and the spec of the first matching candidate of each record;
 * the types are in the order of the target's ids.
 *
 * The rules are those of bpftool's gen.c (7.1): a field keeps the members on its path and their
 * types; a type keeps all that it refers to, up to the next struct; type_matches keeps whole
 * structs, up to those behind pointers; an enumerator keeps its enum whole. Offsets and sizes are
 * unchanged. One difference: kinds on the path at which bpftool gives up (a FWD or type tag) are
 * kept as a modifier or leaf.
 */
import type { CoreResult } from '#analysis/core/resolve.ts';
import { type CopiedTypes, type CopyOptions, copyTypes } from '#analysis/rewrite/copy-types.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { type MatchedSpec, markSpec, TypeMarks } from './type-marks.ts';

export type MinBtf = CopiedTypes & {
  /** Members that were kept, of all structs and unions. */
  readonly memberCount: number;
};

/** The minimal BTF of `specs` on `t`. A path that leads nowhere is kept as far as it goes. Never throws. */
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
  /**
   * Rows without a decision: two types gave different answers, or the record is wrong. bpftool
   * writes nothing for such an object. On a minimal BTF of the others their result may differ,
   * since fewer types can match.
   */
  readonly undecided: readonly number[];
};

/**
 * The specs of the first match of each result in one table of the target, as
 * bpftool takes them: other matches agree with it. `table` is its index in
 * `CoreTarget.tables`.
 */
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
