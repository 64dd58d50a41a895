import { useId } from 'react';
import styles from './Segmented.module.css';

type SegmentedProps<Value extends string> = {
  /** Accessible name of the group. */
  readonly label: string;
  /** What each value is called, in their order. */
  readonly options: Readonly<Partial<Record<Value, string>>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** A choice of one among a few, all in sight: a radio group. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {(Object.keys(options) as Value[]).map((option) => (
        <label key={option} className={styles.option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {options[option]}
        </label>
      ))}
    </div>
  );
}
