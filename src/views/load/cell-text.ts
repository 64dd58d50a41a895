import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { fieldLabel, type Grouping } from '#analysis/core/matrix/groups.ts';
import {
  type CoreMatrix,
  guardAt,
  MATRIX_STATES,
  type ResolvedColumn,
  stateAt,
} from '#analysis/core/matrix/matrix.ts';
import type { CoreState } from '#analysis/core/reason.ts';
import { namedType } from '#analysis/core/spec.ts';
import type { ExternKind } from '#analysis/libbpf/externs.ts';
import { type Outcome, worstOf } from '#analysis/libbpf/outcome.ts';
import type { ExternRow } from '#analysis/load/load-table.ts';
import { drawnName } from '#bytes/text.ts';
import { guardName } from '#print/core-matrix.ts';
import type { StatusTone } from '#ui/tone.ts';
import { changeText } from '#views/parts/core/StateMark.tsx';
import type { LoadLine } from './load-lines.ts';

/** Name of a record, not escaped. In a narrow line `head` is cut before `tail`. */
type LineLabel = { readonly head: string; readonly tail: string };

/** Returns the name of a record without the parts that are already in its group's title. */
export function recordLabel(
  { types }: Pick<CoreMatrix, 'types'>,
  record: CoreObjectRecord,
  by: Grouping,
): LineLabel {
  if (by === 'field') return { head: '', tail: record.func?.name ?? record.sectionName };
  const head = namedType(types, record.root);
  const tail = fieldLabel(types, record).slice(head.length);
  if (tail === '') return { head: '', tail: head };
  return by === 'type' ? { head: '', tail: tail.replace(/^[. ]/, '') } : { head, tail };
}

/** Returns `guarded by relo #3 (field_exists), which is 0`; null if the record has no guard. */
export function guardText(
  column: ResolvedColumn,
  records: readonly CoreObjectRecord[],
  row: number,
): string | null {
  const guard = guardAt(column, records, row);
  return guard === null ? null : `guarded by ${guardName(guard)}, which is 0`;
}

/** Returns `changed: 8 → 16; guarded by …`; empty if the record has no result yet. */
export function cellText(
  column: ResolvedColumn,
  records: readonly CoreObjectRecord[],
  row: number,
): string {
  const result = column.results?.[row];
  const state = stateAt(column, row);
  if (result === undefined || state === null) return '';
  const change = changeText(result);
  const guard = guardText(column, records, row);
  return [state, change === '' ? '' : `: ${change}`, guard === null ? '' : `; ${guard}`].join('');
}

/** Returns the number and kind of a record: `relo #3 byte_off`. */
export function recordName({ relocIndexInSection, kind }: CoreObjectRecord): string {
  return `relo #${relocIndexInSection} ${coreKindName(kind)}`;
}

/** Returns the worst state that at least one record has; null without records. */
export function worstState(counts: readonly number[]): CoreState | null {
  for (let i = MATRIX_STATES.length - 1; i >= 0; i--) {
    if ((counts[i] ?? 0) > 0) return MATRIX_STATES[i] ?? null;
  }
  return null;
}

/** Returns the counts, worst first: `3 fails, 2 changed`. Without problems: `all same`. */
export function countsText(counts: readonly number[]): string {
  const words = MATRIX_STATES.map((state, i) => ({ state, count: counts[i] ?? 0 }))
    .filter(({ count }) => count > 0)
    .reverse()
    .map(({ state, count }) => `${count} ${state}`);
  return words.length === 1 && (counts[0] ?? 0) > 0 ? 'all same' : words.join(', ');
}

/** Returns `loads on 5 of 8` and the worst outcome, which is null before the first result. */
export function loadsOn(outcomes: readonly (Outcome | null)[]): {
  readonly text: string;
  readonly worst: Outcome | null;
} {
  const known = outcomes.filter((outcome) => outcome !== null);
  const loads = known.filter((outcome) => outcome === 'loads').length;
  const worst = known.length === 0 ? null : worstOf(known);
  return { text: `loads on ${loads} of ${known.length}`, worst };
}

const STEP_WORDS: ReadonlyMap<string, string> = new Map([
  ['core', 'CO-RE'],
  ['externs', 'extern'],
  ['type', 'section'],
]);

export function stepWord(step: string): string {
  return STEP_WORDS.get(step) ?? step;
}

const NO_TARGET = /^failed to find kernel BTF type ID of '(.*)': -ESRCH$/s;
const POISONED = /: the instruction becomes a call that no kernel accepts\.?$/;

/** Shortens libbpf's line: removes the program and the words that all such lines begin with. */
export function shortLine(line: string): string {
  return line
    .replace(/^prog '[^']*': /, '')
    .replace(NO_TARGET, 'not in kernel BTF: $1')
    .replace(POISONED, '');
}

/** Names of the kinds of externs, as programmers call them. */
export const EXTERN_WORDS: Readonly<Record<ExternKind, string>> = {
  kcfg: 'kconfig',
  ksym: 'ksym',
  'var ksym': 'variable',
  'func ksym': 'kfunc',
};

/** Returns the value that an extern has on a kernel, in words. */
export function externCell({ results, open }: ExternRow, at: number) {
  const result = results[at] ?? null;
  const cell = (text: string, tone?: StatusTone) => ({ text, tone, isWaiting: false });
  if (result === null) return { text: '', tone: undefined, isWaiting: true };
  switch (result.result) {
    case 'set':
      return cell(result.value ?? 'set');
    case 'resolved':
      return cell(`in ${result.module ?? 'vmlinux'}`);
    case 'weak_zero':
      return cell('absent: 0', 'neutral');
    case 'error':
      return cell('error', 'danger');
    case null:
      return open[at] === true ? cell('not decided', 'warning') : cell('–');
  }
}

/** Returns the full name of a line, for its tooltip. */
export function lineTitle(line: LoadLine, { types, records }: CoreMatrix): string {
  switch (line.kind) {
    case 'object':
      return 'What concerns all programs';
    case 'program':
      return `${drawnName(line.row.program.name)}, ${drawnName(line.row.program.section)}`;
    case 'reason':
      return drawnName(line.row.reason.text);
    case 'extern':
      return drawnName(line.row.extern.name);
    case 'open':
      return drawnName(line.row.undecided.why);
    case 'group':
      return [line.group.label, line.group.section].filter(Boolean).map(drawnName).join(', ');
    case 'record': {
      const record = records[line.row];
      if (record === undefined) return '';
      return `${recordName(record)} ${drawnName(fieldLabel(types, record))}`;
    }
  }
}
