/** Writes the differences between two BTFs as lines, CSV, JSON, or Markdown for a report. */
import { FACETS, type Facet, facetCounts } from '#analysis/compare/changes.ts';
import {
  type ComparedTables,
  type ComparisonRow,
  comparisonRow,
  stateCounts,
  type WholeComparison,
} from '#analysis/compare/compare-tables.ts';
import type { ComparedLine, TypeComparison } from '#analysis/compare/compare-types.ts';
import { changeText, linePlace, lineText, typeLabel } from '#analysis/compare/comparison-text.ts';
import { visible } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { kindOf } from '#model/type-table.ts';
import { csvLine } from './core-matrix.ts';

export type NamedComparison = {
  readonly whole: WholeComparison;
  readonly tables: ComparedTables;
  /** Names of the two compared files, not escaped. */
  readonly before: string;
  readonly after: string;
};

/** Numbers of the rows to print, in order. Default: all rows, sorted by name. */
export type RowChoice = Iterable<number>;

/** Yields a line with the totals, then one line per row. */
export function* comparisonText(named: NamedComparison, rows?: RowChoice): Generator<string> {
  yield `${visible(named.before)} → ${visible(named.after)}`;
  yield totalsWords(named.whole);
  for (const row of chosen(named, rows)) {
    const what = [sizeWords(row), detailWords(named, row, visible)].filter((part) => part !== '');
    yield `${row.state.padEnd(7)}  ${kindWord(row.kind)} ${visible(row.label)}${what.length === 0 ? '' : `  ${what.join(', ')}`}`;
  }
}

const COLUMNS = [
  'state',
  'kind',
  'name',
  'size_before',
  'size_after',
  'changes',
  ...FACETS,
  'because_of',
];

/** Yields CSV (RFC 4180). Spreadsheets cannot read a cell as a formula. */
export function* comparisonCsv(named: NamedComparison, rows?: RowChoice): Generator<string> {
  yield csvLine(COLUMNS);
  for (const row of chosen(named, rows)) {
    yield csvLine([
      row.state,
      kindWord(row.kind),
      row.label,
      `${row.sizeBefore ?? ''}`,
      `${row.sizeAfter ?? ''}`,
      `${row.weight}`,
      ...row.facets.map((count) => `${count}`),
      causeWord(named, row),
    ]);
  }
}

/** Returns the comparison as JSON data. Names are not escaped; unknown values are null. */
export function comparisonData(named: NamedComparison, rows?: RowChoice) {
  const { whole, before, after } = named;
  const [changed = 0, inside = 0, added = 0, removed = 0] = stateCounts(whole);
  return {
    before,
    after,
    types_before: whole.totals.a,
    types_after: whole.totals.b,
    same: whole.same,
    changed,
    changed_inside: inside,
    added,
    removed,
    types: Array.from(chosen(named, rows), (row) => ({
      state: row.state,
      kind: kindWord(row.kind),
      name: row.label,
      id_before: row.a,
      id_after: row.b,
      size_before: row.sizeBefore,
      size_after: row.sizeAfter,
      changes: row.weight,
      ...Object.fromEntries(FACETS.map((facet, i) => [facet, row.facets[i] ?? 0])),
      because_of: row.cause === null ? null : causeWord(named, row),
    })),
  };
}

/** Returns `comparisonData` as a JSON text. */
export function comparisonJson(named: NamedComparison, rows?: RowChoice): string {
  return `${JSON.stringify(comparisonData(named, rows), null, 2)}\n`;
}

/** Yields a Markdown heading, the totals, and a table with one line per row. */
export function* comparisonMarkdown(named: NamedComparison, rows?: RowChoice): Generator<string> {
  yield `# ${codeSpan(named.before)} → ${codeSpan(named.after)}\n\n`;
  yield `${totalsWords(named.whole)}.\n\n`;
  yield '| State | Type | Size | Difference |\n| --- | --- | --- | --- |\n';
  for (const row of chosen(named, rows)) {
    const cells = [
      row.state,
      `${kindWord(row.kind)} ${codeSpan(row.label)}`,
      sizeWords(row),
      detailWords(named, row, codeSpan),
    ];
    yield `| ${cells.join(' | ')} |\n`;
  }
}

function* chosen({ whole, tables }: NamedComparison, rows?: RowChoice): Generator<ComparisonRow> {
  const all = rows ?? Array.from({ length: whole.count }, (_, i) => i);
  for (const index of all) {
    const row = comparisonRow(whole, tables, index);
    if (row !== null) yield row;
  }
}

function totalsWords(whole: WholeComparison): string {
  const [changed, inside, added, removed] = stateCounts(whole);
  return `${whole.totals.a} types before, ${whole.totals.b} after: ${changed} changed, ${inside} changed inside, ${added} added, ${removed} removed, ${whole.same} the same`;
}

const FACET_WORDS: Readonly<Record<Facet, string>> = {
  size: 'size',
  added: 'added',
  removed: 'removed',
  renamed: 'replaced',
  moved: 'moved',
  type: 'retyped',
  value: 'values',
  other: 'other',
};

/** Returns the changes of a row in words. `spell` escapes names for the output format. */
function detailWords(
  named: NamedComparison,
  row: ComparisonRow,
  spell: (name: string) => string,
): string {
  if (row.cause !== null) return `because of ${spell(causeWord(named, row))}`;
  return facetWords(row.facets);
}

/** Returns counts in the order of `FACETS` as text, without sizes: `4 added, 31 moved`. */
function facetWords(counts: readonly number[]): string {
  return FACETS.flatMap((facet, i) => {
    const count = counts[i] ?? 0;
    return count === 0 || facet === 'size' ? [] : [`${count} ${FACET_WORDS[facet]}`];
  }).join(', ');
}

function sizeWords({ sizeBefore, sizeAfter }: ComparisonRow): string {
  if (sizeBefore === null || sizeAfter === null) {
    const only = sizeBefore ?? sizeAfter;
    return only === null ? '' : `${only} bytes`;
  }
  return sizeBefore === sizeAfter ? `${sizeAfter} bytes` : `${sizeBefore} → ${sizeAfter} bytes`;
}

function causeWord({ tables }: NamedComparison, { cause }: ComparisonRow): string {
  if (cause === null) return '';
  return `${kindWord(kindOf(tables.a, cause))} ${typeLabel(tables.a, cause)}`;
}

function kindWord(kind: number): string {
  return kindName(kind).toLowerCase();
}

/**
 * Returns a name as Markdown code, in which nothing is markup, an entity, a link or a mention. `|`
 * is written as an entity: Markdown readers differ on a backslash before it.
 */
function codeSpan(text: string): string {
  const shown = visible(text).replaceAll('|', '\\x7c');
  if (shown === '') return '';
  let longest = 0;
  for (const [run] of shown.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  // Markdown removes one space at both ends of code, except if all characters are spaces.
  const isBlankAround = shown.startsWith(' ') && shown.endsWith(' ') && shown.trim() !== '';
  const isPadded = shown.startsWith('`') || shown.endsWith('`') || isBlankAround;
  return isPadded ? `${fence} ${shown} ${fence}` : fence + shown + fence;
}

const VERDICTS = {
  same: 'the same',
  inside: 'its own lines are the same, a type that it contains differs',
  direct: 'changed',
} as const;

/** Yields the verdict, the type's changes, and the lines: `+` added, `-` removed, `~` changed. */
export function* typeComparisonText(
  comparison: TypeComparison,
  tables: ComparedTables,
): Generator<string> {
  const counts = facetWords(facetCounts(comparison));
  yield `${VERDICTS[comparison.verdict]}${counts === '' ? '' : `: ${counts}`}`;
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

/** Returns the comparison of two types as JSON data. Names are not escaped. */
export function typeComparisonData(comparison: TypeComparison, tables: ComparedTables) {
  return {
    verdict: comparison.verdict,
    changes: comparison.head,
    counts: Object.fromEntries(
      FACETS.map((facet, i) => [facet, facetCounts(comparison)[i] ?? 0] as const),
    ),
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
