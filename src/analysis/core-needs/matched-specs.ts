/** From what the resolver found to what a minimal BTF must hold. */
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { MatchedSpec } from './mark-spec.ts';

export type MatchedSpecs = {
  readonly specs: readonly MatchedSpec[];
  /**
   * Rows that could not be decided: two types gave different answers, or the record
   * itself is wrong. bpftool writes nothing for such an object. With a minimal BTF
   * of the others they may come out otherwise, since fewer types are left to match.
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
