import { ArrowRight } from 'lucide-react';
import { useId } from 'react';
import type { ExampleQuestion, QuestionText } from '#analysis/paths/place-text.ts';
import styles from './ExampleQuestions.module.css';

/** How to ask, and questions to begin with where the file has the kernel's types. */
export function ExampleQuestions({
  examples,
  onAsk,
}: {
  readonly examples: readonly ExampleQuestion[];
  readonly onAsk: (question: QuestionText) => void;
}) {
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
                <span className={styles.ends}>
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
