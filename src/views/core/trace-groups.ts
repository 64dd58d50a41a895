/**
 * The steps of a trace as a list to read: what libbpf does one after another, and
 * under each candidate the details of its comparison, folded away.
 */
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { CoreTarget } from '#analysis/core/target.ts';
import type { TraceStep } from '#analysis/core/trace.ts';
import { type TraceLine, traceLines } from '#analysis/core/trace-words.ts';
import type { TypeTable } from '#model/type-table.ts';

/** `fault`: here the record fails. `poison`: here it is decided that the instruction goes. */
export type StepMark = 'none' | 'good' | 'miss' | 'fault' | 'poison';

export type TraceGroup = {
  /** Number of the step in the trace. */
  readonly at: number;
  readonly text: string;
  readonly mark: StepMark;
  readonly details: readonly TraceLine[];
};

/** All steps, worded; those of a comparison under the line that tells how it went. */
export function traceGroups(
  result: CoreResult,
  local: TypeTable,
  target: CoreTarget,
): TraceGroup[] {
  const lines = traceLines(result, local, target);
  const groups: TraceGroup[] = [];
  let details: TraceLine[] = [];
  for (const [at, step] of result.steps.entries()) {
    const line = lines[at];
    // The line of the trial names the candidate again; that of the result stands above the list.
    if (line === undefined || step.step === 'candidate' || step.step === 'result') continue;
    if (line.depth > 0) {
      details.push(line);
      continue;
    }
    groups.push({ at, text: line.text, mark: markOf(step), details });
    details = [];
  }
  return groups;
}

const FAULTS: ReadonlySet<TraceStep['step']> = new Set<TraceStep['step']>([
  'search-failed',
  'parse-failed',
  'value-fault',
  'offset-ambiguity',
  'value-ambiguity',
  'wrong-value',
  'too-big',
  'wrong-mem-size',
  'no-mem-size',
  'unexpected-form',
  'register-operand',
  'unrecognized',
  'no-insn',
]);

function markOf(step: TraceStep): StepMark {
  if (FAULTS.has(step.step)) return 'fault';
  switch (step.step) {
    case 'trial':
      if (step.verdict.outcome === 'fault') return 'fault';
      return step.verdict.outcome === 'match' ? 'good' : 'miss';
    case 'no-match':
      return step.poison ? 'poison' : 'none';
    case 'bad-access':
    case 'substituted':
      return 'poison';
    case 'patched':
    case 'patched-mem-size':
      return 'good';
    default:
      return 'none';
  }
}
