import { ArrowLeftRight, ArrowRight } from 'lucide-react';
import { useId } from 'react';
import type { ExampleQuestion, QuestionText } from '#analysis/paths/place-text.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { FileId } from '#store/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { Checkbox } from '#ui/Checkbox.tsx';
import styles from './PathsForm.module.css';
import { PlaceBox } from './PlaceBox.tsx';

export type PathsFormProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly question: QuestionText;
  /** While somebody types. */
  readonly onDraft: (question: QuestionText) => void;
  /** A question that is meant: it goes into the address. */
  readonly onAsk: (question: QuestionText) => void;
};

/** Where from, where to, and whether guesses by container_of are wanted. */
export function PathsForm(props: PathsFormProps) {
  const { id, types, question, onDraft, onAsk } = props;
  const { from, to, around } = question;
  return (
    <section className={styles.form} aria-labelledby="paths-title">
      <h2 id="paths-title" className={styles.title}>
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
          Include <code>container_of</code> steps: from a member back to the struct that holds it
        </span>
      </Checkbox>
    </section>
  );
}

type ExampleQuestionsProps = Pick<PathsFormProps, 'onAsk'> & {
  readonly examples: readonly ExampleQuestion[];
};

/** How to ask, and questions to begin with where the file has the kernel's types. */
export function ExampleQuestions({ examples, onAsk }: ExampleQuestionsProps) {
  const id = useId();
  return (
    <section className={styles.examples} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {examples.length === 0 ? 'How to ask' : 'Try one of these'}
      </h3>
      <p className="soft pretty">
        Begin in a struct, a union or a typedef of one. Go to a type, to a member of any type (
        <code>*.pid</code>), or to one of a certain type (<code>sock.sk_rcvbuf</code>).
      </p>
      {examples.length === 0 ? null : (
        <ul className={styles.list}>
          {examples.map((example) => (
            <li key={example.about}>
              <button type="button" className={styles.example} onClick={() => onAsk(example)}>
                <span className="medium">{example.about}</span>
                <span className={styles.exampleQuestionsEnds}>
                  {example.from} <ArrowRight size={12} aria-label="to" /> {example.to}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
