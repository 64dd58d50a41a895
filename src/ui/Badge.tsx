import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Badge.module.css';
import type { Tone } from './tone.ts';

type BadgeProps = {
  /** Text of the badge: one letter or a short word. */
  readonly text: string;
  readonly tone?: Tone;
  /** Meaning of the badge, which screen readers speak and hovering shows. */
  readonly label?: string;
};

/** Draws a small coloured mark, such as the letter for the kind of a type. */
export function Badge({ text, tone = 'neutral', label }: BadgeProps) {
  const shape = text.length === 1 ? 'letter' : 'word';
  return (
    <span className={styles.badge} data-tone={tone} data-shape={shape} title={label}>
      <span aria-hidden={label !== undefined}>{text}</span>
      {label === undefined ? null : <span className="visually-hidden">{label}</span>}
    </span>
  );
}

type ChipProps = {
  readonly children: ReactNode;
  readonly tone?: Tone;
  readonly isMono?: boolean;
  /** Called on a click. With this function the chip is a button. */
  readonly onClick?: () => void;
  readonly isPressed?: boolean;
  /** Called when the user removes the chip. Adds a button named `removeLabel`. */
  readonly onRemove?: () => void;
  readonly removeLabel?: string;
};

/** Draws a framed value, such as an active filter or a step of a path. */
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
