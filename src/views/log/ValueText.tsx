import { type StateRow, shownValue } from '#analysis/verifier/state-rows.ts';
import type { LogBinding } from '#analysis/verifier/typed-value.ts';
import { drawnName } from '#bytes/text.ts';
import styles from './ValueText.module.css';

type ValueTextProps = {
  readonly value: NonNullable<StateRow['after']>;
  readonly binding: LogBinding;
};

/** Shows a value of a state by type, with its marks. */
export function ValueText({ value, binding }: ValueTextProps) {
  const { type, place, marks } = shownValue(value, binding);
  return (
    <>
      <code>{drawnName(type)}</code>
      {place === '' ? null : (
        <>
          {' '}
          <code className="soft">{drawnName(place)}</code>
        </>
      )}
      {marks.map((mark) => (
        <span key={mark} className={styles.mark} data-mark={mark}>
          {mark}
        </span>
      ))}
    </>
  );
}
