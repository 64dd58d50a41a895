import { visible } from '#bytes/text.ts';
import type { FileId } from '#store/session.ts';
import type { TaskState } from '#store/tasks.ts';
import { makeText, stopText, type TextFormat, type WholeText } from '#store/texts.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { grouped } from '#ui/grouped.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import styles from './TextProgress.module.css';
import { FORMAT_WORDS } from './text-format-names.ts';

type TextProgressProps = {
  readonly id: FileId;
  readonly format: TextFormat;
  readonly outcome: TaskState<WholeText> | null;
};

/** What stands in place of a text that is not there: how far it is, or why it is not. */
export function TextProgress({ id, format, outcome }: TextProgressProps) {
  const again = () => void makeText(id, format);
  if (outcome?.step === 'stopped') {
    return (
      <EmptyState
        title="Cancelled"
        text={`Writing the types as ${FORMAT_WORDS[format]} was cancelled.`}
        actions={<Button onClick={again}>Write them</Button>}
      />
    );
  }
  if (outcome?.step === 'failed') {
    const { message, advice } = outcome.issue;
    return (
      <div className={styles.failed}>
        <Callout
          severity="error"
          title={visible(message)}
          actions={<Button onClick={again}>Try again</Button>}
        >
          {advice}
        </Callout>
      </div>
    );
  }
  const { done, total } = outcome?.step === 'running' ? outcome : { done: 0, total: 0 };
  return (
    <div className={styles.progress}>
      <ProgressBar
        label={`Writing the types as ${FORMAT_WORDS[format]}`}
        fraction={total === 0 ? null : done / total}
        detail={total === 0 ? '' : `${grouped(done)} of ${grouped(total)}`}
        onCancel={() => stopText(id, format)}
      />
    </div>
  );
}
