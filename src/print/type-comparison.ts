/** Two types in lock-step as text for a terminal: what differs, line by line. */
import { changeWords } from '#analysis/compare/change-words.ts';
import type { ComparedLine, TypeComparison } from '#analysis/compare/compare-types.ts';
import type { ComparedTables } from '#analysis/compare/comparison-rows.ts';
import { linePlace, lineWords } from '#analysis/compare/line-text.ts';
import { visible } from '#bytes/text.ts';

const VERDICTS = {
  same: 'the same',
  inside: 'its own lines are the same, a type that it holds is changed',
  direct: 'changed',
} as const;

/** The verdict, what differs as a whole, then a line for each that differs: `+` added, `-` removed, `~` changed. */
export function* typeComparisonText(
  comparison: TypeComparison,
  tables: ComparedTables,
): Generator<string> {
  yield VERDICTS[comparison.verdict];
  for (const change of comparison.head) yield `  ${visible(changeWords(change))}`;
  for (const line of comparison.lines) {
    if (line.changes.length > 0) yield lineRow(line, tables);
  }
}

function lineRow(line: ComparedLine, tables: ComparedTables): string {
  const { a, b, changes } = line;
  const words = changes.map(changeWords).join('; ');
  if (b !== null) {
    const sign = a === null ? '+' : '~';
    return visible(`${sign} ${linePlace(b).padEnd(8)} ${lineWords(tables.b, b)}  (${words})`);
  }
  if (a === null) return '';
  return visible(`- ${linePlace(a).padEnd(8)} ${lineWords(tables.a, a)}  (${words})`);
}

/** The same as plain data: names are raw. */
export function typeComparisonData(comparison: TypeComparison, tables: ComparedTables) {
  return {
    verdict: comparison.verdict,
    changes: comparison.head,
    lines: comparison.lines
      .filter(({ changes }) => changes.length > 0)
      .map(({ a, b, changes }) => ({
        before: a === null ? null : lineWords(tables.a, a),
        offset_before: a === null ? null : linePlace(a),
        after: b === null ? null : lineWords(tables.b, b),
        offset_after: b === null ? null : linePlace(b),
        changes: changes.map((change) => ({ what: change.what, words: changeWords(change) })),
      })),
  };
}
