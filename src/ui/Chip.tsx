import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Chip.module.css';
import type { Tone } from './tone.ts';

type ChipProps = {
  readonly children: ReactNode;
  readonly tone?: Tone;
  readonly isMono?: boolean;
  /** With it the chip is a button. */
  readonly onClick?: () => void;
  /** For a chip that is a button: whether it is on. */
  readonly isPressed?: boolean;
  /** With it the chip has a cross; `removeLabel` names it. */
  readonly onRemove?: () => void;
  readonly removeLabel?: string;
};

/** A value in a frame: a filter that is on, a step of a path, a flag. */
export function Chip(props: ChipProps) {
  const { children, tone = 'neutral', isMono = false, onClick, isPressed, onRemove } = props;
  return (
    <span className={styles.chip} data-tone={tone} data-mono={isMono}>
      {onClick === undefined ? (
        <span className={styles.text}>{children}</span>
      ) : (
        <button type="button" className={styles.text} aria-pressed={isPressed} onClick={onClick}>
          {children}
        </button>
      )}
      {onRemove === undefined ? null : (
        <button
          type="button"
          className={styles.remove}
          aria-label={props.removeLabel ?? 'Remove'}
          onClick={onRemove}
        >
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}
