import { ChevronRight, ShieldCheck } from 'lucide-react';
import { memo } from 'react';
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { type Grouping, groupCounts } from '#analysis/core/matrix/groups.ts';
import {
  type CoreMatrix,
  guardAt,
  type ResolvedColumn,
  stateAt,
} from '#analysis/core/matrix/matrix.ts';
import type { Outcome, Reason } from '#analysis/libbpf/outcome.ts';
import { answerOf } from '#analysis/load/equal-answers.ts';
import { outcomeWords } from '#analysis/load/load-sentence.ts';
import { type LoadTable, reasonLine, reasonsOn } from '#analysis/load/load-table.ts';
import { drawnName } from '#bytes/text.ts';
import { type GridCell, GridLine, type LinePlace } from '#ui/CellGrid.tsx';
import type { StatusTone } from '#ui/tone.ts';
import {
  changeText,
  OUTCOME_TONES,
  OutcomeMark,
  STATE_TONES,
  StateMark,
} from '#views/parts/core/StateMark.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import {
  cellText,
  EXTERN_WORDS,
  externCell,
  lineTitle,
  loadsOn,
  recordLabel,
  shortLine,
  stepWord,
} from './cell-text.ts';
import styles from './LoadGrid.module.css';
import { StateBar } from './LoadHeader.tsx';
import { isFoldLine, type LineOf, type LoadLine } from './load-lines.ts';
import { type ColumnGroup, type TargetColumn, verdictOf } from './use-load.ts';

type OfTable = {
  readonly columns: readonly TargetColumn[];
  readonly matrix: CoreMatrix;
  readonly table: LoadTable | null;
  readonly by: Grouping;
};

type LoadRowProps = OfTable &
  LinePlace & {
    readonly line: LoadLine;
    readonly shown: readonly ColumnGroup[];
    readonly withRecords: boolean;
  };

/** Shows a line of the table with a cell per kernel. */
export const LoadRow = memo(function LoadRow(props: LoadRowProps) {
  const { line, columns, shown, matrix, table, by, withRecords } = props;
  const placeAt = (at: number) => shown[at]?.first ?? -1;
  return (
    <GridLine
      place={props}
      kind={line.kind}
      depth={depthOf(line)}
      isExpanded={isFoldLine(line) ? !line.isFolded : undefined}
      title={lineTitle(line, matrix)}
      head={
        <>
          {withRecords && 'isFolded' in line ? (
            <ChevronRight
              size={14}
              aria-hidden
              className={styles.fold}
              data-open={!line.isFolded}
              data-empty={line.isEmpty}
            />
          ) : null}
          <LineHead {...{ line, columns, matrix, table, by, withRecords }} />
        </>
      }
      cellAt={(at) => {
        const cell = cellOf(line, props, placeAt(at));
        // Good results have no colour, so that problems stand out.
        return cell.tone === 'ok' ? { ...cell, tone: undefined } : cell;
      }}
      keyAt={(at) => columns[placeAt(at)]?.id ?? at}
    />
  );
});

function depthOf(line: LoadLine): number {
  switch (line.kind) {
    case 'object':
    case 'program':
      return 0;
    case 'group':
      return line.depth;
    case 'record':
      return line.depth + 1;
    default:
      return 1;
  }
}

type LineHeadProps = OfTable & Pick<LoadRowProps, 'line' | 'withRecords'>;

function LineHead({ line, withRecords, ...rest }: LineHeadProps) {
  switch (line.kind) {
    case 'object':
      return <ObjectHead table={withRecords ? rest.table : null} />;
    case 'program':
      return <ProgramHead {...line} withRecords={withRecords} />;
    case 'reason':
      return <ReasonHead {...line} />;
    case 'extern':
      return (
        <>
          <span className={styles.step}>{EXTERN_WORDS[line.row.extern.kind]}</span>
          <span className={styles.label}>
            <Name text={line.row.extern.name} />
          </span>
          {line.row.extern.weak ? <span className={styles.kind}>weak</span> : null}
        </>
      );
    case 'open':
      return (
        <>
          <span className={styles.step}>open</span>
          <span className={styles.label}>
            <Name text={line.row.undecided.what} />
          </span>
        </>
      );
    case 'group':
      return <GroupHead {...line} />;
    case 'record': {
      const record = rest.matrix.records[line.row];
      return record === undefined ? null : <RecordHead record={record} {...rest} />;
    }
  }
}

function ObjectHead({ table }: Pick<OfTable, 'table'>) {
  const externs = table?.externs.length ?? 0;
  return (
    <>
      <span className={styles.label} data-kind="group">
        Whole object
      </span>
      <span className={styles.section}>{externs === 0 ? '' : countOf(externs, 'extern')}</span>
      <Loads outcomes={table?.object.outcomes ?? []} />
    </>
  );
}

function ProgramHead({ row, withRecords }: LineOf<'program'> & { readonly withRecords: boolean }) {
  const { program, autoload, outcomes } = row;
  return (
    <>
      <span className={styles.label} data-kind="group">
        <Name text={program.name} />
      </span>
      <span className={styles.section}>{drawnName(program.section)}</span>
      {autoload.includes(false) && !autoload.includes(true) ? (
        <span className={styles.loads}>not loaded by default</span>
      ) : withRecords ? (
        <Loads outcomes={outcomes.filter((_, at) => autoload[at] === true)} />
      ) : null}
    </>
  );
}

/** Shows on how many kernels the program loads: `loads on 5 of 8`. */
function Loads({ outcomes }: { readonly outcomes: readonly (Outcome | null)[] }) {
  const { text, worst } = loadsOn(outcomes);
  if (worst === null) return null;
  return (
    <span className={styles.loads} data-tone={OUTCOME_TONES[worst]}>
      {text}
    </span>
  );
}

function ReasonHead({ row: { reason } }: LineOf<'reason'>) {
  return (
    <>
      <span className={styles.step}>{stepWord(reason.step)}</span>
      <span className="grow small ellipsis">{drawnName(shortLine(reasonLine(reason)))}</span>
      {reason.source === null ? null : (
        <span className={styles.place}>
          {drawnName(reason.source.file.replace(/.*\//s, ''))}:{reason.source.line}
        </span>
      )}
    </>
  );
}

function GroupHead({ group: { label, section, rows }, depth }: LineOf<'group'>) {
  const count = countOf(rows.length, 'relocation');
  const place = section === '' ? count : `${drawnName(section)}, ${count}`;
  return (
    <>
      <span className={styles.label} data-kind={depth === 0 ? 'group' : 'records'}>
        {depth === 1 ? 'CO-RE relocations' : <Name text={label} otherwise="(no function)" />}
      </span>
      <span className={styles.section}>{depth === 1 ? rows.length : place}</span>
    </>
  );
}

type RecordHeadProps = OfTable & { readonly record: CoreObjectRecord };

function RecordHead({ record, matrix, by }: RecordHeadProps) {
  const { head, tail } = recordLabel(matrix, record, by);
  return (
    <>
      <span className={styles.number}>#{record.relocIndexInSection}</span>
      <span className={styles.kind} data-kept={by === 'field'}>
        {coreKindName(record.kind)}
      </span>
      {head === '' ? null : (
        <span className={styles.root}>
          <Name text={head} />
        </span>
      )}
      <span className={styles.label}>
        <Name text={tail} />
      </span>
    </>
  );
}

const WAITING = quiet('…', 'not resolved');

function cellOf(line: LoadLine, props: LineHeadProps, at: number): GridCell {
  const { columns, matrix, table, withRecords } = props;
  const column = matrix.columns[at];
  const target = columns[at];
  const verdict = target === undefined ? null : verdictOf(target);
  switch (line.kind) {
    case 'object':
      return verdict === null || withRecords
        ? outcomeCell(table?.object.outcomes[at] ?? null, verdict?.reasons)
        : outcomeCell(answerOf(verdict, null)?.outcome ?? null, verdict.reasons);
    case 'program': {
      const outcome = line.row.outcomes[at] ?? null;
      // Without autoload the relocations are not resolved: `loads` would be wrong.
      const isOff = outcome === 'loads' && line.row.autoload[at] === false;
      const reasons = verdict === null ? [] : reasonsOn(verdict, line.at);
      return isOff ? quiet('–', 'not loaded by default') : outcomeCell(outcome, reasons);
    }
    case 'reason': {
      const outcome = line.row.outcomes[at] ?? null;
      // Only the line of the program has a colour, not the lines of its reasons.
      if (outcome !== null) return { ...outcomeCell(outcome), tone: undefined };
      const isJudged = (table?.object.outcomes[at] ?? null) !== null;
      return isJudged ? quiet('–', 'does not apply') : WAITING;
    }
    case 'extern': {
      const { text, tone, isWaiting } = externCell(line.row, at);
      if (isWaiting) return WAITING;
      return { shown: textCell(text, tone), tone: tone === 'danger' ? tone : undefined };
    }
    case 'open':
      return line.row.on[at] === true
        ? { shown: textCell('not decided', 'warning'), tone: undefined }
        : quiet('–', 'does not apply');
    case 'group':
      return column?.results == null
        ? WAITING
        : { shown: <StateBar counts={groupCounts(column, line.group.rows)} />, tone: undefined };
    case 'record':
      return column === undefined ? WAITING : recordCell(column, matrix.records, line.row);
  }
}

function textCell(text: string, tone: StatusTone | undefined) {
  return (
    <span className={styles.value} data-tone={tone}>
      {drawnName(text)}
    </span>
  );
}

function outcomeCell(outcome: Outcome | null, reasons: readonly Reason[] = []): GridCell {
  if (outcome === null) return WAITING;
  const words = outcomeWords(outcome, reasons);
  return { shown: <OutcomeMark outcome={outcome} words={words} />, tone: OUTCOME_TONES[outcome] };
}

function quiet(sign: string, words: string): GridCell {
  return {
    shown: (
      <span className="tiny muted">
        <span aria-hidden>{sign}</span>
        <span className="visually-hidden">{words}</span>
      </span>
    ),
    tone: undefined,
  };
}

/** Draws `8 → 16` in place of the state `changed`, which screen readers still get. */
function recordCell(
  column: ResolvedColumn,
  records: readonly CoreObjectRecord[],
  row: number,
): GridCell {
  const state = stateAt(column, row);
  const result = column.results?.[row];
  if (state === null || result === undefined) return WAITING;
  const title = drawnName(cellText(column, records, row));
  const guard = guardAt(column, records, row);
  return {
    tone: state === 'same' ? undefined : STATE_TONES[state],
    shown: (
      <>
        {state === 'changed' ? (
          <StateMark state={state} title={title} isIconOnly>
            <code className={styles.value}>{changeText(result)}</code>
          </StateMark>
        ) : (
          <StateMark state={state} title={title} />
        )}
        {guard === null ? null : (
          <>
            <ShieldCheck size={13} aria-hidden className={styles.guard} />
            <span className="visually-hidden">guarded</span>
          </>
        )}
      </>
    ),
  };
}
