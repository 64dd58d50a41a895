import { type FormEvent, type RefObject, useId, useState } from 'react';
import { announceInView } from '#store/session/session.ts';
import styles from './GoToBox.module.css';

/** Where a text leads, or why nowhere, in a sentence for the person. */
export type Place =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly problem: string };

type GoToBoxProps = {
  /** Accessible name. */
  readonly label: string;
  /** An example of what can be typed. */
  readonly placeholder: string;
  /** What can be typed, in words. */
  readonly title: string;
  readonly parse: (text: string) => Place;
  readonly onGo: (at: number) => void;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
};

/** Takes an offset, a number or a distance, and goes there on Enter. */
export function GoToBox({ label, placeholder, title, parse, onGo, inputRef }: GoToBoxProps) {
  const problemId = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');

  const go = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parse(text);
    setProblem(parsed.ok ? '' : parsed.problem);
    if (parsed.ok) onGo(parsed.at);
    else announceInView(parsed.problem);
  };

  return (
    <form className="relative" onSubmit={go}>
      <input
        ref={inputRef}
        type="text"
        className={styles.input}
        aria-label={label}
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : problemId}
        placeholder={placeholder}
        title={title}
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
