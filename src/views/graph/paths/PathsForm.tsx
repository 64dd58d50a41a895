import { ArrowLeftRight } from 'lucide-react';
import type { QuestionText } from '#analysis/paths/place-text.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { FileId } from '#store/session.ts';
import { IconButton } from '#ui/IconButton.tsx';
import styles from './PathsForm.module.css';
import { PlaceBox } from './PlaceBox.tsx';

type PathsFormProps = {
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
        How to get from a type to another, or to a field
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
            icon={<ArrowLeftRight size={16} aria-hidden />}
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
      <label className={styles.switch}>
        <input
          type="checkbox"
          className={styles.box}
          checked={around}
          onChange={(event) => onAsk({ ...question, around: event.target.checked })}
        />
        <span>
          Also end by <code>container_of</code>: from a pointer to a part, back to the struct around
          it
        </span>
      </label>
    </section>
  );
}
