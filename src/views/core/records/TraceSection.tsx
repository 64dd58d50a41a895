import { Check, Dot, Minus, Skull, X } from 'lucide-react';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { CoreTarget } from '#analysis/core/target.ts';
import type { TraceStep } from '#analysis/core/trace.ts';
import { type TraceLine, traceLines } from '#analysis/core/trace-words.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './TraceSection.module.css';
import type { Compared } from './target-side.ts';

const MARKS = {
  none: { Icon: Dot, tone: 'muted', word: '' },
  good: { Icon: Check, tone: 'ok', word: 'goes well: ' },
  miss: { Icon: Minus, tone: 'neutral', word: 'does not match: ' },
  fault: { Icon: X, tone: 'danger', word: 'fails here: ' },
  poison: { Icon: Skull, tone: 'warning', word: 'poisoned here: ' },
} as const satisfies Record<StepMark, unknown>;

type TraceSectionProps = {
  /** Of the object. */
  readonly types: TypeTable;
  readonly compared: Compared;
};

/** The steps of libbpf for the record, up to its result or its failure. */
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

/** A comparison of types may take a hundred thousand steps. */
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

/** `fault`: here the record fails. `poison`: here it is decided that the instruction goes. */
type StepMark = 'none' | 'good' | 'miss' | 'fault' | 'poison';

type TraceGroup = {
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
