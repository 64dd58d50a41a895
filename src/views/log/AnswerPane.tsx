import type { ReactNode } from 'react';
import { unifiedDiff } from '#analysis/load/source-diff.ts';
import type { PartOverview } from '#analysis/verifier/log-overview.ts';
import { shownValue } from '#analysis/verifier/state-rows.ts';
import type { ToldAnswer } from '#analysis/verifier/told-answer.ts';
import { drawnName } from '#bytes/text.ts';
import { Landmark } from '#ui/aria.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Code, CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { Disclosure } from '#ui/Panel.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './AnswerPane.module.css';
import { chainGroups, fixBlocks, placeText } from './answer-text.ts';
import { ChainList } from './ChainList.tsx';
import { VERDICTS } from './PartMenu.tsx';
import { CodeWords, RuleCardBody } from './RuleCardBody.tsx';

type AnswerPaneProps = {
  readonly part: PartOverview;
  /** Null until it is known. */
  readonly answer: ToldAnswer | null;
  readonly isWaiting: boolean;
  /** Why there is no answer; null if nothing failed. */
  readonly problem: string | null;
  /** Current line of the log. */
  readonly line: number;
  readonly onChoose: (line: number) => void;
};

/** Says why a program was refused: cause, origin of the value, and what to write instead. */
export function AnswerPane(props: AnswerPaneProps) {
  const { part, answer, isWaiting, problem } = props;
  const verdict = VERDICTS[part.verdict];
  return (
    <Landmark className={styles.answer} aria-label="Answer">
      {answer?.error != null ? (
        <Refusal {...props} answer={answer} error={answer.error} />
      ) : (
        <p className="row gap-2 wrap">
          <Badge {...verdict} />
          <span className="size-14">
            {plainSentence(part, problem, isWaiting && answer === null)}
          </span>
        </p>
      )}
    </Landmark>
  );
}

function plainSentence(part: PartOverview, problem: string | null, isWaiting: boolean): string {
  if (problem !== null) return drawnName(problem);
  if (isWaiting) return 'Looking for the cause…';
  if (part.cause !== null) return drawnName(part.cause.sentence);
  const processed =
    part.summary === null ? '' : `: ${countOf(part.summary.insns, 'instruction')} processed`;
  switch (part.verdict) {
    case 'accepted':
      return `The verifier accepted the program${processed}.`;
    case 'rejected':
      return 'The program was refused; the log does not have the reason.';
    case 'cut':
      return 'The log is cut and has no verdict: load the program with a larger log buffer.';
    case 'unknown':
      return part.kind === 'verifier'
        ? 'The log has no verdict.'
        : 'These lines have no log of the verifier.';
  }
}

type RefusalProps = AnswerPaneProps & {
  readonly answer: ToldAnswer;
  readonly error: NonNullable<ToldAnswer['error']>;
};

function Refusal({ part, answer, error, line, onChoose }: RefusalProps) {
  const { cause, fix, type, value, places, edit } = answer;
  const shown = value === null ? null : shownValue(value, NO_BINDING);
  const typeName =
    type === null ? null : `${type.name}${type.member === null ? '' : `.${type.member}`}`;
  const suggestion = part.block?.suggestion ?? '';
  const blocks = fixBlocks(fix);
  const diff = edit === null ? null : unifiedDiff([edit]);
  return (
    <>
      <div className={styles.head}>
        <Badge {...VERDICTS.rejected} />
        <h2 className={styles.cause}>
          <CodeWords text={cause} />
        </h2>
        <span className="row gap-1 at-end wrap">
          <CopyButton label="Copy answer" text={() => copiedText(answer, diff)} />
        </span>
      </div>
      <dl className={styles.facts}>
        <Fact term="Line of C">
          {error.source === null ? 'not in the log' : drawnName(placeText(error.source))}
          {error.function === null ? null : ` in ${drawnName(error.function)}`}
        </Fact>
        {error.insn === null ? null : (
          <Fact term="Instruction">
            <button
              type="button"
              className={styles.link}
              onClick={() => onChoose(answer.stepLine ?? error.n - 1)}
            >
              {grouped(error.insn)}
            </button>
          </Fact>
        )}
        {error.register === null ? null : (
          <Fact term="Value">
            <code>
              {error.register === 'ref' ? 'a reference' : error.register}
              {shown === null ? null : ` = ${drawnName(`${shown.type} ${shown.place}`.trim())}`}
              {shown === null || shown.marks.length === 0 ? null : `, ${shown.marks.join(', ')}`}
            </code>
          </Fact>
        )}
        {typeName === null ? null : (
          <Fact term="Type">
            <code>{drawnName(typeName)}</code>
          </Fact>
        )}
        <Fact term="Message">
          <button type="button" className={styles.link} onClick={() => onChoose(error.n - 1)}>
            <code>{drawnName(error.line)}</code>
          </button>
        </Fact>
      </dl>
      <div className={styles.columns}>
        {places.length === 0 ? null : (
          <Landmark aria-label="Comes from">
            <h3 className={styles.title}>Comes from</h3>
            <ChainList
              label="Instructions that the value comes through"
              places={places}
              fault={error.insn}
              origin={answer.blame?.insn ?? null}
              line={line}
              onChoose={onChoose}
            />
          </Landmark>
        )}
        <Landmark aria-label="What to write">
          <h3 className={styles.title}>What to write</h3>
          {blocks.map(({ isCode, text }) =>
            isCode ? (
              <Code key={text} text={drawnLines(text)} label="Repair" />
            ) : (
              <p key={text} className="pretty break">
                <CodeWords text={text} />
              </p>
            ),
          )}
          {diff === null ? null : <Code text={drawnLines(diff)} label="Repair as a diff" />}
          {suggestion === '' ? null : (
            <>
              <h3 className={styles.title}>The kernel suggests</h3>
              <p className="pretty break">
                <CodeWords text={suggestion} />
              </p>
            </>
          )}
        </Landmark>
      </div>
      <Disclosure title="About this rule">
        <RuleCardBody rule={error.class} />
      </Disclosure>
    </>
  );
}

const NO_BINDING = { object: null, program: null, kernel: null };

type FactProps = { readonly term: string; readonly children: ReactNode };

function Fact({ term, children }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Returns the answer as text, without addresses and paths. */
async function copiedText(answer: ToldAnswer, diff: string | null): Promise<string> {
  const { sanitised } = await import('#analysis/log/sanitise.ts');
  return answerText(answer, diff).split('\n').map(sanitised).join('\n');
}

function answerText({ error, cause, fix, places }: ToldAnswer, diff: string | null): string {
  const chain = chainGroups(places).flatMap(([first]) =>
    first === undefined
      ? []
      : [
          `  ${first.source === null ? `insn ${first.insn}` : placeText(first.source)}  ${(first.source?.text ?? first.text).trim()}`,
        ],
  );
  return [
    cause,
    ...(chain.length === 0 ? [] : ['Comes from:', ...chain]),
    ...(fix === '' ? [] : [fix]),
    ...(diff === null ? [] : [diff]),
    ...(error === null ? [] : [`The verifier: ${error.line}`]),
  ].join('\n');
}
