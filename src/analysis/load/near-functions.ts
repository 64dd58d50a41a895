/** Finds functions of kernels whose names are similar to a function that some kernels lack. */
import { findByNameKind, type LoadKernel, namesOfKind } from '#analysis/kernel/kernel.ts';
import { areCompatible } from '#analysis/libbpf/resolve-externs.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

const MAX_NAMES = 3;
/** Words at the start or end of many names: they do not identify a function. */
const COMMON = new Set(['do', 'vfs', 'sys', 'ksys', 'security', '', 'x64', 'arm64']);

/** Minimum similarity of two names: length of their shared words divided by that of all words. */
const MIN_SIMILARITY = 0.6;
/** Minimum similarity if no kernel has the function: parameters cannot be compared then. */
const MIN_SIMILARITY_BY_NAME = 0.75;

/** Returns at most three similar names. If a kernel has the function, their parameters fit. */
export function nearFunctions(name: string, kernels: readonly LoadKernel[]): readonly string[] {
  const words = wordsOf(name);
  const proto = kernels
    .map(({ vmlinux }) => protoOf(vmlinux, name))
    .find((known) => known !== null);
  const minimum = proto === undefined ? MIN_SIMILARITY_BY_NAME : MIN_SIMILARITY;
  const scores = new Map<string, number>();
  for (const { vmlinux } of kernels) {
    for (const candidate of vmlinux === null ? [] : namesOfKind(vmlinux, BtfKind.FUNC)) {
      if (candidate === name || scores.has(candidate)) continue;
      const score = similarity(words, candidate);
      if (score < minimum) continue;
      const near = protoOf(vmlinux, candidate);
      const fits =
        proto === undefined ||
        (near !== null && areCompatible(proto.types, proto.id, near.types, near.id));
      if (fits) scores.set(candidate, score);
    }
  }
  const kernelsWith = (candidate: string) =>
    kernels.filter(({ vmlinux }) => protoOf(vmlinux, candidate) !== null).length;
  return [...scores]
    .map(([candidate, score]) => ({ candidate, score, count: kernelsWith(candidate) }))
    .toSorted(
      (a, b) => b.count - a.count || b.score - a.score || (a.candidate < b.candidate ? -1 : 1),
    )
    .slice(0, MAX_NAMES)
    .map(({ candidate }) => candidate);
}

function protoOf(types: TypeTable | null, name: string) {
  const id = types === null ? null : findByNameKind(types, BtfKind.FUNC, name);
  return types === null || id === null ? null : { types, id: typeId(sizeOrTypeOf(types, id)) };
}

function wordsOf(name: string): readonly string[] {
  return name.split('_').filter((word) => !COMMON.has(word));
}

/** Returns the similarity from 0 to 1; 0 if the candidate lacks the longest of `words`. */
function similarity(words: readonly string[], candidate: string): number {
  const longest = words.toReversed().toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined || !candidate.includes(longest)) return 0;
  const candidateWords = wordsOf(candidate);
  if (!candidateWords.includes(longest)) return 0;
  const length = (some: readonly string[]) => some.reduce((sum, word) => sum + word.length, 0);
  const shared = words.filter((word) => candidateWords.includes(word));
  return (2 * length(shared)) / (length(words) + length(candidateWords));
}
