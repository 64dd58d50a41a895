import { ChevronDown, type LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import styles from './Button.module.css';
import { classNames } from './class-names.ts';
import { hint } from './hints.tsx';

export type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  readonly variant?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
  readonly icon?: LucideIcon;
  /** Whether to draw an arrow after the text, for a button that opens a menu. */
  readonly isMenu?: boolean;
};

/** Draws a button. Use `primary` at most once per view. `quiet` has a border only on hover. */
export function Button(props: ButtonProps) {
  const { variant = 'plain', size = 'normal', icon: Icon, isMenu, className, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, className)}
      data-variant={variant}
      data-size={size}
    >
      {Icon === undefined ? null : <Icon size={14} aria-hidden />}
      {rest.children}
      {isMenu === true ? <ChevronDown size={14} aria-hidden /> : null}
    </button>
  );
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label' | 'title' | 'icon'> & {
  /** Accessible name of the button, also shown as its hint. */
  readonly label: string;
  /** Keys with the same effect as the button, shown in the hint. */
  readonly keys?: readonly string[];
  readonly icon: LucideIcon;
};

/** Draws a square button with an icon. The name of the button is its hint. */
export function IconButton({ label, keys, icon: Icon, className, ...rest }: IconButtonProps) {
  return (
    <Button
      variant="quiet"
      className={classNames(styles.icon, className)}
      aria-label={label}
      {...hint(label, keys)}
      {...rest}
    >
      <Icon size={16} aria-hidden />
    </Button>
  );
}
