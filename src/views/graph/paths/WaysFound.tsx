import { type KeyboardEvent, useDeferredValue, useMemo, useRef } from 'react';
import { exampleQuestions, type QuestionText } from '#analysis/paths/place-text.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { Callout } from '#ui/Callout.tsx';
import { ExampleQuestions } from './ExampleQuestions.tsx';
import { problemText, summaryText } from './paths-words.ts';
import { WayCard } from './WayCard.tsx';
import styles from './WaysFound.module.css';

const LIMIT = 10;
const MOST_EXAMPLES = 10;

/** The answer to a question: the best ways as cards, or why there are none. */
export function WaysFound({
  id,
  types,
  question,
  onAsk,
}: {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly question: QuestionText;
  readonly onAsk: (question: QuestionText) => void;
}) {
  const asked = useDeferredValue(question);
  const answer = useAnswer(id, 'paths', { ...asked, limit: LIMIT });
  const examples = useMemo(() => exampleQuestions(types, MOST_EXAMPLES), [types]);
  const list = useRef<HTMLOListElement>(null);
  const found = answer.value;
  const ways = found?.ok === true ? found.paths : [];
  const problem = found?.ok === false ? problemText(found.problem) : null;
  return (
    <div className={styles.answer} aria-busy={answer.step === 'waiting'}>
      <p className={styles.summary} aria-live="polite">
        {found?.ok === true ? summaryText(found, LIMIT, asked.around) : null}
        {problem === null ? null : drawnName(problem)}
      </p>
      {answer.step === 'failed' ? (
        <div className={styles.part}>
          <Callout severity="error" title={drawnName(answer.issue.message)} />
        </div>
      ) : null}
      {found?.ok === true && found.macro !== null ? (
        <p className={styles.note}>
          <code>{drawnName(asked.to)}</code> is a macro of the kernel’s headers, which BTF does not
          hold: the ways lead to <code>{drawnName(found.macro)}</code>.
        </p>
      ) : null}
      {ways.length === 0 ? null : (
        <ol ref={list} className="stack gap-2" aria-label="Ways">
          {ways.map((way, i) => (
            <WayCard
              // The order is the rank; a new question shows new cards.
              key={`${asked.from}>${asked.to}:${JSON.stringify(way)}`}
              types={types}
              way={way}
              rank={i + 1}
              isOpenAtFirst={i === 0}
              onHeadKey={(event) => walkHeads(event, list.current)}
            />
          ))}
        </ol>
      )}
      {found !== null && ways.length === 0 ? (
        <ExampleQuestions examples={examples} onAsk={onAsk} />
      ) : null}
    </div>
  );
}

/** Up, Down, Home and End move over the headings of the cards. */
function walkHeads(event: KeyboardEvent, list: HTMLElement | null): void {
  const heads = [...(list?.querySelectorAll<HTMLElement>('[data-way-head]') ?? [])];
  const at = heads.indexOf(event.currentTarget as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: heads.length - 1 }[event.key];
  const head = to === undefined ? undefined : heads[to];
  if (head === undefined) return;
  event.preventDefault();
  head.focus();
}
