/** Lists the programs that do not load on some kernel, or for which that is undecided. */
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import { OUTCOMES, type Outcome, worstOf } from '#analysis/libbpf/outcome.ts';
import type { JudgedKernel } from './load-sentence.ts';

/** A program, or the object as a whole, that does not load on all kernels. */
export type ProgramProblem = {
  /** Name of the program as raw text; null for an object that is refused before its programs. */
  readonly program: string | null;
  /** The worst outcome on the kernels. */
  readonly outcome: Outcome;
  /** Names of the kernels that refuse it, and of those on which it is undecided; raw text. */
  readonly refused: readonly string[];
  readonly depends: readonly string[];
};

/** Returns the programs with problems, those that are refused first. */
export function programProblems(
  kernels: readonly JudgedKernel<LoadVerdict>[],
): readonly ProgramProblem[] {
  const rows = new Map<
    string | null,
    { outcomes: Outcome[]; refused: string[]; depends: string[] }
  >();
  const add = (program: string | null, outcome: Outcome, kernel: string) => {
    if (outcome === 'loads') return;
    const row = rows.get(program) ?? { outcomes: [], refused: [], depends: [] };
    row.outcomes.push(outcome);
    (outcome === 'may-fail' ? row.depends : row.refused).push(kernel);
    rows.set(program, row);
  };
  for (const { name, verdict } of kernels) {
    if (verdict === null) continue;
    const loaded = verdict.programs.filter(({ autoload }) => autoload);
    for (const { program, outcome } of loaded) add(program.name, outcome, name);
    if (loaded.length === 0) add(null, verdict.outcome, name);
  }
  return Array.from(rows, ([program, { outcomes, refused, depends }]) => {
    return { program, outcome: worstOf(outcomes), refused, depends };
  }).sort((a, b) => OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome));
}

/** On how many kernels a program loads, and the worst outcome on them. */
export type ProgramLoads = { readonly outcome: Outcome; readonly loads: number };

/** Returns the outcome of each program on the kernels that are judged, by name. */
export function programLoads(
  kernels: readonly JudgedKernel<LoadVerdict>[],
): ReadonlyMap<string, ProgramLoads> {
  const byName = new Map<string, ProgramLoads>();
  for (const { verdict } of kernels) {
    for (const { program, outcome } of verdict?.programs ?? []) {
      const known = byName.get(program.name) ?? { outcome, loads: 0 };
      byName.set(program.name, {
        outcome: worstOf([known.outcome, outcome]),
        loads: known.loads + (outcome === 'loads' ? 1 : 0),
      });
    }
  }
  return byName;
}
