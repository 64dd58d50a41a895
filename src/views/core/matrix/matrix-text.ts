/** What lines and cells of the table say in words. Names are raw text. */
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { fieldLabel } from '#analysis/core/matrix/field-label.ts';
import type { Grouping, LoadCount } from '#analysis/core/matrix/groups.ts';
import {
  type CoreMatrix,
  guardAt,
  MATRIX_STATES,
  type ResolvedColumn,
  stateAt,
} from '#analysis/core/matrix/matrix.ts';
import type { CoreState } from '#analysis/core/outcome.ts';
import { namedType } from '#analysis/core/spec.ts';
import { guardName } from '#print/core-matrix.ts';
import { changeText } from '#views/core/parts/StateMark.tsx';
import { countOf } from '#views/parts/number-text.ts';

/** The name of a line, in two parts: where it is narrow, the first is cut. */
export type LineLabel = { readonly head: string; readonly tail: string };

/** What the title of a group leaves out of its record: the field, the path in the type, or the place. */
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

/** `guarded by relo #3 (field_exists), which is 0`; null where nothing guards the cell. */
export function guardText(
  column: ResolvedColumn,
  records: readonly CoreObjectRecord[],
  row: number,
): string | null {
  const guard = guardAt(column, records, row);
  return guard === null ? null : `guarded by ${guardName(guard)}, which is 0`;
}

/** A cell in one line: state, number, guard. Empty while there is no result. */
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

/** `relo #3 byte_off`. */
export function recordName({ relocIndexInSection, kind }: CoreObjectRecord): string {
  return `relo #${relocIndexInSection} ${coreKindName(kind)}`;
}

/** The worst state there is; null where there is none. */
export function worstState(counts: readonly number[]): CoreState | null {
  for (let i = MATRIX_STATES.length - 1; i >= 0; i--) {
    if ((counts[i] ?? 0) > 0) return MATRIX_STATES[i] ?? null;
  }
  return null;
}

/** `3 fails, 2 changed`, the worst first; `all same` where nothing else is. */
export function countsText(counts: readonly number[]): string {
  const words = MATRIX_STATES.map((state, i) => ({ state, count: counts[i] ?? 0 }))
    .filter(({ count }) => count > 0)
    .reverse()
    .map(({ state, count }) => `${count} ${state}`);
  return words.length === 1 && (counts[0] ?? 0) > 0 ? 'all same' : words.join(', ');
}

/** What `loads on 5 of 8` means, to the letter. */
export function loadMeaning({ loads, poisoned, answered }: LoadCount): string {
  if (answered === 0) return 'No results yet.';
  const targets = `${loads} of the ${countOf(answered, 'target')} with results`;
  const poison =
    poisoned === 0
      ? 'No instruction is poisoned.'
      : `On ${poisoned} of them an instruction is poisoned: the program loads only if that instruction is unreachable.`;
  return `On ${targets} no relocation of this program fails. ${loads === 0 ? '' : poison} libbpf rejects the whole object if one relocation of a loaded program fails. Other reasons for a kernel to reject it are not checked.`.replace(
    '  ',
    ' ',
  );
}
