import { type FormEvent, type RefObject, useId, useState } from 'react';
import { announceInView } from '#store/session/session.ts';
import styles from './GoToBox.module.css';

/** The place that a typed text means, or a sentence that explains why it means none. */
export type Place =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly problem: string };

type GoToBoxProps = {
  /** Accessible name of the field. */
  readonly label: string;
  readonly placeholder: string;
  /** Tooltip that describes the texts which can be typed. */
  readonly title: string;
  readonly parse: (text: string) => Place;
  readonly onGo: (at: number) => void;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
};

/** Shows a text field for an offset, a number or a distance. Enter goes to that place. */
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
