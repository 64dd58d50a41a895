/** Writes the matrix of CO-RE records and targets as CSV, JSON, or a table for a terminal. */
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { fieldLabel, groupRows, loadCount, loadText } from '#analysis/core/matrix/groups.ts';
import {
  type CoreMatrix,
  guardAt,
  MATRIX_STATES,
  type ResolvedColumn,
  stateAt,
} from '#analysis/core/matrix/matrix.ts';
import { visible } from '#bytes/text.ts';
import { nameOf } from '#model/type-table.ts';

/** Yields CSV (RFC 4180), one line per record. No cell is a formula or has invisible characters. */
export function* matrixCsv(matrix: CoreMatrix): Generator<string, void, void> {
  const { types, records, columns } = matrix;
  yield csvLine([
    'section',
    'relo_index',
    'insn_off',
    'prog',
    'prog_insn',
    'kind',
    'field',
    'access_str',
    'orig_val',
    ...columns.flatMap(({ name }) => [name, `${name}: new_val`, `${name}: guarded by`]),
  ]);
  for (const [row, record] of records.entries()) {
    yield csvLine([
      record.sectionName,
      `${record.relocIndexInSection}`,
      `${record.insnOff}`,
      record.func?.name ?? '',
      `${record.func?.insnIndex ?? ''}`,
      coreKindName(record.kind),
      fieldLabel(types, record),
      record.accessStr,
      origVal(matrix, row),
      ...columns.flatMap((column) => [
        stateAt(column, row) ?? '',
        newVal(column, row) ?? '',
        guardText(column, records, row),
      ]),
    ]);
  }
}

/**
 * Positions before which an apostrophe keeps spreadsheets from reading a formula. Covers full-width
 * signs, and the start of a cell after a semicolon, which is a separator where the comma is the
 * decimal sign. Source: OWASP, "CSV Injection".
 */
const FORMULA = /(^|;)(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/g;
const WHOLE_NUMBER = /^-?\d+$/;

/** Returns a line of CSV, with CR LF at its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Returns a cell of CSV: quoted if needed, an apostrophe before a formula, integers unchanged. */
export function csvCell(text: string): string {
  const shown = WHOLE_NUMBER.test(text) ? text : visible(text.replace(FORMULA, "$1'"));
  return /[",;]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Returns the value on the target; null if there is none, for example if poisoned. */
function newVal(column: ResolvedColumn, row: number): string | null {
  const decision = column.results?.[row]?.decision ?? null;
  return decision === null || decision.poison ? null : `${decision.newVal}`;
}

/** Returns the value in the object; empty if libbpf computes it on no target. */
function origVal({ columns }: CoreMatrix, row: number): string {
  for (const { results } of columns) {
    const decision = results?.[row]?.decision ?? null;
    if (decision !== null) return `${decision.origVal}`;
  }
  return '';
}

function guardText(
  column: ResolvedColumn,
  records: readonly CoreObjectRecord[],
  row: number,
): string {
  const guard = guardAt(column, records, row);
  return guard === null ? '' : guardName(guard);
}

/** Returns the name of a record with its number in libbpf's log: `relo #3 (field_exists)`. */
export function guardName({ relocIndexInSection, kind }: CoreObjectRecord): string {
  return `relo #${relocIndexInSection} (${coreKindName(kind)})`;
}

/** Returns JSON: targets, programs with the targets on which they load, cells. Not escaped. */
export function matrixJson(matrix: CoreMatrix, object: string): string {
  const { types, records, columns } = matrix;
  return `${JSON.stringify(
    {
      object,
      targets: columns.map((column) => ({ name: column.name, ...countsOf(column) })),
      programs: groupRows(matrix, 'program').map(({ label, section, rows }) => ({
        name: label,
        section,
        records: rows.length,
        ...loadCount(matrix, rows),
      })),
      relocations: records.map((record, row) => ({
        section: record.sectionName,
        relo_index: record.relocIndexInSection,
        insn_off: record.insnOff,
        prog: record.func?.name ?? null,
        prog_insn: record.func?.insnIndex ?? null,
        kind: coreKindName(record.kind),
        local_type_id: record.root,
        local_root_name: nameOf(types, record.root),
        access_str: record.accessStr,
        field: fieldLabel(types, record),
        targets: columns.map((column) => cellOf(column, records, row)),
      })),
    },
    null,
    2,
  )}\n`;
}

function countsOf({ results, counts }: ResolvedColumn) {
  if (results === null) return { resolved: false };
  return {
    resolved: true,
    ...Object.fromEntries(MATRIX_STATES.map((state, i) => [state, counts[i] ?? 0])),
  };
}

function cellOf(column: ResolvedColumn, records: readonly CoreObjectRecord[], row: number) {
  const result = column.results?.[row];
  if (result === undefined) return null;
  const { decision } = result;
  const guard = guardAt(column, records, row);
  return {
    target: column.name,
    state: stateAt(column, row),
    status: result.status,
    orig_val: decision === null ? null : `${decision.origVal}`,
    new_val: newVal(column, row),
    orig_sz: decision?.origSz ?? null,
    new_sz: decision?.newSz ?? null,
    insn_before: result.insnBefore,
    insn_after: result.insnAfter,
    reason: result.reason,
    guarded_by:
      guard === null
        ? null
        : { relo_index: guard.relocIndexInSection, kind: coreKindName(guard.kind) },
  };
}

/** Yields a table for a terminal: a block per program, a line per record, a column per target. */
export function* matrixText(matrix: CoreMatrix): Generator<string, void, void> {
  const { types, records, columns } = matrix;
  const heads = records.map(
    (record) =>
      `  relo #${record.relocIndexInSection} ${coreKindName(record.kind)} ${visible(fieldLabel(types, record))}`,
  );
  const width = heads.reduce((most, head) => Math.max(most, head.length), 0);
  const cells = (column: ResolvedColumn, row: number) => {
    const guard = guardAt(column, records, row);
    return `${stateAt(column, row) ?? ''}${guard === null ? '' : ` (#${guard.relocIndexInSection})`}`;
  };
  const widths = columns.map((column) =>
    records.reduce(
      (most, _, row) => Math.max(most, cells(column, row).length),
      visible(column.name).length,
    ),
  );
  const line = (head: string, texts: readonly string[]) =>
    [head.padEnd(width), ...texts.map((text, i) => text.padEnd(widths[i] ?? 0))]
      .join('  ')
      .trimEnd();
  yield line(
    '',
    columns.map(({ name }) => visible(name)),
  );
  for (const group of groupRows(matrix, 'program')) {
    const name = [group.section, group.label].filter((part) => part !== '').join(' ');
    yield `${visible(name)}: ${loadText(loadCount(matrix, group.rows))}`;
    for (const row of group.rows) {
      yield line(
        heads[row] ?? '',
        columns.map((column) => cells(column, row)),
      );
    }
  }
}
