import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Badge.module.css';
import type { Tone } from './tone.ts';

type BadgeProps = {
  /** A letter or a short word. */
  readonly text: string;
  readonly tone?: Tone;
  /** What it stands for, when the text is a letter: read out in its place and shown on hover. */
  readonly label?: string;
};

/** A small mark in a tone, such as the letter of a type's kind. */
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
