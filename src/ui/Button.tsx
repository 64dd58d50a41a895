import type { ComponentProps } from 'react';
import styles from './Button.module.css';
import { classNames } from './class-names.ts';

export type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  readonly variant?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
};

/** A button with a text. `primary` at most once in a view; `quiet` has no edge until it is pointed at. */
export function Button({ variant = 'plain', size = 'normal', className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classNames(styles.button, className)}
      data-variant={variant}
      data-size={size}
      {...rest}
    />
  );
}
