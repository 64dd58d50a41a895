/** Finds functions of kernels whose names are similar to a function that some kernels lack. */
import { funcModel, modelFault } from '#analysis/kernel/func-model.ts';
import { findByNameKind, type LoadKernel, namesOfKind } from '#analysis/kernel/kernel.ts';
import { isSyscall } from '#analysis/kernel/machine.ts';
import { declaratorText } from '#analysis/types/declarator.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

export type NearFunction = {
  /** Name and prototype in the first kernel that has the function, as raw text. */
  readonly name: string;
  readonly prototype: string;
  /**
   * True if the function takes the place of the wanted one: the same name but for underscores and
   * `_noprof`, and the same arguments and result.
   */
  readonly isSame: boolean;
};

export type NearFunctions = {
  /** Prototype of the wanted function in the first kernel that has it; null if none has. */
  readonly wanted: string | null;
  /** At most three functions, those that take the place of the wanted one first. */
  readonly near: readonly NearFunction[];
};

const MAX_NAMES = 3;
const MAX_PROTOTYPE = 300;
/** Words at the start or end of many names: they do not identify a function. */
const COMMON = new Set(['do', 'vfs', 'sys', 'ksys', 'security', '', 'x64', 'arm64']);

/** Minimum similarity of two names: length of their shared words divided by that of all words. */
const MIN_SIMILARITY = 0.6;
/** Minimum similarity if no kernel has the function: prototypes cannot be compared then. */
const MIN_SIMILARITY_BY_NAME = 0.75;

/** Returns functions with similar names that a program can trace on a kernel that has them. */
export function nearFunctions(name: string, kernels: readonly LoadKernel[]): NearFunctions {
  const words = wordsOf(name);
  const wanted = kernels.map((kernel) => protoOf(kernel, name)).find((proto) => proto !== null);
  const minimum = wanted === undefined ? MIN_SIMILARITY_BY_NAME : MIN_SIMILARITY;
  const scores = new Map<string, number>();
  const near = new Map<string, NearFunction>();
  for (const kernel of kernels) {
    const { vmlinux } = kernel;
    for (const candidate of vmlinux === null ? [] : namesOfKind(vmlinux, BtfKind.FUNC)) {
      if (candidate === name || scores.has(candidate)) continue;
      const score = similarity(words, candidate);
      if (score < minimum) continue;
      scores.set(candidate, score);
      // The only argument of such a function is `struct pt_regs *`.
      if (isSyscall(candidate) && !isSyscall(name)) continue;
      const proto = protoOf(kernel, candidate);
      if (proto === null || !isTraceable(candidate, proto, kernel)) continue;
      const isSame =
        wanted !== undefined &&
        coreName(candidate) === coreName(name) &&
        kernels.every((one) => hasPrototype(one, candidate, textOf(wanted, '')));
      near.set(candidate, { name: candidate, prototype: textOf(proto, candidate), isSame });
    }
  }
  const rankOf = ({ name: candidate, isSame }: NearFunction) => {
    const count = kernels.filter((kernel) => protoOf(kernel, candidate) !== null).length;
    return [Number(isSame), count, scores.get(candidate) ?? 0] as const;
  };
  const ranked = Array.from(near.values(), (one) => ({ one, rank: rankOf(one) }));
  ranked.sort(({ one: a, rank: x }, { one: b, rank: y }) => {
    return y[0] - x[0] || y[1] - x[1] || y[2] - x[2] || (a.name < b.name ? -1 : 1);
  });
  return {
    wanted: wanted === undefined ? null : textOf(wanted, name),
    near: ranked.slice(0, MAX_NAMES).map(({ one }) => one),
  };
}

type Proto = { readonly types: TypeTable; readonly id: TypeId };

function protoOf({ vmlinux }: LoadKernel, name: string): Proto | null {
  const id = vmlinux === null ? null : findByNameKind(vmlinux, BtfKind.FUNC, name);
  return vmlinux === null || id === null
    ? null
    : { types: vmlinux, id: typeId(sizeOrTypeOf(vmlinux, id)) };
}

function textOf({ types, id }: Proto, name: string): string {
  return declaratorText(types, id, name, MAX_PROTOTYPE, { tags: false });
}

/** Returns true if a kernel lacks a function, or has it with the prototype. */
function hasPrototype(kernel: LoadKernel, name: string, prototype: string): boolean {
  const proto = protoOf(kernel, name);
  return proto === null || textOf(proto, '') === prototype;
}

function isTraceable(name: string, { types, id }: Proto, kernel: LoadKernel): boolean {
  return modelFault(name, funcModel(types, id), kernel)?.isSure !== true;
}

/** Returns a name without underscores at its start, and without the suffix of allocators. */
function coreName(name: string): string {
  return name.replace(/^_+|_noprof$/g, '');
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
