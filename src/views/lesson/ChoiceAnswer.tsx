import { useId, useState } from 'react';
import type { Answer } from '#lessons/check-answer.ts';
import type { Option } from '#lessons/lesson.ts';
import { answerStep } from '#store/lesson/lesson-player.ts';
import { markdownText } from '#views/parts/markdown-text.ts';
import styles from './ChoiceAnswer.module.css';
import { InlineText } from './InlineText.tsx';

import { ShowMe } from './ShowMe.tsx';

type ChoiceAnswerProps = {
  readonly options: readonly Option[];
  /** What was said to the option chosen last. */
  readonly answer: Answer | null;
  readonly misses: number;
};

/** One of a few; choosing answers. */
export function ChoiceAnswer({ options, answer, misses }: ChoiceAnswerProps) {
  const name = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const choose = (option: number) => {
    setChosen(option);
    void answerStep({ kind: 'chosen', option });
  };
  const state = answer === null ? undefined : answer.isRight ? 'right' : 'wrong';
  return (
    <div className="grid gap-hair">
      {options.map((option, index) => (
        <label
          key={option.text}
          className={styles.option}
          data-state={index === chosen ? state : undefined}
        >
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={index === chosen}
            onChange={() => choose(index)}
          />
          <span>
            <InlineText text={markdownText(option.text)} isPlain />
          </span>
        </label>
      ))}
      <ShowMe
        misses={misses}
        isRight={answer?.isRight ?? false}
        onShown={(right) => {
          if (right?.kind === 'chosen') choose(right.option);
        }}
      />
    </div>
  );
}
