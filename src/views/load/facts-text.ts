/** Facts about a kernel beside its BTF, in words. Names are raw text. */
import type { KernelNeed } from '#analysis/libbpf/resolve-externs.ts';
import type { FactNote, KernelFacts } from '#store/kernels/kernel-facts.ts';
import { countOf } from '#views/parts/number-text.ts';

/** Returns the kind of an attached file, in words. */
export function noteText(note: FactNote): string {
  switch (note.kind) {
    case 'modules': {
      const { names } = note;
      const shown = names.slice(0, MAX_NAMES).join(', ');
      const rest = names.length - MAX_NAMES;
      return names.length === 1
        ? `module ${shown}`
        : `${countOf(names.length, 'module')}: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
    }
    case 'config':
      return 'kernel configuration';
    case 'kallsyms':
      return 'kallsyms';
    case 'refused':
      return `not used: ${note.reason}`;
  }
}

const MAX_NAMES = 6;

/** Returns a summary of all facts; empty without facts. */
export function factsText(
  { files, isComplete, release, unameVersion }: KernelFacts,
  notes: readonly FactNote[],
): string {
  if (notes.length < files.length) return countOf(files.length, 'file');
  const modules = notes.flatMap((note) => (note.kind === 'modules' ? note.names : []));
  const refused = notes.filter(({ kind }) => kind === 'refused').length;
  return [
    modules.length > 0 ? countOf(modules.length, 'module') : '',
    isComplete ? `no ${modules.length > 0 ? 'other ' : ''}module loaded` : '',
    notes.some(({ kind }) => kind === 'config') ? 'config' : '',
    notes.some(({ kind }) => kind === 'kallsyms') ? 'kallsyms' : '',
    release === null && unameVersion === null ? '' : 'version',
    refused === 0 ? '' : `${countOf(refused, 'file')} not used`,
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** Action that decides more. */
export const NEED_WORDS: Readonly<Record<KernelNeed, string>> = {
  modules: "Add the kernel's modules to decide",
  config: "Add the kernel's config to decide",
  kallsyms: "Add the kernel's kallsyms to decide",
  release: "Enter the kernel's version to decide",
};

/** What stays undecided without a fact about the kernel. */
export const MISSING_WORDS: Readonly<Record<KernelNeed, string>> = {
  modules: 'No modules: what they may have is undecided.',
  config: 'No config: kconfig externs are undecided.',
  kallsyms: 'No kallsyms: addresses of symbols are undecided.',
  release: 'No version: LINUX_KERNEL_VERSION is undecided.',
};
