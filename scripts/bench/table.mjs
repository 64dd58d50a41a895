import { FIGURES, median } from './figures.mjs';

const RATIO_SIGNS = { read: '× read', size: '× file' };

/** Formats the table. Each figure has a line with median, minimum, maximum and ratio. */
export function formatTable(measured) {
  const rows = [
    ['', 'median', 'min', 'max', '', 'ratio', 'n'],
    ...Object.entries(FIGURES).map(([key, figure]) => rowOf(key, figure, measured)),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd();
  const [head, ...body] = rows.map(line);
  return [head, '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2)), ...body].join('\n');
}

function rowOf(key, { label, unit, against }, measured) {
  const values = measured.values(key);
  if (values.length === 0) return [label, '-', '-', '-', '', '-', '0'];
  const ratios = measured.ratios(key);
  const ratio = against === null || ratios.length === 0 ? null : median(ratios);
  return [
    label,
    number(median(values)),
    number(Math.min(...values)),
    number(Math.max(...values)),
    unit,
    ratio === null ? '' : `${number(ratio)} ${RATIO_SIGNS[against]}`,
    `${values.length}`,
  ];
}

/** Aligns rows of cells: the first column left, other columns right. */
export function columns(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => `${row[i]}`.length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? `${cell}`.padEnd(widths[i]) : `${cell}`.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns a number as text with three significant figures and at most two decimals. */
export function number(value) {
  const size = Math.abs(value);
  return value.toFixed(Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
