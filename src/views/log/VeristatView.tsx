import { useMemo } from 'react';
import { numberOf, readVeristat, type VeristatTable } from '#analysis/log/veristat.ts';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import { drawnName } from '#bytes/text.ts';
import { logPlace } from '#store/kernels/log-binding.ts';
import { logPlaceState } from '#store/kernels/log-place.ts';
import { useAnswer } from '#store/session/hooks.ts';
import { usePaneFile } from '#store/session/panes.ts';
import { logOf, type OpenFile } from '#store/session/session.ts';
import { grouped } from '#ui/grouped.ts';
import { EmptyState } from '#ui/Panel.tsx';
import { column, NUMBER, rowColumns } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './VeristatView.module.css';

/** Shows a CSV of veristat as a table that can be sorted, with sums. */
export function VeristatView() {
  const file = usePaneFile();
  const log = logOf(file);
  return file === null || log === null ? null : <Table file={file} log={log} />;
}

type TableProps = { readonly file: OpenFile; readonly log: LogOverview };

function Table({ file, log }: TableProps) {
  const params = { from: 0, to: log.lineCount, isSanitised: false };
  const { value: text, step } = useAnswer(file.id, 'logText', params);
  const table = useMemo(() => (text === null ? null : readVeristat(text)), [text]);
  const columns = useMemo(() => (table === null ? [] : columnsOf(table)), [table]);
  if (table === null) {
    const title = step === 'waiting' ? 'Reading the table' : 'The table is too large to show';
    return <EmptyState title={title} />;
  }
  const { line } = logPlace(file, log);
  return (
    <div className={styles.page}>
      <div className={styles.summary}>
        <h1 className="visually-hidden">{drawnName(file.name)}</h1>
        <p>{summaryText(table)}</p>
      </div>
      <VirtualTable
        label="Programs of veristat"
        columns={columns}
        count={table.rows.length}
        selectedIndex={line > 0 && line <= table.rows.length ? line - 1 : null}
        onSelect={(row) => logPlaceState.set({ line: row + 1 }, file.id)}
      />
    </div>
  );
}

function columnsOf({ columns, rows }: VeristatTable) {
  type Row = readonly string[];
  return rowColumns<Row>(
    (index) => rows[index],
    columns.map(({ name, title, isNumber }, i) => {
      const text = (row: Row) => drawnName(row[i] ?? '');
      return isNumber
        ? column<Row>(name, title, Math.min(220, 44 + 8 * title.length), text, {
            ...NUMBER,
            by: (row) => numberOf(row[i] ?? ''),
          })
        : column<Row>(name, title, 150, text, { grow: i < 2 ? 1 : 0 });
    }),
  );
}

/** Returns counts of programs and sums: `2 programs: 1 failure, 1 success. Instructions: 1,065.` */
function summaryText({ columns, rows, verdicts }: VeristatTable): string {
  const counts = [...verdicts]
    .sort()
    .map(([verdict, count]) => `${grouped(count)} ${drawnName(verdict)}`);
  const sums = columns.flatMap(({ title, total }) =>
    total === null ? [] : [`${title}: ${grouped(total)}`],
  );
  const head = `${countOf(rows.length, 'program')}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}.`;
  return sums.length === 0 ? head : `${head} In all: ${sums.join('; ')}.`;
}
