/** The stages of a blob from the compiler to the kernel, with their lists. */

import type { KernelVerdict, Problem } from '#analysis/kernel/verdict.ts';
import {
  type CheckStage,
  checkSpan,
  type FileCheck,
  type LoadedStage,
} from '#analysis/libbpf/file-check.ts';
import type { Span } from '#bytes/span.ts';
import type { Selection } from '#model/selection.ts';

/** `stored`: as it is in the file. `rewrites`: what libbpf changes. `loaded`: as the kernel gets it. `calls`: how it gets it, with maps and programs. */
export type StageName = 'stored' | 'rewrites' | 'loaded' | 'calls';

/** Returns the final verdict on the BTF: as loaded if a loader changes it, else as stored. */
export function finalStage(check: FileCheck): CheckStage {
  return check.loaded ?? check.stored;
}

/**
 * The stage that a person wants to see first: the one that has the selected bytes, else that of
 * the last verdict. An object is judged as libbpf loads it, except where libbpf aborts before that.
 */
export function firstStage(check: FileCheck, selection: Selection): StageName {
  const { stored, loaded } = check;
  if (loaded === null) return 'stored';
  const last = loaded.stopped === null ? 'loaded' : 'stored';
  const hasSelected = (stage: CheckStage) =>
    shownProblems(stage).some((place) => isSelected(selection, checkSpan(check, stage, place)));
  if (last === 'loaded' && hasSelected(loaded)) return 'loaded';
  if (hasSelected(stored)) return 'stored';
  return selectedRewrite(check, loaded, selection) === null ? last : 'rewrites';
}

/** Returns the number of the first rewrite whose bytes are selected; null for none. */
export function selectedRewrite(
  check: FileCheck,
  loaded: LoadedStage,
  selection: Selection,
): number | null {
  const index = loaded.rewrites.findIndex((place) =>
    isSelected(selection, checkSpan(check, loaded, place)),
  );
  return index < 0 ? null : index;
}

/** Returns whether the selection is exactly this span. */
export function isSelected(selection: Selection, span: Span | null): boolean {
  if (selection.kind !== 'bytes' || span === null) return false;
  return selection.start === span.start && selection.end === span.end;
}

/** Returns whether a little-endian kernel has another verdict. Only for big-endian blobs. */
export function isForeign({ verdict: { kernel, native } }: CheckStage): boolean {
  return kernel.verdict === 'refused' && !isSameVerdict(kernel, native);
}

/** Returns whether both accept, or both reject by the same rule at the same place. */
export function isSameVerdict(a: KernelVerdict, b: KernelVerdict): boolean {
  if (a.verdict === 'ok' || b.verdict === 'ok') return a.verdict === b.verdict;
  return a.word === b.word && a.blobOffset === b.blobOffset;
}

/** Returns the problems without the one that every blob of the other byte order has. */
export function shownProblems(stage: CheckStage): readonly Problem[] {
  const { kernel, problems } = stage.verdict;
  if (kernel.verdict === 'ok' || !isForeign(stage)) return problems;
  return problems.filter(
    ({ blobOffset, word }) => blobOffset !== kernel.blobOffset || word !== kernel.word,
  );
}
