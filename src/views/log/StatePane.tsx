import { ArrowUpRight, History } from 'lucide-react';
import type { Replay } from '#analysis/verifier/replay.ts';
import type { ReplayLine } from '#analysis/verifier/replay-source.ts';
import { type StateRow, stateRows, valueFacts } from '#analysis/verifier/state-rows.ts';
import type { StepFacts } from '#analysis/verifier/step-facts.ts';
import type { ChainInsn } from '#analysis/verifier/told-answer.ts';
import type { LogBinding } from '#analysis/verifier/typed-value.ts';
import { drawnName } from '#bytes/text.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { Panel } from '#ui/Panel.tsx';
import { follow, recordGoal } from '#views/parts/log/LineText.tsx';
import { placeText } from './answer-text.ts';
import { ChainList } from './ChainList.tsx';
import { type InsnBinding, insnSelection, isPoisoned, recordsOf } from './insn-selection.ts';
import styles from './StatePane.module.css';
import { ValueText } from './ValueText.tsx';

type StatePaneProps = {
  readonly log: FileId;
  readonly part: number;
  readonly replay: Replay;
  /** The verifier refused the instruction: there is no state after it. */
  readonly isFault: boolean;
  /** Line of C of the step; null if it has none. */
  readonly line: ReplayLine | null;
  readonly step: number;
  readonly binding: LogBinding & InsnBinding;
  readonly object: FileId | null;
  /** Selected register or slot. */
  readonly register: string | null;
  readonly onRegister: (name: string) => void;
  /** Shows where a register or slot was last written. */
  readonly onWrite: (name: string) => void;
  readonly onChoose: (step: number) => void;
};

/** Shows the verifier's state before and after the instruction at the cursor. */
export function StatePane(props: StatePaneProps) {
  const { log, part, replay, line, step, object } = props;
  const { value: facts } = useAnswer(log, 'logStep', { part, step });
  const insn = replay.insnOf(step);
  const goal = object === null ? null : insnSelection(props.binding, insn);
  const records = recordsOf(props.binding, insn);
  return (
    <Panel
      title={`State at insn ${grouped(insn)}`}
      actions={
        object === null || goal === null ? null : (
          <>
            {records.map(({ core, number }) => (
              <Button key={core} size="small" onClick={() => follow(recordGoal(object, core))}>
                relo #{number}
              </Button>
            ))}
            {isPoisoned(replay.printedOf(insn).trim()) ? (
              <Button
                size="small"
                onClick={() => follow({ selection: goal, view: 'load', title: '', file: object })}
              >
                Show in Load
              </Button>
            ) : null}
            <Button
              size="small"
              icon={ArrowUpRight}
              onClick={() => follow({ selection: goal, view: 'code', title: '', file: object })}
            >
              Show in Code
            </Button>
          </>
        )
      }
    >
      <div className={styles.head}>
        <code className={styles.insn}>{drawnName(replay.printedOf(insn))}</code>
        {line === null ? null : (
          <p className={styles.source}>
            <span className="muted">{drawnName(placeText(line))}</span>{' '}
            <code>{drawnName(line.text.trim())}</code>
          </p>
        )}
        <Frames {...props} />
        {facts === null ? null : <Held {...props} facts={facts} />}
      </div>
      {facts === null ? (
        <p className={styles.note}>Reading the state…</p>
      ) : (
        <State {...props} facts={facts} />
      )}
    </Panel>
  );
}

/** Shows the calls that lead to the frame of the step; hidden in the main program. */
function Frames({ replay, step, onChoose }: StatePaneProps) {
  const callers = replay.callers(step);
  const frame = replay.frameOf(step);
  if (frame === 0) return null;
  return (
    <p className={styles.facts}>
      <span className="muted">Frame {frame}, called at</span>
      {callers.map((call) => (
        <Button key={call} size="small" onClick={() => onChoose(call)}>
          insn {grouped(replay.insnOf(call))}
        </Button>
      ))}
    </p>
  );
}

const REGION_WORDS = {
  'region-lock': 'Lock taken',
  'region-rcu': 'RCU read lock taken',
  'region-preempt': 'Preemption disabled',
  'region-irq': 'Interrupts disabled',
} as const;

type FactsProps = StatePaneProps & { readonly facts: StepFacts };

/** Shows references, regions and callbacks; hidden if there are none. */
function Held({ facts, replay, onChoose }: FactsProps) {
  const { held, regions, before } = facts;
  const callback = before.flags.includes('async_cb')
    ? 'In an asynchronous callback'
    : before.flags.includes('cb')
      ? 'In a callback'
      : null;
  if (held.length === 0 && regions.length === 0 && callback === null) return null;
  const at = (step: number) => (
    <Button size="small" onClick={() => onChoose(step)}>
      insn {grouped(replay.insnOf(step))}
    </Button>
  );
  return (
    <ul className={styles.facts}>
      {callback === null ? null : <li className="soft">{callback}</li>}
      {held.map(({ ref, step }) => (
        <li key={ref} className="row gap-1">
          <span className="muted">
            Reference {ref} held{step === null ? '' : ', acquired at'}
          </span>
          {step === null ? null : at(step)}
        </li>
      ))}
      {regions.map(({ region, step }) => (
        <li key={region} className="row gap-1">
          <span className="muted">{REGION_WORDS[region]} at</span>
          {at(step)}
        </li>
      ))}
    </ul>
  );
}

function State(props: FactsProps) {
  const { facts } = props;
  const rows = stateRows(facts.before, props.isFault ? null : facts.after);
  return (
    <>
      {props.isFault ? (
        <p className={styles.note} data-tone="danger">
          The verifier stopped at this instruction: the state is the one before it.
        </p>
      ) : null}
      {facts.before.isFull ? null : (
        <p className={styles.note}>
          The log does not have the whole state here. Registers that it does not name are left out.
        </p>
      )}
      <table className={styles.table} aria-label="Registers and stack">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Register</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} {...props} row={row} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p className={styles.note}>The log has no values here.</p> : null}
    </>
  );
}

function Row(props: FactsProps & { readonly row: StateRow }) {
  const { row, register, onRegister, onWrite } = props;
  const { name, before, after, isChanged } = row;
  const isSelected = name === register;
  const full = after ?? before;
  return (
    <tr data-changed={isChanged ? '' : undefined} data-selected={isSelected ? '' : undefined}>
      <th scope="row" className={styles.name}>
        <button type="button" aria-pressed={isSelected} onClick={() => onRegister(name)}>
          {name}
        </button>
      </th>
      <td className={styles.values}>
        {isChanged && before !== null ? (
          <span className={styles.before}>
            <span className="visually-hidden">before: </span>
            <ValueText value={before} binding={props.binding} />
          </span>
        ) : null}
        {after !== null ? (
          <span>
            {isChanged ? <span className="visually-hidden">after: </span> : null}
            <ValueText value={after} binding={props.binding} />
          </span>
        ) : (
          <span className="muted">no value after this instruction</span>
        )}
        {isSelected ? (
          <>
            <span>
              <Button size="small" icon={History} onClick={() => onWrite(name)}>
                Last written
              </Button>
            </span>
            <Flow {...props} />
            {full === null ? null : (
              <dl className={styles.all}>
                {valueFacts(full).map((fact) => (
                  <div key={fact.name}>
                    <dt>{drawnName(fact.name)}</dt>
                    <dd>{drawnName(fact.text)}</dd>
                  </div>
                ))}
              </dl>
            )}
          </>
        ) : null}
      </td>
    </tr>
  );
}

/** Shows where the value of the row comes from and goes to, on the path of the step. */
function Flow({ log, part, replay, step, row, onChoose }: FactsProps & { readonly row: StateRow }) {
  const path = replay.pathOf(step);
  const params = { part, step, name: row.name, until: path.at(-1) ?? step };
  const { value: flow } = useAnswer(log, 'logFlow', params);
  if (flow === null) return null;
  const { from, to, isCut } = flow;
  const line = replay.columns.lines[step] ?? 0;
  const choose = (next: number) => {
    const at = replay.stepAtLine(next);
    if (at !== null) onChoose(at);
  };
  const list = (title: string, places: readonly ChainInsn[], none: string) => (
    <div className={styles.flow}>
      <h3 className="small soft bold">{title}</h3>
      {places.length === 0 ? (
        <p className="small muted">{none}</p>
      ) : (
        <ChainList
          label={`${row.name} ${title.toLowerCase()}`}
          places={places}
          fault={null}
          origin={null}
          line={line}
          onChoose={choose}
        />
      )}
    </div>
  );
  return (
    <>
      {list('Comes from', from, 'The log does not have the instruction that set it.')}
      {list('Goes to', to, 'No later instruction of this path uses it.')}
      {isCut ? (
        <p className="small muted">The first instructions are shown: there are more.</p>
      ) : null}
    </>
  );
}
