import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Badge.module.css';
import type { Tone } from './tone.ts';

type BadgeProps = {
  /** One letter or a short word. */
  readonly text: string;
  readonly tone?: Tone;
  /** Meaning of a letter, spoken in its place and shown on hover. */
  readonly label?: string;
};

/** Draws a small toned mark, such as the letter of a type's kind. */
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
  /** Makes the chip a button. */
  readonly onClick?: () => void;
  readonly isPressed?: boolean;
  /** Adds a cross that `removeLabel` names. */
  readonly onRemove?: () => void;
  readonly removeLabel?: string;
};

/** Draws a framed value: an active filter, a step of a path, a flag. */
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
