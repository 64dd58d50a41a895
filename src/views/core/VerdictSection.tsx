import { type CoreState, coreState } from '#analysis/core/outcome.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Callout } from '#ui/Callout.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { Compared } from './compared.ts';
import { GuardNote } from './GuardNote.tsx';
import { changeText } from './result-text.ts';
import { StateMark } from './StateMark.tsx';
import { STATE_TONES } from './state-look.ts';
import styles from './VerdictSection.module.css';

/** What came of the record on the target, in a word and in a sentence; and what that means for the program. */
export function VerdictSection({
  types,
  compared,
  results,
}: {
  /** Of the object. */
  readonly types: TypeTable;
  readonly compared: Compared;
  /** Of all records of the object. */
  readonly results: readonly CoreResult[];
}) {
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
      <p className={styles.reason}>{drawnName(result.reason)}</p>
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

function Consequence({
  types,
  state,
  result,
  results,
}: {
  readonly types: TypeTable;
  readonly state: CoreState;
  readonly result: CoreResult;
  readonly results: readonly CoreResult[];
}) {
  switch (state) {
    case 'poisoned':
      return (
        <>
          <Callout severity="warning" title="If the program gets there, the verifier refuses it">
            <p>
              In place of the instruction stands a call of a helper that no kernel has. The verifier
              says <code className={styles.log}>invalid func unknown#195896080</code>: that is
              0x0bad2310, “bad relo”. In a branch that it proves dead it never looks.
            </p>
          </Callout>
          <GuardNote types={types} results={results} result={result} />
        </>
      );
    case 'fails':
      return (
        <Callout severity="error" title="libbpf does not load the object">
          {result.firstError
            ? 'It stops at this record and loads no program. The steps below end where it stops.'
            : 'It does not come so far: an earlier record of the object stops it already.'}
        </Callout>
      );
    default:
      return null;
  }
}
