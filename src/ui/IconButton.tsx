import type { ReactNode } from 'react';
import buttonStyles from './Button.module.css';
import { Button, type ButtonProps } from './Button.tsx';
import { classNames } from './class-names.ts';
import { Tooltip } from './Tooltip.tsx';

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
        className={classNames(buttonStyles.icon, className)}
        aria-label={label}
        {...rest}
      >
        {icon}
      </Button>
    </Tooltip>
  );
}
