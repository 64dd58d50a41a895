import { Check, Dot, Minus, Skull, X } from 'lucide-react';
import { useMemo } from 'react';
import type { CoreTarget } from '#analysis/core/candidates.ts';
import { coreKindName } from '#analysis/core/core-kinds.ts';
import { guardIndex, guardOf } from '#analysis/core/matrix/guards.ts';
import { type CoreState, coreState } from '#analysis/core/reason.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { TraceStep } from '#analysis/core/trace.ts';
import { type TraceLine, traceLines } from '#analysis/core/trace-text.ts';
import { drawnName } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import { changeText, STATE_TONES, StateMark } from '#views/parts/core/StateMark.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { Compared } from './target-side.ts';
import styles from './VerdictSection.module.css';

type VerdictSectionProps = {
  /** Type table of the BPF object. */
  readonly types: TypeTable;
  readonly compared: Compared;
  readonly results: readonly CoreResult[];
};

/** Shows the result of the record on the target, and what it means for the program. */
export function VerdictSection({ types, compared, results }: VerdictSectionProps) {
  const { chosen, result } = compared;
  const state = coreState(result);
  const change = changeText(result);
  return (
    <DetailSection
      title={chosen.isItself ? 'Relocated against itself' : `On ${drawnName(chosen.name)}`}
      aside={candidatesText(result)}
      tone={STATE_TONES[state]}
    >
      <p className={styles.line}>
        <StateMark state={state} />
        {change === '' ? null : <span className="mono medium size-14">{change}</span>}
      </p>
      <p className="soft break pretty">{drawnName(result.reason)}</p>
      <Consequence types={types} state={state} result={result} results={results} />
    </DetailSection>
  );
}

/** Returns how many candidates there are, such as `3 candidates of 5, 1 matching`. */
function candidatesText({ candidates, candsIn, matched, decision }: CoreResult): string {
  if (candidates.length === 0) return 'no candidate';
  const cut = candidates.length - candsIn.length;
  const of = `${countOf(candsIn.length, 'candidate')}${cut === 0 ? '' : ` of ${candidates.length}`}`;
  // libbpf has not counted the matches of a record that fails early.
  return decision === null ? of : `${of}, ${matched.length} matching`;
}

type ConsequenceProps = Pick<VerdictSectionProps, 'types' | 'results'> & {
  readonly state: CoreState;
  readonly result: CoreResult;
};

function Consequence({ types, state, result, results }: ConsequenceProps) {
  if (state === 'fails') {
    return (
      <Callout severity="error" title="libbpf does not load the object">
        {result.firstError
          ? 'It fails at this record and loads no program. The steps below end at the failure.'
          : 'Not reached: an earlier record of the object fails first.'}
      </Callout>
    );
  }
  if (!result.reached) {
    return (
      <p className={styles.note}>
        Not reached: an earlier record of the object fails first, and libbpf stops there.
      </p>
    );
  }
  if (state !== 'poisoned') return null;
  return (
    <>
      <Callout severity="warning" title="If reachable, the verifier rejects it">
        <p>
          The instruction becomes a call to a nonexistent helper. The verifier reports{' '}
          <code className="break">invalid func unknown#195896080</code> (0x0bad2310, “bad relo”).
          Dead branches are not checked.
        </p>
      </Callout>
      <GuardNote types={types} results={results} result={result} />
    </>
  );
}

/** Shows the existence check that guards a poisoned instruction, or that there is none. */
function GuardNote({ types, results, result }: Omit<ConsequenceProps, 'state'>) {
  const guard = useMemo(() => {
    const records = results.map(({ record }) => record);
    // `records` has every record of the object, so that a record's index is its row.
    const row = guardOf(guardIndex({ types, records }), results, result.record.index);
    return results[row ?? -1] ?? null;
  }, [types, results, result]);
  if (result.poisonReason === 'memsz') {
    return (
      <p className={styles.note}>
        The field exists, so an existence check does not guard this access. Read it by its size, as
        the bit-field macros do, or declare it with the type that it has on this target.
      </p>
    );
  }
  if (guard === null) {
    return (
      <p className={styles.note}>
        No existence check guards this access. Without one, or another condition that the verifier
        can decide, the instruction is reachable.
      </p>
    );
  }
  const { record } = guard;
  return (
    <div className={styles.note}>
      <p>
        An existence check in the same function, <code>{coreKindName(record.kind)}</code>, resolves
        to 0 here. If it guards this instruction, the verifier does not check the instruction.
      </p>
      <Button
        size="small"
        onClick={() => select({ kind: 'core', core: coreIndex(record.index), step: null })}
      >
        Show check, insn #{record.func?.insnIndex ?? Math.floor(record.insnOff / 8)}
      </Button>
    </div>
  );
}

const MARKS = {
  none: { Icon: Dot, tone: 'muted', word: '' },
  good: { Icon: Check, tone: 'ok', word: 'matches: ' },
  miss: { Icon: Minus, tone: 'neutral', word: 'does not match: ' },
  fault: { Icon: X, tone: 'danger', word: 'fails here: ' },
  poison: { Icon: Skull, tone: 'warning', word: 'poisoned here: ' },
} as const satisfies Record<StepMark, unknown>;

type TraceSectionProps = {
  /** Type table of the BPF object. */
  readonly types: TypeTable;
  readonly compared: Compared;
};

/** Shows the steps of libbpf for the record, up to the result or the failure. */
export function TraceSection({ types, compared }: TraceSectionProps) {
  const groups = traceGroups(compared.result, types, compared.chosen.target);
  return (
    <DetailSection title="How libbpf resolved it" aside={countOf(groups.length, 'step')}>
      <ol className="stack">
        {groups.map((group) => (
          <Step key={group.at} group={group} />
        ))}
      </ol>
    </DetailSection>
  );
}

function Step({ group }: { readonly group: TraceGroup }) {
  const { text, mark, details } = group;
  const { Icon, tone, word } = MARKS[mark];
  return (
    <li className={styles.step} data-tone={tone} data-mark={mark}>
      <span className={styles.mark} aria-hidden>
        <Icon size={14} />
      </span>
      <div className={styles.words}>
        <p>
          {word === '' ? null : <span className="visually-hidden">{word}</span>}
          {drawnName(text)}
        </p>
        {details.length === 0 ? null : (
          <Disclosure title={`${countOf(details.length, 'detail')} of the comparison`}>
            <Details lines={details} />
          </Disclosure>
        )}
      </div>
    </li>
  );
}

/** Maximum number of details to show: a comparison of types can have 100,000 steps. */
const MAX_DETAILS = 400;
const MAX_DEPTH = 12;
const INDENT = 12;

function Details({ lines }: { readonly lines: readonly TraceLine[] }) {
  const shown = lines.slice(0, MAX_DETAILS).map(({ depth, text }, at) => ({ at, depth, text }));
  const left = lines.length - shown.length;
  return (
    <>
      <ol className={styles.details}>
        {shown.map(({ at, depth, text }) => (
          <li key={at} style={{ paddingInlineStart: INDENT * Math.min(depth - 1, MAX_DEPTH) }}>
            {drawnName(text)}
          </li>
        ))}
      </ol>
      {left === 0 ? null : <p className="muted">{countOf(left, 'step')} more</p>}
    </>
  );
}

/** Colour of a step. `fault`: the record fails. `poison`: the instruction will be poisoned. */
type StepMark = 'none' | 'good' | 'miss' | 'fault' | 'poison';

type TraceGroup = {
  /** Position of the step in the trace. */
  readonly at: number;
  readonly text: string;
  readonly mark: StepMark;
  readonly details: readonly TraceLine[];
};

/** Returns the steps as text. Steps of a type comparison become details of the step after them. */
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
    // Skip two steps: the next line names the candidate, and the result is above the list.
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

const STEP_MARKS: Readonly<Partial<Record<TraceStep['step'], StepMark>>> = {
  'search-failed': 'fault',
  'parse-failed': 'fault',
  'value-fault': 'fault',
  'offset-ambiguity': 'fault',
  'value-ambiguity': 'fault',
  'wrong-value': 'fault',
  'too-big': 'fault',
  'wrong-mem-size': 'fault',
  'no-mem-size': 'fault',
  'unexpected-form': 'fault',
  'register-operand': 'fault',
  unrecognized: 'fault',
  'no-insn': 'fault',
  'bad-access': 'poison',
  substituted: 'poison',
  patched: 'good',
  'patched-mem-size': 'good',
};

const OUTCOME_MARKS = { fault: 'fault', match: 'good', miss: 'miss' } as const;

function markOf(step: TraceStep): StepMark {
  if (step.step === 'trial') return OUTCOME_MARKS[step.verdict.outcome];
  if (step.step === 'no-match' && step.poison) return 'poison';
  return STEP_MARKS[step.step] ?? 'none';
}
