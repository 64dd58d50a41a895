import {
  ArrowLeft,
  ArrowRight,
  CircleAlert,
  GitBranch,
  LogIn,
  LogOut,
  SkipBack,
  SkipForward,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import type { PartOverview } from '#analysis/verifier/log-overview.ts';
import { Replay } from '#analysis/verifier/replay.ts';
import type { ReplayColumns } from '#analysis/verifier/replay-columns.ts';
import { replayLines } from '#analysis/verifier/replay-source.ts';
import type { ToldAnswer } from '#analysis/verifier/told-answer.ts';
import type { LogBinding } from '#analysis/verifier/typed-value.ts';
import { clientOf } from '#store/session/files.ts';
import { type FileId, type OpenFile, patchFile } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { useKeys } from '#ui/keys.tsx';
import { Toolbar } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { type InsnBinding, insnSelection } from './insn-selection.ts';
import { REPLAY_KEYS, type ReplayKey } from './keys.ts';
import { ReplayLists } from './ReplayLists.tsx';
import styles from './ReplayPanes.module.css';
import { replayState } from './replay-state.ts';
import { StatePane } from './StatePane.tsx';

type ReplayPanesProps = {
  readonly file: OpenFile;
  readonly part: number;
  readonly overview: PartOverview;
  /** Current line of the log. */
  readonly line: number;
  readonly columns: ReplayColumns;
  readonly answer: ToldAnswer;
  readonly binding: LogBinding & InsnBinding;
  /** File of the bound object; null if there is none. */
  readonly object: FileId | null;
  readonly onChooseLine: (line: number) => void;
};

/** Shows the walk as source, steps or paths, the state at the cursor, and moves the cursor by keys. */
export function ReplayPanes(props: ReplayPanesProps) {
  const { file, part, line, columns, answer, binding, onChooseLine } = props;
  const replay = useMemo(() => new Replay(columns, answer.step), [columns, answer.step]);
  const { object: model, program } = binding;
  const lines = useMemo(
    () => replayLines(replay, model === null ? null : { model, program }),
    [replay, model, program],
  );
  const step = replay.stepAtLine(line) ?? 0;
  const { register: chosen } = replayState.useOf(file.id);
  const register = chosen ?? answer.error?.register ?? null;
  const [notice, setNotice] = useState('');
  const choose = (next: number) => {
    setNotice('');
    const to = columns.lines[next];
    if (to === undefined) return;
    onChooseLine(to);
    const selection = insnSelection(binding, replay.insnOf(next));
    // A pane that shows the object follows.
    if (props.object !== null && selection !== null) patchFile(props.object, { selection });
  };
  const goTo = (next: number | null, none: string) => {
    if (next === null) setNotice(none);
    else choose(next);
    return true;
  };
  const showOtherSide = () => {
    const branch = replay.branchAt(step);
    if (branch === null) return goTo(null, 'There is no branch before this instruction.');
    const other = replay.otherSide(branch, step);
    const where = `branch at insn ${grouped(replay.insnOf(branch))}`;
    if (other === null) return goTo(null, `The log has one side of the ${where}.`);
    if (other.kind === 'walked') return goTo(other.step, '');
    const { earlier } = other.prune;
    return goTo(
      null,
      `The other side of the ${where} was pruned: its state was seen before${
        earlier < 0 ? '' : `, at step ${grouped(earlier + 1)}`
      }.`,
    );
  };
  const showWrite = async (name: string) => {
    const outcome = await clientOf(file.id)?.call('logWrite', { part, step, name });
    if (outcome?.ok !== true) return;
    goTo(outcome.value, `No earlier instruction of this path wrote ${name}.`);
  };
  const act = (action: ReplayKey): boolean => {
    switch (action) {
      case 'next':
        return goTo(replay.along(step, 1), 'The path ends here.');
      case 'previous':
        return goTo(replay.along(step, -1), 'The path starts here.');
      case 'next-branch':
        return goTo(replay.branchFrom(step, 1), 'This path has no later branch.');
      case 'previous-branch':
        return goTo(replay.branchFrom(step, -1), 'This path has no earlier branch.');
      case 'other-side':
        return showOtherSide();
      case 'in':
        return goTo(replay.frameChange(step, 'in'), 'This path enters no later subprogram.');
      case 'out':
        return goTo(replay.frameChange(step, 'out'), 'This path does not leave the function.');
      case 'fault':
        return goTo(replay.end, '');
      case 'write':
        if (register === null) setNotice('Select a register first.');
        else void showWrite(register);
        return true;
    }
  };
  useKeys(REPLAY_KEYS, act);
  const path = replay.pathOf(step);
  const place = replay.placeOf(step);
  return (
    <div className={styles.panes}>
      <Toolbar label="Move in the walk">
        <div className="row gap-1">
          {MOVES.map(({ action, icon, label }) => (
            <Button
              key={action}
              size="small"
              icon={icon}
              aria-label={label}
              title={label}
              onClick={() => act(action)}
            />
          ))}
        </div>
        <p className="small">
          Step {grouped(place + 1)} of {grouped(path.length)}
          <span className="muted">
            {answer.step === null
              ? ''
              : replay.isOnFaultPath(step)
                ? ' on the path to the failure'
                : ' on another path'}
          </span>
        </p>
        {answer.step === null ? null : (
          <Button size="small" icon={CircleAlert} onClick={() => act('fault')}>
            Failure
          </Button>
        )}
        <p className="small soft break" aria-live="polite">
          {notice}
        </p>
      </Toolbar>
      <div className="shrink-y">
        <Split
          label="Resize the state"
          firstSize={54}
          minFirst={240}
          minSecond={240}
          first={
            <ReplayLists
              file={file}
              part={props.overview}
              replay={replay}
              lines={lines}
              answer={answer}
              step={step}
              onChoose={choose}
              onStep={(by) => void act(by > 0 ? 'next' : 'previous')}
            />
          }
          second={
            <StatePane
              log={file.id}
              part={part}
              replay={replay}
              line={lines.lines[lines.lineOfStep[step] ?? -1] ?? null}
              step={step}
              isFault={answer.step === step}
              binding={binding}
              object={props.object}
              register={register}
              onRegister={(name) => replayState.set({ register: name }, file.id)}
              onWrite={(name) => void showWrite(name)}
              onChoose={choose}
            />
          }
        />
      </div>
    </div>
  );
}

const MOVES = [
  { action: 'previous', icon: ArrowLeft, label: 'Previous instruction (←)' },
  { action: 'next', icon: ArrowRight, label: 'Next instruction (→)' },
  { action: 'previous-branch', icon: SkipBack, label: 'Previous branch (p)' },
  { action: 'next-branch', icon: SkipForward, label: 'Next branch (n)' },
  { action: 'other-side', icon: GitBranch, label: 'Other side of the branch (x)' },
  { action: 'in', icon: LogIn, label: 'Into the next subprogram (i)' },
  { action: 'out', icon: LogOut, label: 'Out of the subprogram (u)' },
] as const;
