import type { ComponentProps, ReactNode } from 'react';
import styles from './Button.module.css';
import { classNames } from './class-names.ts';
import { Tooltip } from './Tooltip.tsx';

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

type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label' | 'title'> & {
  /** What it does: accessible name and tooltip. */
  readonly label: string;
  /** Keys that do the same, for the tooltip. */
  readonly keys?: readonly string[];
  readonly icon: ReactNode;
};

/** A square button with an icon; its name is in the tooltip. */
export function IconButton({ label, keys, icon, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
      <Button
        variant="quiet"
        className={classNames(styles.icon, className)}
        aria-label={label}
        {...rest}
      >
        {icon}
      </Button>
    </Tooltip>
  );
}
