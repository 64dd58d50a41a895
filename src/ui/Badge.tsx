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
