import { type FormEvent, useId, useState } from 'react';
import { announce } from '#store/session.ts';
import { type OffsetSpace, parseOffset } from './go-to-offset.ts';
import styles from './OffsetBox.module.css';

type OffsetBoxProps = {
  readonly space: OffsetSpace;
  /** The offset counts as those of `space`. */
  readonly onGo: (offset: number) => void;
};

/** Takes an offset or a distance and goes there on Enter. */
export function OffsetBox({ space, onGo }: OffsetBoxProps) {
  const problemId = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');

  const go = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseOffset(text, space);
    setProblem(parsed.ok ? '' : parsed.problem);
    if (parsed.ok) onGo(parsed.offset);
    else announce(parsed.problem);
  };

  return (
    <form className={styles.form} onSubmit={go}>
      <input
        type="text"
        className={styles.input}
        aria-label="Go to offset"
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : problemId}
        placeholder="0x1a4, +16"
        title="Go to offset: hex or decimal, + or - from here"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setProblem('');
        }}
      />
      {problem === '' ? null : (
        <span id={problemId} className={styles.problem}>
          {problem}
        </span>
      )}
    </form>
  );
}
