import { ArrowLeftRight, ArrowRight } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import {
  type ExampleQuestion,
  exampleQuestions,
  formatQuestion,
  parseQuestion,
  placeOfType,
  type QuestionText,
} from '#analysis/paths/place-text.ts';
import { selectionType } from '#analysis/selection/selection.ts';
import { typeKeyOf } from '#analysis/types/type-key.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { type Active, useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { IconButton } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { problemText, summaryText } from './graph-text.ts';
import { PathCard } from './PathCard.tsx';
import styles from './PathsPane.module.css';
import { PlaceBox } from './PlaceBox.tsx';
import { graphState } from './state.ts';

type PathsPaneProps = { readonly active: Active; readonly types: TypeTable };

/** Shows the paths from a type to another type or to a field. */
export function PathsPane({ active, types }: PathsPaneProps) {
  const { id, model, selection } = active;
  const asked = graphState.useOf(id).path ?? '';
  const [draft, setDraft] = useState({ of: asked, question: parseQuestion(asked) });
  // A new question in the address replaces the text that the user is typing.
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
    graphState.set({ path: text });
  };
  return (
    <div className="stack tall ground head-and-body">
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

/** Maximum length of a name in the form. A name of a megabyte would block the page for seconds. */
const MAX_ASKED = 1000;

function isAskable(types: TypeTable, type: TypeId): boolean {
  const { length } = nameOf(types, type);
  return length > 0 && length <= MAX_ASKED;
}

const MAX_PATHS = 10;
const MAX_EXAMPLES = 10;

/** Shows the best paths that answer a question as cards, or the reason why there are none. */
function PathsFound({ id, types, question, onAsk }: Omit<PathsFormProps, 'onDraft'>) {
  const asked = useDeferredValue(question);
  const answer = useAnswer(id, 'paths', { ...asked, limit: MAX_PATHS });
  const examples = useMemo(() => exampleQuestions(types, MAX_EXAMPLES), [types]);
  const list = useRef<HTMLOListElement>(null);
  const outcome = answer.value;
  const paths = outcome?.ok === true ? outcome.paths : [];
  const problem = outcome?.ok === false ? problemText(outcome.problem) : null;
  return (
    <div className={styles.answer} aria-busy={answer.step === 'waiting'}>
      <p className={styles.summary} aria-live="polite">
        {outcome?.ok === true ? summaryText(outcome, MAX_PATHS, asked.around) : null}
        {problem === null ? null : drawnName(problem)}
      </p>
      {answer.step === 'failed' ? (
        <div className={styles.part}>
          <Callout severity="error" title={drawnName(answer.issue.message)} />
        </div>
      ) : null}
      {outcome?.ok === true && outcome.macro !== null ? (
        <p className={styles.note}>
          <code>{drawnName(asked.to)}</code> is a macro of the kernel headers, which BTF does not
          contain: the paths lead to <code>{drawnName(outcome.macro)}</code>.
        </p>
      ) : null}
      {paths.length === 0 ? null : (
        <ol ref={list} className="stack gap-2" aria-label="Paths">
          {paths.map((path, i) => (
            <PathCard
              // Each question has its own keys, so that a new question makes new cards.
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
      {outcome !== null && paths.length === 0 ? (
        <ExampleQuestions examples={examples} onAsk={onAsk} />
      ) : null}
    </div>
  );
}

/** Moves the focus from the heading of a card to the heading of another. */
function walkHeads(event: KeyboardEvent, list: HTMLElement | null): void {
  const heads = [...(list?.querySelectorAll<HTMLElement>('[data-path-head]') ?? [])];
  const at = heads.indexOf(event.currentTarget as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: heads.length - 1 }[event.key];
  const head = to === undefined ? undefined : heads[to];
  if (head === undefined) return;
  event.preventDefault();
  head.focus();
}

type PathsFormProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly question: QuestionText;
  /** Called with the text of the form on each change. */
  readonly onDraft: (question: QuestionText) => void;
  /** Called with a complete question, which is then written to the address. */
  readonly onAsk: (question: QuestionText) => void;
};

/** Shows the form of a question: start, end, and whether container_of steps are allowed. */
function PathsForm({ id, types, question, onDraft, onAsk }: PathsFormProps) {
  const titleId = useId();
  const { from, to, around } = question;
  return (
    <Landmark className={styles.form} aria-labelledby={titleId}>
      <h2 id={titleId} className="size-13">
        Find a path between types
      </h2>
      <div className={styles.ends}>
        <PlaceBox
          id={id}
          types={types}
          label="From"
          placeholder="task_struct"
          isField={false}
          value={from}
          onChange={(text) => onDraft({ ...question, from: text })}
          onDone={(text) => onAsk({ ...question, from: text })}
        />
        <div className={styles.swap}>
          <IconButton
            label="Swap the two ends"
            icon={ArrowLeftRight}
            onClick={() => onAsk({ ...question, from: to, to: from })}
          />
        </div>
        <PlaceBox
          id={id}
          types={types}
          label="To"
          placeholder="net_device, sk_family, sock.sk_rcvbuf"
          isField
          value={to}
          onChange={(text) => onDraft({ ...question, to: text })}
          onDone={(text) => onAsk({ ...question, to: text })}
        />
      </div>
      <Checkbox isChecked={around} onChange={(isOn) => onAsk({ ...question, around: isOn })}>
        <span>
          Include <code>container_of</code> steps: from a member back to the containing struct
        </span>
      </Checkbox>
    </Landmark>
  );
}

type ExampleQuestionsProps = Pick<PathsFormProps, 'onAsk'> & {
  readonly examples: readonly ExampleQuestion[];
};

/** Shows how to write start and end. If the file has the kernel's types, shows examples. */
function ExampleQuestions({ examples, onAsk }: ExampleQuestionsProps) {
  const id = useId();
  return (
    <Landmark className={styles.examples} aria-labelledby={id}>
      <h3 id={id} className="size-13">
        Examples
      </h3>
      <p className="soft pretty">
        From: a struct, a union or a typedef of one. To: a type, a member of any type (
        <code>*.pid</code>), or a member of one type (<code>sock.sk_rcvbuf</code>).
      </p>
      {examples.length === 0 ? null : (
        <ul className={styles.list}>
          {examples.map((example) => (
            <li key={example.about}>
              <button type="button" className={styles.example} onClick={() => onAsk(example)}>
                <span className="medium">{example.about}</span>
                <span className="row wrap gap-1 small mono soft">
                  {example.from} <ArrowRight size={12} aria-label="to" /> {example.to}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Landmark>
  );
}
