import { ArrowUpRight } from 'lucide-react';
import { fieldLabel, groupCounts } from '#analysis/core/matrix/groups.ts';
import { guardAt, stateAt } from '#analysis/core/matrix/matrix.ts';
import { OUTCOMES, type Outcome } from '#analysis/libbpf/outcome.ts';
import { needsOf } from '#analysis/load/load-table.ts';
import { drawnName } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { changeText, OutcomeMark, StateMark } from '#views/parts/core/StateMark.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { countsText, EXTERN_WORDS, externCell, guardText, recordName } from './cell-text.ts';
import { DetailHead } from './DetailHead.tsx';
import { Fixes } from './Fixes.tsx';
import styles from './LoadDetail.module.css';
import type { LineOf, LoadLine } from './load-lines.ts';
import { ProgramDetail } from './ProgramDetail.tsx';
import { Needs, ReasonText, showRecord } from './ReasonText.tsx';
import { type ColumnGroup, type ShownLoad, verdictOf } from './use-load.ts';

export type LoadDetailProps = Pick<ShownLoad, 'object' | 'columns' | 'matrix' | 'table'> & {
  readonly model: ObjectModel;
  readonly line: LoadLine | null;
  /** Kernels of the cell; null in the column with the names of the lines. */
  readonly group: ColumnGroup | null;
  /** Shows the record or the instruction of the cell. */
  readonly onOpen: () => void;
  readonly onMenu: (kernel: FileId) => void;
  readonly onUnfold: (group: ColumnGroup) => void;
};

type OfLine<K extends LoadLine['kind']> = LoadDetailProps & {
  readonly line: LineOf<K>;
  /** Index of the kernel in the results; -1 for none. */
  readonly column: number;
};

/** Shows the active cell's details, since a tooltip cannot be opened by keyboard or touch. */
export function LoadDetail(props: LoadDetailProps) {
  return (
    <Landmark className={styles.detail} aria-label="Active cell">
      <Detail {...props} column={props.group?.first ?? -1} />
    </Landmark>
  );
}

function Detail(props: LoadDetailProps & { readonly column: number }) {
  const { line } = props;
  switch (line?.kind) {
    case undefined:
      return (
        <p className="muted pretty">
          Select a cell to see whether the program loads on the kernel, and all reasons why not.
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
        <DetailHead name={line.row.undecided.what} kernels={kernelsAt(props.columns, props.column)}>
          <span className="soft">{drawnName(line.row.undecided.why)}</span>
        </DetailHead>
      );
    case 'group':
      return <GroupDetail {...props} line={line} />;
    case 'record':
      return <RecordDetail {...props} line={line} />;
  }
}

function kernelsAt(columns: LoadDetailProps['columns'], column: number): readonly string[] {
  const target = columns[column];
  return target === undefined ? [] : [target.name];
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
      <DetailHead
        mark={outcome === null ? null : <OutcomeMark outcome={outcome} />}
        name={program?.name ?? model.name}
        about={program === null ? 'whole object' : drawnName(program.section)}
        kernels={kernelsAt(columns, column)}
      >
        {target !== undefined && verdict !== null && outcome === null ? (
          <span className="soft">The reason below does not apply.</span>
        ) : null}
      </DetailHead>
      <ReasonText model={model} program={program} reason={reason} />
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
      <DetailHead
        name={extern.name}
        about={`${EXTERN_WORDS[extern.kind]}${extern.weak ? ', weak' : ''}`}
        kernels={kernelsAt(columns, column)}
      >
        {result === null ? null : <code>{drawnName(externCell(line.row, column).text)}</code>}
      </DetailHead>
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
    <DetailHead
      name={label}
      otherwise="(no function)"
      about={section === '' ? count : `${drawnName(section)}, ${count}`}
      kernels={kernelsAt(columns, column)}
    >
      {words === null ? null : <span>{words}</span>}
    </DetailHead>
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
      <DetailHead
        mark={state === null ? null : <StateMark state={state} />}
        name={fieldLabel(types, record)}
        about={recordName(record)}
        kernels={kernelsAt(columns, column)}
      >
        {result === undefined ? null : <code>{changeText(result)}</code>}
        <Button size="small" className={styles.open} onClick={onOpen} icon={ArrowUpRight}>
          Why?
        </Button>
      </DetailHead>
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
