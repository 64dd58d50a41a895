import { type FormEvent, useId, useState } from 'react';
import type { Question } from '#lessons/lesson.ts';
import { answerStep } from '#store/lesson/lesson-player.ts';
import { Button } from '#ui/Button.tsx';
import { ShowMe } from './ShowMe.tsx';
import styles from './TypedAnswer.module.css';

type TypedAnswerProps = {
  readonly kind: Exclude<Question['kind'], 'click' | 'choice'>;
  readonly misses: number;
  readonly isRight: boolean;
};

const EXAMPLES = { access: '0:1:2', value: '24 or 0x18', number: '24 or 0x18' } as const;

/** A field for an access string or a number; Enter checks it. */
export function TypedAnswer({ kind, misses, isRight }: TypedAnswerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const check = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void answerStep({ kind: 'typed', text });
  };
  return (
    <form className="grid gap-2" onSubmit={check}>
      <label htmlFor={id} className="small soft">
        Your answer
      </label>
      <div className={styles.line}>
        <input
          id={id}
          type="text"
          className={styles.input}
          value={text}
          placeholder={EXAMPLES[kind]}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={400}
          onChange={(event) => setText(event.target.value)}
        />
        <Button onClick={check} variant={isRight ? 'plain' : 'primary'}>
          Check
        </Button>
      </div>
      <ShowMe
        misses={misses}
        isRight={isRight}
        onShown={(right) => {
          if (right?.kind === 'typed') setText(right.text);
        }}
      />
    </form>
  );
}
