import { visible } from '#bytes/text.ts';
import { useAnswer } from '#store/session/hooks.ts';
import { usePaneFile } from '#store/session/panes.ts';
import type { FileId } from '#store/session/session.ts';
import { Code } from '#ui/CopyButton.tsx';
import styles from './AnswerPane.module.css';

/** Shows the card of a rule: what is checked, usual causes, the usual repair. */
export function RuleCardBody({ rule }: { readonly rule: string }) {
  const file = usePaneFile();
  return file === null ? null : <Card log={file.id} rule={rule} />;
}

function Card({ log, rule }: { readonly log: FileId; readonly rule: string }) {
  const { value: card, step } = useAnswer(log, 'ruleCard', { rule });
  if (step === 'waiting') return <p className="muted">Reading the card…</p>;
  if (card === null) return <p className="muted">There is no card of this rule.</p>;
  return (
    <div className={styles.card}>
      <p className="medium">
        <CodeWords text={card.title} />
      </p>
      <p>
        <CodeWords text={card.checks} />
      </p>
      {card.differs.map(({ kernel, text }) => (
        <p key={`${kernel} ${text}`} className="soft">
          Linux {kernel}: <CodeWords text={text} />
        </p>
      ))}
      <h3 className={styles.title}>Usual causes</h3>
      <ul className={styles.causes}>
        {card.causes.map((cause) => (
          <li key={cause}>
            <CodeWords text={cause} />
          </li>
        ))}
      </ul>
      <h3 className={styles.title}>Usual repair</h3>
      {card.repair.map(({ language, text }) =>
        language === null ? (
          <p key={text}>
            <CodeWords text={text} />
          </p>
        ) : (
          <Code key={text} text={text} label={`Repair in ${language === 'go' ? 'Go' : 'C'}`} />
        ),
      )}
    </div>
  );
}

/** Shows a raw text in which code is between backticks. */
export function CodeWords({ text }: { readonly text: string }) {
  return visible(text)
    .split('`')
    .map((part, i) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move.
      i % 2 === 1 ? <code key={i}>{part}</code> : part,
    );
}
