/** Functions of kernels with names similar to a function that some kernels lack. */
import { findByNameKind, type LoadKernel, namesOfKind } from '#analysis/kernel/kernel.ts';
import { areCompatible } from '#analysis/libbpf/resolve-externs.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

const MOST = 3;
/** Words at the start or end of many names, which do not identify a function. */
const COMMON = new Set(['do', 'vfs', 'sys', 'ksys', 'security', '', 'x64', 'arm64']);

/** Minimum similarity: length of the shared words as a share of all words. */
const NEAR = 0.6;
/** Minimum similarity if no kernel has the function, so parameters cannot be compared. */
const VERY_NEAR = 0.75;

/**
 * Returns at most three similar names, first those that most kernels have, then the nearest. Each
 * has the longest word of the name, and the parameters of the function where a kernel has it.
 */
export function nearFunctions(name: string, kernels: readonly LoadKernel[]): readonly string[] {
  const words = wordsOf(name);
  const own = kernels.map(({ vmlinux }) => protoOf(vmlinux, name)).find((one) => one !== null);
  const scores = new Map<string, number>();
  for (const { vmlinux } of kernels) {
    for (const other of vmlinux === null ? [] : namesOfKind(vmlinux, BtfKind.FUNC)) {
      if (other === name || scores.has(other)) continue;
      const score = nearness(words, other);
      if (score < (own === undefined ? VERY_NEAR : NEAR)) continue;
      const proto = protoOf(vmlinux, other);
      const fits =
        own === undefined ||
        (proto !== null && areCompatible(own.types, own.id, proto.types, proto.id));
      if (fits) scores.set(other, score);
    }
  }
  const kernelsWith = (other: string) =>
    kernels.filter(({ vmlinux }) => protoOf(vmlinux, other) !== null).length;
  return [...scores]
    .map(([other, score]) => ({ other, score, count: kernelsWith(other) }))
    .toSorted((a, b) => b.count - a.count || b.score - a.score || (a.other < b.other ? -1 : 1))
    .slice(0, MOST)
    .map(({ other }) => other);
}

function protoOf(types: TypeTable | null, name: string) {
  const id = types === null ? null : findByNameKind(types, BtfKind.FUNC, name);
  return types === null || id === null ? null : { types, id: typeId(sizeOrTypeOf(types, id)) };
}

function wordsOf(name: string): readonly string[] {
  return name.split('_').filter((word) => !COMMON.has(word));
}

/** Returns the similarity from 0 to 1; 0 without the longest of `words`. */
function nearness(words: readonly string[], other: string): number {
  const longest = words.toReversed().toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined || !other.includes(longest)) return 0;
  const others = wordsOf(other);
  if (!others.includes(longest)) return 0;
  const length = (some: readonly string[]) => some.reduce((sum, word) => sum + word.length, 0);
  const shared = words.filter((word) => others.includes(word));
  return (2 * length(shared)) / (length(words) + length(others));
}
