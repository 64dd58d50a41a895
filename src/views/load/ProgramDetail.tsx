import { ScrollText } from 'lucide-react';
import { metToday, OUTCOME_MEANINGS } from '#analysis/libbpf/outcome.ts';
import { type Answer, answerOf, groupAnswers, reasonsOf } from '#analysis/load/equal-answers.ts';
import { allKernels, listed, outcomeWords } from '#analysis/load/load-sentence.ts';
import { needsOf } from '#analysis/load/load-table.ts';
import { drawnName, visible } from '#bytes/text.ts';
import { answerText } from '#print/load-text.ts';
import { targetFile } from '#store/address/atlas-kernels.ts';
import { showView } from '#store/address/navigation.ts';
import { setCoreTarget } from '#store/kernels/core-view.ts';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { OutcomeMark } from '#views/parts/core/StateMark.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { DetailHead } from './DetailHead.tsx';
import { AllFixes, Fixes } from './Fixes.tsx';
import styles from './LoadDetail.module.css';
import type { LoadDetailProps } from './LoadDetail.tsx';
import type { LineOf } from './load-lines.ts';
import { Needs, ReasonText } from './ReasonText.tsx';
import { type TargetColumn, verdictOf } from './use-load.ts';

type ProgramDetailProps = LoadDetailProps & { readonly line: LineOf<'object' | 'program'> };

/** Shows all reasons of a program or of the object: on the kernels of a cell, or on all kernels. */
export function ProgramDetail(props: ProgramDetailProps) {
  const { columns, group, line, model } = props;
  const at = line.kind === 'program' ? line.at : null;
  const program = line.kind === 'program' ? line.row.program : null;
  const shown = group?.columns ?? columns;
  const answersOn = (kernels: readonly TargetColumn[]) =>
    groupAnswers(
      kernels.map((column) => {
        const verdict = verdictOf(column);
        return [column, verdict === null ? null : answerOf(verdict, at)] as const;
      }),
    );
  const answers = answersOn(shown);
  const verdict = shown.map(verdictOf).find((one) => one !== null);
  const notes = program === null ? (verdict?.notes ?? []) : [];
  const name = program?.name ?? model.name;
  const about = program === null ? 'whole object' : drawnName(program.section);
  const text = () =>
    answers
      .flatMap(({ kernels, answer }) => [
        `${name}: ${outcomeWords(answer.outcome, reasonsOf(answer))} on ${listed(kernels.map((column) => column.name))}`,
        ...answerText(answer, 0),
      ])
      .map(visible)
      .join('\n');
  return (
    <article aria-label={drawnName(name)}>
      <DetailHead name={name} about={about} kernels={[]}>
        {answers.length === 0 ? null : (
          <span className={styles.open}>
            <CopyButton text={text} label="Copy reasons" />
          </span>
        )}
      </DetailHead>
      {answers.length === 0 ? <p className={styles.why}>Not read yet.</p> : null}
      {answers.map(({ kernels, answer }) => (
        <AnswerPart
          key={kernels.map(({ id }) => id).join(' ')}
          {...props}
          kernels={kernels}
          answer={answer}
          isAll={group === null && answers.length === 1}
        />
      ))}
      <AllFixes object={props.object} shown={answers} all={answersOn(columns)} />
      {notes.map((note) => (
        <p key={note} className={styles.why}>
          {drawnName(note)}
        </p>
      ))}
    </article>
  );
}

type AnswerPartProps = ProgramDetailProps & {
  readonly kernels: readonly TargetColumn[];
  readonly answer: Answer;
  /** True if all kernels have the answer. */
  readonly isAll: boolean;
};

/** Shows the outcome on kernels with equal answers, and its reasons in order. */
function AnswerPart(props: AnswerPartProps) {
  const { kernels, answer, isAll, line, model, object, columns, matrix, onMenu } = props;
  const [first] = kernels;
  const program = line.kind === 'program' ? line.row.program : null;
  const reasons = reasonsOf(answer);
  const met = metToday(reasons);
  const ids = kernels.map(({ id }) => id);
  const isOff =
    line.kind === 'program' && first !== undefined
      ? line.row.autoload[columns.indexOf(first)] === false
      : false;
  const words = outcomeWords(answer.outcome, reasons);
  const where =
    isAll && kernels.length > 1
      ? allKernels(kernels.length)
      : listed(
          kernels.map(({ name, shortName }) => drawnName(kernels.length === 1 ? name : shortName)),
        );
  const itemsOf = (from: number, to: number) =>
    reasons.slice(from, to).map((reason, i) => (
      <li key={`${reason.step} ${reason.insn} ${reason.text}`} className={styles.item}>
        <ReasonText
          model={model}
          program={program}
          reason={reason}
          isOfObject={program !== null && from + i < answer.ofObject.length}
        />
        <Fixes object={object} kernels={ids} reason={reason} />
      </li>
    ));
  return (
    <section className={styles.answer} aria-label={`${words} on ${where}`}>
      <h3 className={styles.outcome}>
        <OutcomeMark outcome={answer.outcome} words={words} />
        <span className="soft break">
          on <bdi>{where}</bdi>
        </span>
        {first === undefined || matrix.records.length === 0 || kernels.length > 1 ? null : (
          <Button
            size="small"
            variant="quiet"
            className={styles.open}
            icon={ScrollText}
            onClick={() => void simulateOn(object, first.id)}
          >
            Simulate log
          </Button>
        )}
      </h3>
      {isOff ? <p className={styles.why}>{OFF}</p> : null}
      {reasons.length === 0 ? (
        isOff ? null : (
          <p className={styles.why}>{OUTCOME_MEANINGS[answer.outcome]}</p>
        )
      ) : (
        <ol className={styles.reasons}>{itemsOf(0, met)}</ol>
      )}
      {met < reasons.length ? (
        <>
          <p className={styles.divider}>
            Not reached today: {countOf(reasons.length - met, 'more reason')}
          </p>
          <ol className={styles.reasons} start={met + 1}>
            {itemsOf(met, reasons.length)}
          </ol>
        </>
      ) : null}
      {kernels.slice(0, MAX_NEEDS).map((column) => (
        <KernelNeeds key={column.id} column={column} isOne={kernels.length === 1} onMenu={onMenu} />
      ))}
    </section>
  );
}

const OFF =
  'The section begins with "?", or its table of functions is not created: libbpf loads the program only when asked to. Its relocations are not resolved.';

/** Number of kernels for which the detail asks for files. */
const MAX_NEEDS = 8;

type KernelNeedsProps = {
  readonly column: TargetColumn;
  /** False if the kernel is one of several. */
  readonly isOne: boolean;
  readonly onMenu: (kernel: FileId) => void;
};

/** Shows buttons that add the files that decide more about a kernel. */
function KernelNeeds({ column, isOne, onMenu }: KernelNeedsProps) {
  const verdict = verdictOf(column);
  const needs = verdict === null || verdict.outcome === 'loads' ? new Map() : needsOf(verdict);
  if (needs.size === 0) return null;
  return (
    <>
      {isOne ? null : (
        <p className={styles.kernel}>
          <bdi>{drawnName(column.shortName)}</bdi>
        </p>
      )}
      <Needs kernel={column.id} needs={needs} onMenu={onMenu} />
    </>
  );
}

/** Shows libbpf's simulated log of the object on a kernel. A kernel of an atlas is opened first. */
async function simulateOn(object: FileId, target: FileId): Promise<void> {
  const file = await targetFile(target);
  if (file === null) return;
  setCoreTarget(object, file);
  showView('simulate');
}
