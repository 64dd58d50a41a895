import { CircleCheck, CircleX } from 'lucide-react';
import type { Answer } from '#lessons/check-answer.ts';
import { markdownText } from '#views/parts/markdown-text.ts';
import { InlineText } from './InlineText.tsx';

import styles from './Verdict.module.css';

/** What is said to an answer; screen readers speak it when it comes. */
export function Verdict({ answer }: { readonly answer: Answer | null }) {
  return (
    <div aria-live="polite" className={styles.place}>
      {answer === null ? null : (
        <p
          className={styles.answer}
          data-answer={answer.isRight ? 'right' : 'wrong'}
          data-tone={answer.isRight ? 'ok' : 'warning'}
        >
          {answer.isRight ? (
            <CircleCheck size={16} aria-hidden />
          ) : (
            <CircleX size={16} aria-hidden />
          )}
          <span>
            <strong>{answer.isRight ? 'Right.' : 'Not yet.'}</strong>{' '}
            <InlineText text={markdownText(answer.why)} />
          </span>
        </p>
      )}
    </div>
  );
}
