import { useMemo } from 'react';
import { coreKindName } from '#analysis/core/core-kinds.ts';
import { guardIndex, guardOf } from '#analysis/core/matrix/guards.ts';
import { type CoreState, coreState } from '#analysis/core/outcome.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { drawnName } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { changeText, STATE_TONES, StateMark } from '#views/core/parts/StateMark.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { Compared } from './target-side.ts';
import styles from './VerdictSection.module.css';

type VerdictSectionProps = {
  /** Of the object. */
  readonly types: TypeTable;
  readonly compared: Compared;
  /** Of all records of the object. */
  readonly results: readonly CoreResult[];
};

/** The result of the record on the target, and what it means for the program. */
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
        {change === '' ? null : <span className={styles.change}>{change}</span>}
      </p>
      <p className="soft break pretty">{drawnName(result.reason)}</p>
      <Consequence types={types} state={state} result={result} results={results} />
    </DetailSection>
  );
}

/** How many types of the target were compared, and how many were found for them. */
function candidatesText({ candidates, candsIn, matched, decision }: CoreResult): string {
  if (candidates.length === 0) return 'no candidate';
  const cut = candidates.length - candsIn.length;
  const of = `${countOf(candsIn.length, 'candidate')}${cut === 0 ? '' : ` of ${candidates.length}`}`;
  // A record that fails early has not counted those that match.
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

/** The existence check in the same function that guards a poisoned instruction, or that there is none. */
function GuardNote({ types, results, result }: Omit<ConsequenceProps, 'state'>) {
  const guard = useMemo(() => {
    const records = results.map(({ record }) => record);
    // All records of the object are there, so that the number of a record is its row.
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
