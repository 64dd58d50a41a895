import type { ComponentProps } from 'react';
import styles from './Checkbox.module.css';
import { classNames } from './class-names.ts';

type CheckboxProps = Omit<ComponentProps<'label'>, 'onChange'> & {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
};

/** A box to tick, and its text. */
export function Checkbox({ isChecked, onChange, className, children, ...rest }: CheckboxProps) {
  return (
    <label className={classNames(styles.label, className)} {...rest}>
      <input
        type="checkbox"
        className={styles.box}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}
