import { ArrowUpRight, ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { fieldLabel, groupCounts } from '#analysis/core/matrix/groups.ts';
import { guardAt, stateAt } from '#analysis/core/matrix/matrix.ts';
import { OUTCOME_MEANINGS, OUTCOMES, type Outcome, type Reason } from '#analysis/libbpf/outcome.ts';
import { type LoadTable, needsOf, reasonsOn } from '#analysis/load/load-table.ts';
import { drawnName } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { targetFile } from '#store/address/atlas-kernels.ts';
import { showView } from '#store/address/navigation.ts';
import { setCoreTarget } from '#store/kernels/core-view.ts';
import type { FileId } from '#store/session/session.ts';
import { applyViewState } from '#store/session/view-state.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { changeText, OutcomeMark, StateMark } from '#views/parts/core/StateMark.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { countsText, EXTERN_WORDS, externCell, guardText, recordName } from './cell-text.ts';
import styles from './LoadDetail.module.css';
import type { LineOf, LoadLine } from './load-lines.ts';
import { Fixes, Needs, ReasonText, showRecord } from './ReasonText.tsx';
import { type ShownLoad, type TargetColumn, verdictOf } from './use-load.ts';

type LoadDetailProps = Pick<ShownLoad, 'object' | 'columns' | 'matrix' | 'table'> & {
  readonly model: ObjectModel;
  readonly line: LoadLine | null;
  /** Index of the kernel in the table; -1 for the column with the names of the lines. */
  readonly column: number;
  /** Shows the record or the instruction of the cell. */
  readonly onOpen: () => void;
  readonly onMenu: (kernel: FileId) => void;
};

/** Shows libbpf's simulated log of the object on a kernel. A kernel of an atlas is opened first. */
async function simulateOn(object: FileId, target: FileId): Promise<void> {
  const file = await targetFile(target);
  if (file === null) return;
  setCoreTarget(object, file);
  applyViewState(object, 'log', new Map([['part', 'write']]));
  showView('log');
}

type OfLine<K extends LoadLine['kind']> = LoadDetailProps & { readonly line: LineOf<K> };

/** Shows the active cell's details, since a tooltip cannot be opened by keyboard or touch. */
export function LoadDetail(props: LoadDetailProps) {
  return (
    <Landmark className={styles.detail} aria-label="Active cell">
      <Detail {...props} />
    </Landmark>
  );
}

function Detail(props: LoadDetailProps) {
  const { line } = props;
  switch (line?.kind) {
    case undefined:
      return (
        <p className="muted pretty">
          Each cell is a program, a reason or a CO-RE relocation on one kernel. Select a cell to see
          what libbpf does, and why.
        </p>
      );
    case 'object':
    case 'program':
      return <ProgramDetail {...props} line={line} />;
    case 'reason':
      return <ReasonDetail {...props} line={line} />;
    case 'extern':
      return <ExternDetail {...props} line={line} />;
    case 'open':
      return (
        <Head name={line.row.undecided.what} column={props.columns[props.column]}>
          <span className="soft">{drawnName(line.row.undecided.why)}</span>
        </Head>
      );
    case 'group':
      return <GroupDetail {...props} line={line} />;
    case 'record':
      return <RecordDetail {...props} line={line} />;
  }
}

type HeadProps = {
  readonly mark?: ReactNode;
  /** Name in the heading, not escaped. */
  readonly name: string;
  readonly otherwise?: string;
  readonly about?: string;
  readonly column: TargetColumn | undefined;
  readonly children?: ReactNode;
};

function Head({ mark, name, otherwise = '(anon)', about, column, children }: HeadProps) {
  return (
    <p className={styles.what}>
      {mark}
      <span className="mono bold break">
        <Name text={name} otherwise={otherwise} />
      </span>
      {about === undefined ? null : <span className="muted">{about}</span>}
      {column === undefined ? null : (
        <span className="soft break">
          on <bdi>{drawnName(column.name)}</bdi>
        </span>
      )}
      {children}
    </p>
  );
}

/** Shows why a program or object has its outcome on a kernel; without a kernel, all outcomes. */
function ProgramDetail(props: OfLine<'object' | 'program'>) {
  const { columns, column, table, line, model } = props;
  const target = columns[column];
  const verdict = target === undefined ? null : verdictOf(target);
  const isProgram = line.kind === 'program';
  const row = isProgram ? line.row : table?.object;
  const program = isProgram ? line.row.program : null;
  const outcome = row?.outcomes[column] ?? null;
  const head = {
    mark: outcome === null ? null : <OutcomeMark outcome={outcome} />,
    name: program?.name ?? model.name,
    about: program === null ? 'whole object' : drawnName(program.section),
    column: target,
  };
  if (target === undefined || verdict === null) {
    return (
      <>
        <Head {...head} />
        <Kernels columns={columns} outcomes={row?.outcomes ?? []} />
      </>
    );
  }
  const isOff = isProgram && line.row.autoload[column] === false;
  const meaning = isOff ? OFF : outcome === null ? '' : OUTCOME_MEANINGS[outcome];
  const reasons = isProgram ? reasonsOn(verdict, line.at) : ofObject(table?.object.reasons, column);
  return (
    <>
      <Head {...head}>
        {props.matrix.records.length === 0 || outcome === 'loads' ? null : (
          <Button
            size="small"
            variant="quiet"
            className={styles.open}
            icon={ScrollText}
            onClick={() => void simulateOn(props.object, target.id)}
          >
            Simulate log
          </Button>
        )}
      </Head>
      {reasons.length === 0 && outcome !== null ? (
        <p className={styles.why}>{meaning}</p>
      ) : (
        <ul className={styles.reasons}>
          {reasons.map((reason) => (
            <li key={`${reason.step} ${reason.insn} ${reason.text}`}>
              <ReasonText model={model} verdict={verdict} program={program} reason={reason} />
              <Fixes object={props.object} kernels={[target.id]} reason={reason} />
            </li>
          ))}
        </ul>
      )}
      {isProgram || table === null ? null : <Programs table={table} column={column} />}
      {outcome === 'may-fail' || !isProgram ? (
        <Needs kernel={target.id} needs={needsOf(verdict)} onMenu={props.onMenu} />
      ) : null}
    </>
  );
}

const OFF =
  'The section begins with "?", or its table of functions is not created: libbpf loads the program only when asked to. Its relocations are not resolved.';

const FAILURES = OUTCOMES.slice(1).reverse();

/** Shows the programs that do not load on a kernel, the worst outcome first. */
function Programs({ table, column }: { readonly table: LoadTable; readonly column: number }) {
  return (
    <ul className={styles.reasons}>
      {FAILURES.map((outcome) => {
        const names = table.programs
          .filter((row) => row.autoload[column] === true && row.outcomes[column] === outcome)
          .map(({ program }) => drawnName(program.name));
        return names.length === 0 ? null : (
          <li key={outcome} className="row gap-2">
            <OutcomeMark outcome={outcome} />
            <span className="mono break">{names.join(', ')}</span>
          </li>
        );
      })}
    </ul>
  );
}

function ofObject(
  rows: readonly { readonly reason: Reason; readonly outcomes: readonly (Outcome | null)[] }[] = [],
  column: number,
): readonly Reason[] {
  return rows.filter(({ outcomes }) => outcomes[column] != null).map(({ reason }) => reason);
}

type KernelsProps = Pick<LoadDetailProps, 'columns'> & {
  readonly outcomes: readonly (Outcome | null)[];
};

/** Shows the kernels by outcome, the worst outcome first. */
function Kernels({ columns, outcomes }: KernelsProps) {
  return (
    <ul className={styles.reasons}>
      {OUTCOMES.toReversed().map((outcome) => {
        const names = columns.flatMap(({ name }, at) => (outcomes[at] === outcome ? [name] : []));
        const isAll = names.length === columns.length;
        const kernels = isAll
          ? `all ${countOf(names.length, 'kernel')}`
          : names.map(drawnName).join(', ');
        return names.length === 0 ? null : (
          <li key={outcome} className="row gap-2">
            <OutcomeMark outcome={outcome} />
            <span className="soft break">on {kernels}</span>
          </li>
        );
      })}
    </ul>
  );
}

function ReasonDetail(props: OfLine<'reason'>) {
  const { columns, column, table, line, model, object, onMenu } = props;
  const target = columns[column];
  const { reason, outcomes } = line.row;
  const program = table?.programs[line.program ?? -1]?.program ?? null;
  const outcome = outcomes[column] ?? null;
  const verdict = target === undefined ? null : verdictOf(target);
  return (
    <>
      <Head
        mark={outcome === null ? null : <OutcomeMark outcome={outcome} />}
        name={program?.name ?? model.name}
        about={program === null ? 'whole object' : drawnName(program.section)}
        column={target}
      >
        {target !== undefined && verdict !== null && outcome === null ? (
          <span className="soft">The reason below does not apply.</span>
        ) : null}
      </Head>
      <ReasonText model={model} verdict={verdict} program={program} reason={reason} />
      <Fixes
        object={object}
        kernels={columns.filter((_, at) => outcomes[at] != null).map(({ id }) => id)}
        reason={reason}
      />
      {target === undefined ? <Kernels columns={columns} outcomes={outcomes} /> : null}
      {target !== undefined && verdict !== null && outcome === 'may-fail' ? (
        <Needs kernel={target.id} needs={needsOf(verdict)} onMenu={onMenu} />
      ) : null}
    </>
  );
}

function ExternDetail({ columns, column, line, onMenu }: OfLine<'extern'>) {
  const target = columns[column];
  const { extern, results } = line.row;
  const verdict = target === undefined ? null : verdictOf(target);
  const result = results[column] ?? null;
  const undecided = verdict?.undecided.find(({ what }) => what === extern.name);
  const need = undecided?.needs ?? null;
  const needs = need === null ? new Map() : new Map([[need, [extern.name]]]);
  return (
    <>
      <Head
        name={extern.name}
        about={`${EXTERN_WORDS[extern.kind]}${extern.weak ? ', weak' : ''}`}
        column={target}
      >
        {result === null ? null : <code>{drawnName(externCell(line.row, column).text)}</code>}
      </Head>
      {result?.error == null ? null : <p className={styles.why}>{drawnName(result.error)}</p>}
      {result?.result === 'weak_zero' ? (
        <p className={styles.why}>
          The kernel has none that fits.{' '}
          {extern.kind === 'func ksym' ? 'Its address is 0, a call of it is invalid.' : 'It is 0.'}
        </p>
      ) : null}
      {undecided !== undefined && need === null ? (
        <p className={styles.why}>{drawnName(undecided.why)}</p>
      ) : null}
      {target === undefined ? null : <Needs kernel={target.id} needs={needs} onMenu={onMenu} />}
    </>
  );
}

function GroupDetail({ columns, matrix, line, column }: OfLine<'group'>) {
  const { label, section, rows } = line.group;
  const resolved = matrix.columns[column];
  const words = resolved?.results == null ? null : countsText(groupCounts(resolved, rows));
  const count = countOf(rows.length, 'relocation');
  return (
    <Head
      name={label}
      otherwise="(no function)"
      about={section === '' ? count : `${drawnName(section)}, ${count}`}
      column={columns[column]}
    >
      {words === null ? null : <span>{words}</span>}
    </Head>
  );
}

function RecordDetail({ columns, matrix, line, column, onOpen }: OfLine<'record'>) {
  const { types, records } = matrix;
  const record = records[line.row];
  if (record === undefined) return null;
  const resolved = matrix.columns[column];
  const result = resolved?.results?.[line.row];
  const state = resolved === undefined ? null : stateAt(resolved, line.row);
  const guard = resolved === undefined ? null : guardAt(resolved, records, line.row);
  return (
    <>
      <Head
        mark={state === null ? null : <StateMark state={state} />}
        name={fieldLabel(types, record)}
        about={recordName(record)}
        column={columns[column]}
      >
        {result === undefined ? null : <code>{changeText(result)}</code>}
        <Button size="small" className={styles.open} onClick={onOpen} icon={ArrowUpRight}>
          Why?
        </Button>
      </Head>
      {result === undefined ? null : <p className={styles.why}>{drawnName(result.reason)}</p>}
      {resolved === undefined || guard === null ? null : (
        <p className={styles.why}>
          {sentence(guardText(resolved, records, line.row) ?? '')} If that check guards this
          instruction, the verifier does not check it.{' '}
          <Button size="small" onClick={() => showRecord(coreIndex(guard.index))}>
            Show check
          </Button>
        </p>
      )}
    </>
  );
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
