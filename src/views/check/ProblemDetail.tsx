import { type CheckStage, checkSpan, type FileCheck } from '#analysis/check/file-check.ts';
import type { Problem } from '#analysis/check/verdict.ts';
import { drawnName } from '#bytes/text.ts';
import type { Active } from '#store/hooks.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Detail } from './Detail.tsx';
import { JudgeMark } from './JudgeMark.tsx';
import { placeFacts } from './place-facts.tsx';
import { problemReport } from './problem-report.ts';
import { ShowBytes } from './ShowBytes.tsx';

type ProblemDetailProps = {
  readonly active: Active;
  readonly check: FileCheck;
  readonly stage: CheckStage;
  readonly problem: Problem;
};

/** One problem in full: what is wrong, against which rule, where that is written, and the bytes. */
export function ProblemDetail({ active, check, stage, problem }: ProblemDetailProps) {
  const { sentence, rule, where, word, by } = problem;
  const span = checkSpan(check, stage, problem);
  return (
    <Detail
      mark={<JudgeMark by={by} />}
      title={drawnName(sentence)}
      line={drawnName(rule)}
      actions={
        <>
          <ShowBytes span={span} />
          <CopyButton
            text={() => problemReport(active.model.name, problem, span)}
            label="Copy as text"
          />
        </>
      }
      facts={[
        {
          term: by === 'libbpf' ? 'libbpf’s log' : 'Kernel log',
          value: word === '' ? 'nothing is logged' : <code>{drawnName(word)}</code>,
          isMono: word !== '',
        },
        { term: 'Written in', value: drawnName(where), isMono: true },
        ...placeFacts(active, check, stage, problem),
      ]}
    />
  );
}
