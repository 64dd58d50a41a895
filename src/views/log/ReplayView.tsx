import { useMemo } from 'react';
import type { PartOverview } from '#analysis/verifier/log-overview.ts';
import type { ToldAnswer } from '#analysis/verifier/told-answer.ts';
import { useLogAnswer } from '#store/kernels/log-answer.ts';
import type { BoundKernel, BoundProgram } from '#store/kernels/log-binding.ts';
import { logPlaceState } from '#store/kernels/log-place.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { OpenFile } from '#store/session/session.ts';
import { EmptyState } from '#ui/Panel.tsx';
import { AnswerPane } from './AnswerPane.tsx';
import { LogFrame, type ShownLog } from './LogFrame.tsx';
import { ReplayPanes } from './ReplayPanes.tsx';
import styles from './ReplayView.module.css';

/** Shows why a program was refused, and the walk of the verifier with the state at each step. */
export function ReplayView() {
  return <LogFrame panes={Panes} />;
}

function Panes({ file, log, line: shown, part, bound, kernel, head, choose }: ShownLog) {
  const { line: chosen } = logPlaceState.useOf(file.id);
  const task = useLogAnswer(file.id, part, bound, kernel);
  const answer = task?.step === 'ready' ? task.value : null;
  // The line that a log shows first is the verdict's message: here it is the failing step.
  const line = chosen ?? answer?.stepLine ?? shown;
  const own = log.parts[part] ?? null;
  return (
    <div className={styles.page}>
      <div>
        {head}
        {own === null ? null : (
          <AnswerPane
            part={own}
            answer={answer}
            isWaiting={task?.step === 'running' || task === null}
            problem={task?.step === 'failed' ? task.issue.message : null}
            line={line}
            onChoose={choose}
          />
        )}
      </div>
      {own?.kind === 'verifier' && answer !== null ? (
        <Walk
          key={part}
          {...{ file, part, overview: own, line, answer, bound, kernel, chooseLine: choose }}
        />
      ) : null}
    </div>
  );
}

type WalkProps = {
  readonly file: OpenFile;
  readonly part: number;
  readonly overview: PartOverview;
  readonly line: number;
  readonly answer: ToldAnswer;
  readonly bound: BoundProgram | null;
  readonly kernel: BoundKernel | null;
  readonly chooseLine: (line: number) => void;
};

function Walk({ file, part, overview, line, answer, bound, kernel, chooseLine }: WalkProps) {
  const { value: columns, step } = useAnswer(file.id, 'replayLog', { part });
  const program = bound?.program ?? null;
  const model = bound?.model ?? null;
  const types = kernel?.types ?? null;
  const { functions } = answer;
  const binding = useMemo(
    () => ({ object: model, program, kernel: types, functions }),
    [model, program, types, functions],
  );
  if (columns === null) {
    if (step === 'waiting') return <p className={styles.waiting}>Reading the walk…</p>;
    return (
      <EmptyState
        title="The log has no walked instructions"
        text="Load the program with log level 1, or 2 for all states. libbpf: kernel_log_level in bpf_object_open_opts; bpftool: -d; cilium/ebpf: ProgramOptions.LogLevel."
      />
    );
  }
  return (
    <ReplayPanes
      file={file}
      part={part}
      overview={overview}
      line={line}
      columns={columns}
      answer={answer}
      binding={binding}
      object={bound?.file.id ?? null}
      onChooseLine={chooseLine}
    />
  );
}
