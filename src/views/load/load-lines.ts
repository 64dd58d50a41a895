import type { Grouping, MatrixGroup } from '#analysis/core/matrix/groups.ts';
import type { Outcome } from '#analysis/libbpf/outcome.ts';
import {
  type ExternRow,
  type LoadTable,
  type OpenRow,
  type ProgramRow,
  type ReasonRow,
  reasonLine,
} from '#analysis/load/load-table.ts';

/** State of a line that has sub-lines. */
type Fold = {
  readonly foldKey: string;
  readonly isFolded: boolean;
  /** True if the line has no sub-lines at present. */
  readonly isEmpty: boolean;
};

/** A line of the table. `depth` is 1 for a line below a program or the object, else 0. */
export type LoadLine =
  | (Fold & { readonly kind: 'object' })
  | (Fold & {
      readonly kind: 'program';
      /** Index of the program in the object. */
      readonly at: number;
      readonly row: ProgramRow;
      readonly rows: readonly number[];
    })
  /** `program` is the index of the program; null for a reason of the whole object. */
  | { readonly kind: 'reason'; readonly program: number | null; readonly row: ReasonRow }
  | { readonly kind: 'extern'; readonly row: ExternRow }
  | { readonly kind: 'open'; readonly row: OpenRow }
  | (Fold & { readonly kind: 'group'; readonly group: MatrixGroup; readonly depth: 0 | 1 })
  | {
      readonly kind: 'record';
      readonly row: number;
      readonly group: MatrixGroup;
      readonly depth: 0 | 1;
    };

export type LineOf<K extends LoadLine['kind']> = Extract<LoadLine, { readonly kind: K }>;
type FoldLine = Extract<LoadLine, Fold>;

export type LineChoice = {
  readonly by: Grouping;
  /** False if only the programs are listed, without externs and CO-RE records. */
  readonly withRecords: boolean;
  /** Lines that the user has folded (true) or unfolded (false), by key. */
  readonly folded: ReadonlyMap<string, boolean>;
  readonly show: 'all' | 'changed' | 'unlike';
  /** Words in lower case. A line is listed only if it contains all of them. */
  readonly words: readonly string[];
  readonly byState: boolean;
};

/** Returns the lines of the table in order. `passing[row]` is 1 if CO-RE record `row` is listed. */
export function loadLines(
  table: LoadTable | null,
  groups: readonly MatrixGroup[],
  passing: Uint8Array,
  choice: LineChoice,
): LoadLine[] {
  const lines: LoadLine[] = [];
  const isFolded = (key: string, otherwise: boolean) =>
    choice.folded.get(`${choice.by} ${key}`) ?? otherwise;
  const isFiltered = choice.words.length > 0 || choice.byState || choice.show !== 'all';
  const rowsOf = (group: MatrixGroup) => group.rows.filter((row) => passing[row] === 1);
  const ofProgram = new Map(groups.map((group) => [group.key, group]));
  const putRecords = (group: MatrixGroup, depth: 0 | 1, otherwise: boolean) => {
    const rows = rowsOf(group);
    if (rows.length === 0) return;
    const shown = { ...group, rows };
    const foldKey = `records ${group.key}`;
    const folded = isFolded(foldKey, otherwise);
    lines.push({ kind: 'group', group: shown, depth, foldKey, isFolded: folded, isEmpty: false });
    if (!folded) for (const row of rows) lines.push({ kind: 'record', row, group: shown, depth });
  };

  if (!choice.withRecords) {
    if (table !== null) putPrograms(table);
    return lines;
  }
  if (choice.by !== 'program') {
    for (const group of groups) putRecords(group, 0, false);
    return lines;
  }
  if (table !== null) {
    putObject(table);
    for (const [at, row] of table.programs.entries()) putProgram(row, at);
  }
  // Also list the records of functions that are not programs, and of no function.
  for (const group of ofProgram.values()) putRecords(group, 0, !isFiltered);
  return lines;

  /** Lists the object if it has reasons of its own, and the programs; all without sub-lines. */
  function putPrograms({ object, programs }: LoadTable): void {
    const fold = { isFolded: true, isEmpty: true };
    if (object.reasons.some((row) => passes(row.outcomes, choice, reasonTexts(row)))) {
      lines.push({ ...fold, kind: 'object', foldKey: 'object' });
    }
    for (const [at, row] of programs.entries()) {
      const { name, section, func } = row.program;
      const texts = [name, section, ...row.reasons.flatMap(reasonTexts)];
      if (!passes(row.outcomes, choice, texts)) continue;
      const rows = ofProgram.get(programGroupKey(row))?.rows ?? [];
      const foldKey = `program ${func.section} ${func.start}`;
      lines.push({ ...fold, kind: 'program', at, row, rows, foldKey });
    }
  }

  function putObject({ object, externs, open }: LoadTable): void {
    const reasons = object.reasons.filter((row) => passes(row.outcomes, choice, reasonTexts(row)));
    const shownExterns = externs.filter(
      ({ extern }) => !choice.byState && hasWords([extern.name, extern.kind], choice.words),
    );
    const shownOpen = open.filter(
      ({ undecided }) => !choice.byState && hasWords([undecided.what], choice.words),
    );
    const inside = reasons.length + shownExterns.length + shownOpen.length;
    if (isFiltered && inside === 0) return;
    const folded = isFolded('object', object.reasons.length === 0 && !isFiltered);
    lines.push({ kind: 'object', foldKey: 'object', isFolded: folded, isEmpty: inside === 0 });
    if (folded) return;
    for (const row of reasons) lines.push({ kind: 'reason', program: null, row });
    for (const row of shownExterns) lines.push({ kind: 'extern', row });
    for (const row of shownOpen) lines.push({ kind: 'open', row });
  }

  function putProgram(row: ProgramRow, at: number): void {
    const { name, section, func } = row.program;
    const groupKey = programGroupKey(row);
    const group = ofProgram.get(groupKey);
    ofProgram.delete(groupKey);
    const rows = group === undefined ? [] : rowsOf(group);
    const isNamed = hasWords([name, section], choice.words);
    const reasons = row.reasons.filter(
      (one) => isNamed || hasWords(reasonTexts(one), choice.words),
    );
    const isShown =
      rows.length > 0 ||
      (!choice.byState && passes(row.outcomes, choice, []) && (isNamed || reasons.length > 0));
    if (!isShown) return;
    const foldKey = `program ${func.section} ${func.start}`;
    const folded = isFolded(foldKey, row.reasons.length === 0 && !(isFiltered && rows.length > 0));
    const isEmpty = reasons.length === 0 && rows.length === 0;
    lines.push({ kind: 'program', at, row, rows, foldKey, isFolded: folded, isEmpty });
    if (folded) return;
    for (const one of reasons) lines.push({ kind: 'reason', program: at, row: one });
    if (group !== undefined) putRecords(group, 1, !isFiltered);
  }
}

/** Returns the key of the group that has a program's CO-RE records, as `groupRows` forms it. */
function programGroupKey({ program: { func, load } }: ProgramRow): string {
  return `${func.start} ${load.sectionName}`;
}

function reasonTexts({ reason }: ReasonRow): readonly string[] {
  return [reason.step, reasonLine(reason), reason.source?.file ?? ''];
}

function hasWords(texts: readonly string[], words: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Applies the filter. `changed`: some outcome is not `loads`. `unlike`: two outcomes differ. */
function passes(
  outcomes: readonly (Outcome | null)[],
  { show, words, byState }: LineChoice,
  texts: readonly string[],
): boolean {
  if (byState || (texts.length > 0 && !hasWords(texts, words))) return false;
  const known = outcomes.filter((outcome) => outcome !== null);
  if (show === 'changed') return known.some((outcome) => outcome !== 'loads');
  return show === 'all' || new Set(outcomes).size > 1;
}

/** Returns the index of a record's line, or of the folded line that hides it; null for none. */
export function lineOfRow(lines: readonly LoadLine[], row: number): number | null {
  const index = lines.findIndex((line) => {
    if (line.kind === 'record') return line.row === row;
    if (line.kind === 'program') return line.isFolded && line.rows.includes(row);
    return line.kind === 'group' && line.isFolded && line.group.rows.includes(row);
  });
  return index < 0 ? null : index;
}

export function isFoldLine(line: LoadLine | undefined): line is FoldLine {
  return line !== undefined && 'isFolded' in line && !line.isEmpty;
}
