/** Tells in one sentence on which kernels an object loads. */
import { DEPENDENCIES, type Dependency } from '#analysis/kernel/dependency.ts';
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import { OUTCOME_WORDS, OUTCOMES, type Outcome, type Reason } from '#analysis/libbpf/outcome.ts';
import { shortKernelNames } from './kernel-names.ts';

export const DEPENDENCY_WORDS: Readonly<Record<Dependency, string>> = {
  modules: 'a module',
  config: 'the config',
  kallsyms: 'kallsyms',
  release: 'the version',
  branch: 'a branch',
  running: 'the running kernel',
  search: 'a search that is cut off',
  file: 'how libbpf reads the broken file',
};

/** What the sentence needs of a reason. */
type Undecided = Pick<Reason, 'dependsOn'>;

/** A kernel with the verdict on the object; null while the kernel is read. */
export type JudgedKernel<Verdict = VerdictInBrief> = {
  /** Name of the kernel, as raw text. */
  readonly name: string;
  readonly verdict: Verdict | null;
  /** True if the kernel could not be read. */
  readonly isFailed?: boolean;
};

/** What the sentence needs of a verdict. */
type VerdictInBrief = Pick<LoadVerdict, 'outcome'> & {
  readonly reasons: readonly Undecided[];
  readonly programs: readonly {
    readonly autoload: boolean;
    readonly reasons: readonly Undecided[];
  }[];
};

/** Joins words: `a`, `a and b`, `a, b and c`. Of many, the first `most` and the number of others. */
export function listed(words: readonly string[], most = 8): string {
  const shown = words.length <= most + 1 ? words : words.slice(0, most);
  const rest = words.length - shown.length;
  const all = rest === 0 ? shown : [...shown, `${rest} more`];
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

/** Returns an outcome in words: `loads`, `refused`, `depends on a module and the config`. */
export function outcomeWords(outcome: Outcome, reasons: readonly Undecided[]): string {
  const names = outcome === 'may-fail' ? dependencies(reasons) : [];
  return names.length === 0
    ? OUTCOME_WORDS[outcome]
    : `depends on ${listed(names.map((name) => DEPENDENCY_WORDS[name]))}`;
}

function dependencies(reasons: readonly Undecided[]): readonly Dependency[] {
  return DEPENDENCIES.filter((name) => reasons.some(({ dependsOn }) => dependsOn === name));
}

/** Returns all reasons that decide the outcome of the object: its own, and of its programs. */
function decidingReasons({ reasons, programs }: VerdictInBrief): Undecided[] {
  const loaded = programs.filter(({ autoload }) => autoload);
  return [...reasons, ...loaded.flatMap((program) => program.reasons)];
}

/**
 * Returns on which kernels an object loads: `Loads on 2 of 5 kernels; refused on 5.10, 6.1 and
 * 6.12.` The sentence is empty without kernels. `kernels` are in the order of the names in it.
 */
export function loadSentence(kernels: readonly JudgedKernel[]): string {
  const names = shortKernelNames(kernels.map(({ name }) => name));
  const total = kernels.length;
  if (total === 0) return '';
  const groups = new Map<string, { outcome: Outcome; names: string[] }>();
  let read = 0;
  for (const [at, { verdict }] of kernels.entries()) {
    if (verdict === null) continue;
    read++;
    const words = outcomeWords(verdict.outcome, decidingReasons(verdict));
    const group = groups.get(words) ?? { outcome: verdict.outcome, names: [] };
    group.names.push(names[at] ?? '');
    groups.set(words, group);
  }
  const failed = names.filter((_, at) => kernels[at]?.isFailed === true);
  const waiting = total - read - failed.length;
  const clauses = [...groups]
    .sort(([, a], [, b]) => rank(a.outcome) - rank(b.outcome))
    .map(([words, group]) => `${words} on ${where(group, { total, read, waiting })}`);
  if (failed.length > 0) clauses.push(`not read: ${listed(failed)}`);
  if (waiting > 0) {
    const number = total - waiting + 1;
    clauses.push(`reading ${number} of ${total}${clauses.length === 0 ? ' kernels' : ''}`);
  }
  const text = clauses.join('; ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${waiting > 0 ? ' …' : '.'}`;
}

type Group = { readonly outcome: Outcome; readonly names: readonly string[] };
type Counts = { readonly total: number; readonly read: number; readonly waiting: number };

function where({ outcome, names }: Group, { total, read, waiting }: Counts): string {
  const isAll = names.length === total;
  if (isAll && total > 1) return allKernels(total);
  if (isAll || outcome !== 'loads') return listed(names);
  return waiting > 0 ? `${names.length} of ${read} so far` : `${names.length} of ${total} kernels`;
}

/** Returns `both kernels` or `all 3 kernels`. */
export function allKernels(count: number): string {
  return count === 2 ? 'both kernels' : `all ${count} kernels`;
}

/** Order of the clauses: what loads, what is refused, what depends. */
function rank(outcome: Outcome): number {
  return outcome === 'may-fail' ? OUTCOMES.length : OUTCOMES.indexOf(outcome);
}
