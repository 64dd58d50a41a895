/** Two types in lock-step as text for a terminal: what differs, line by line. */
import { changeText } from '#analysis/compare/change-text.ts';
import type { ComparedLine, TypeComparison } from '#analysis/compare/compare-types.ts';
import type { ComparedTables } from '#analysis/compare/comparison-rows.ts';
import { linePlace, lineText } from '#analysis/compare/line-text.ts';
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
  for (const change of comparison.head) yield `  ${visible(changeText(change))}`;
  for (const line of comparison.lines) {
    if (line.changes.length > 0) yield lineRow(line, tables);
  }
}

function lineRow(line: ComparedLine, tables: ComparedTables): string {
  const { a, b, changes } = line;
  const words = changes.map(changeText).join('; ');
  if (b !== null) {
    const sign = a === null ? '+' : '~';
    return visible(`${sign} ${linePlace(b).padEnd(8)} ${lineText(tables.b, b)}  (${words})`);
  }
  if (a === null) return '';
  return visible(`- ${linePlace(a).padEnd(8)} ${lineText(tables.a, a)}  (${words})`);
}

/** The same as plain data: names are raw. */
export function typeComparisonData(comparison: TypeComparison, tables: ComparedTables) {
  return {
    verdict: comparison.verdict,
    changes: comparison.head,
    lines: comparison.lines
      .filter(({ changes }) => changes.length > 0)
      .map(({ a, b, changes }) => ({
        before: a === null ? null : lineText(tables.a, a),
        offset_before: a === null ? null : linePlace(a),
        after: b === null ? null : lineText(tables.b, b),
        offset_after: b === null ? null : linePlace(b),
        changes: changes.map((change) => ({ what: change.what, words: changeText(change) })),
      })),
  };
}
