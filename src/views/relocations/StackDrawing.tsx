import type { StackState, StackValue } from '#analysis/objects/relocation-facts.ts';
import { drawnName } from '#bytes/text.ts';
import { hexText } from '#views/parts/number-text.ts';
import styles from './StackDrawing.module.css';

/** The stack of the expression behind this entry, its top above. */
export function StackDrawing({ state }: { readonly state: StackState }) {
  const { does, stack, stored, problem } = state;
  return (
    <section className={styles.drawing} aria-labelledby="stack-title">
      <h3 id="stack-title">Stack after this step</h3>
      <p className={styles.does}>{drawnName(does)}</p>
      {problem === null ? null : (
        <p className={styles.problem} data-tone="danger">
          Invalid: {problem}.
        </p>
      )}
      {stored === null ? null : <Stored value={stored} />}
      {stack.length === 0 ? (
        <p className={styles.empty}>The stack is empty.</p>
      ) : (
        <ol className={styles.stack} aria-label="Values on the stack, the top first">
          {slotsOf(stack).map(({ depth, value }) => (
            <li key={depth} className={styles.slot}>
              <span className={styles.text}>{drawnName(value.text)}</span>
              <span className={styles.number}>{numberOf(value)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** From the top down, each value with its place from the bottom. */
function slotsOf(stack: readonly StackValue[]) {
  return stack.map((value, depth) => ({ value, depth })).reverse();
}

function Stored({ value }: { readonly value: StackValue }) {
  return (
    <div className={styles.stored}>
      <p className={styles.text}>{drawnName(value.text)}</p>
      <p className={styles.result}>{numberOf(value)}</p>
    </div>
  );
}

function numberOf({ value }: StackValue): string {
  return value === null ? 'unknown: a symbol has no address set' : hexText(value);
}
