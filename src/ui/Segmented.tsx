import { useId } from 'react';
import styles from './Segmented.module.css';

export type Segment<Value extends string> = { readonly value: Value; readonly label: string };

type SegmentedProps<Value extends string> = {
  /** Accessible name of the group. */
  readonly label: string;
  readonly options: readonly Segment<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** A choice of one among a few, all in sight: a radio group. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
