import { Route } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react';
import { selectionType } from '#analysis/code/selection.ts';
import {
  exampleQuestions,
  formatQuestion,
  parseQuestion,
  placeOfType,
  type QuestionText,
} from '#analysis/paths/place-text.ts';
import { typeKeyOf } from '#analysis/types/type-key.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { type Active, useActive, useAnswer } from '#store/hooks.ts';
import { setViewParam, useViewParam } from '#store/view-state.ts';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { PathCard } from './PathCard.tsx';
import { ExampleQuestions, PathsForm, type PathsFormProps } from './PathsForm.tsx';
import styles from './PathsPane.module.css';
import { problemText, summaryText } from './paths-text.ts';

/** Paths from a type to another, or to a field: "how do I get from task_struct to net_device?" */
export function PathsPane() {
  const active = useActive();
  if (active === null) return null;
  const { types } = active.model;
  if (types === null) {
    return (
      <EmptyState
        icon={<Route size={28} aria-hidden />}
        title="No paths: no readable BTF"
        text="Paths lead through members and pointers, as section .BTF describes them."
      />
    );
  }
  return <Paths key={active.id} active={active} types={types} />;
}

function Paths({ active, types }: { readonly active: Active; readonly types: TypeTable }) {
  const { id, model, selection } = active;
  const asked = useViewParam(id, 'graph', 'path') ?? '';
  const [draft, setDraft] = useState({ of: asked, question: parseQuestion(asked) });
  // Another question came by the address or the history.
  if (draft.of !== asked) setDraft({ of: asked, question: parseQuestion(asked) });

  const selected = selectionType(model, selection);
  const isBlank = asked === '' && draft.question.from === '' && draft.question.to === '';
  const question =
    isBlank && selected !== null && isAskable(types, selected)
      ? { ...draft.question, from: placeOfType(typeKeyOf(types, selected)) }
      : draft.question;
  const ask = (next: QuestionText) => {
    const text = formatQuestion(next);
    setDraft({ of: text, question: next });
    setViewParam('graph', 'path', text);
  };
  return (
    <div className={styles.pane}>
      <PathsForm
        id={id}
        types={types}
        question={question}
        onDraft={(next) => setDraft({ of: asked, question: next })}
        onAsk={ask}
      />
      <PathsFound id={id} types={types} question={question} onAsk={ask} />
    </div>
  );
}

/** Longer names are nobody's question, and a megabyte in a text box takes seconds. */
const MOST_ASKED = 1000;

function isAskable(types: TypeTable, type: TypeId): boolean {
  const { length } = nameOf(types, type);
  return length > 0 && length <= MOST_ASKED;
}

const LIMIT = 10;
const MOST_EXAMPLES = 10;

/** The answer to a question: the best paths as cards, or why there are none. */
function PathsFound({ id, types, question, onAsk }: Omit<PathsFormProps, 'onDraft'>) {
  const asked = useDeferredValue(question);
  const answer = useAnswer(id, 'paths', { ...asked, limit: LIMIT });
  const examples = useMemo(() => exampleQuestions(types, MOST_EXAMPLES), [types]);
  const list = useRef<HTMLOListElement>(null);
  const found = answer.value;
  const paths = found?.ok === true ? found.paths : [];
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
          hold: the paths lead to <code>{drawnName(found.macro)}</code>.
        </p>
      ) : null}
      {paths.length === 0 ? null : (
        <ol ref={list} className="stack gap-2" aria-label="Paths">
          {paths.map((path, i) => (
            <PathCard
              // The order is the rank; a new question shows new cards.
              key={`${asked.from}>${asked.to}:${JSON.stringify(path)}`}
              types={types}
              path={path}
              rank={i + 1}
              isOpenAtFirst={i === 0}
              onHeadKey={(event) => walkHeads(event, list.current)}
            />
          ))}
        </ol>
      )}
      {found !== null && paths.length === 0 ? (
        <ExampleQuestions examples={examples} onAsk={onAsk} />
      ) : null}
    </div>
  );
}

/** Up, Down, Home and End move over the headings of the cards. */
function walkHeads(event: KeyboardEvent, list: HTMLElement | null): void {
  const heads = [...(list?.querySelectorAll<HTMLElement>('[data-path-head]') ?? [])];
  const at = heads.indexOf(event.currentTarget as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: heads.length - 1 }[event.key];
  const head = to === undefined ? undefined : heads[to];
  if (head === undefined) return;
  event.preventDefault();
  head.focus();
}
