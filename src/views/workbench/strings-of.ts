/** Which strings a selection or the pointer means. */
import type { StoredString } from '#analysis/workbench/changes.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { lineIndexOf, type RawLine } from './raw-lines.ts';
import type { Pointed } from './subject.ts';

const NONE: ReadonlySet<number> = new Set();

/** Number of the string that is selected itself, or names what is selected; null = none. */
export function stringAtSelection(
  types: TypeTable,
  strings: readonly StoredString[],
  lines: readonly RawLine[],
  selection: Selection,
): number | null {
  const base = types.fileOffset ?? 0;
  const found =
    selection.kind === 'bytes'
      ? strings.findIndex(({ start, end }) => {
          const at = selection.start - base;
          return start <= at && at < end;
        })
      : selection.kind === 'type'
        ? indexOfName(strings, lines, selection.type, selection.memberPath[0] ?? null)
        : -1;
  return found < 0 ? null : found;
}

function indexOfName(
  strings: readonly StoredString[],
  lines: readonly RawLine[],
  type: number,
  item: number | null,
): number {
  const nameOff = lines[lineIndexOf(lines, type, item)]?.nameOff ?? 0;
  // Offset 0 says that there is no name.
  return nameOff === 0 ? -1 : strings.findIndex(({ offset }) => offset === nameOff);
}

/** `name_off` of the strings that the pointer is at, or that name what it is at. */
export function pointedStrings(
  lines: readonly RawLine[],
  pointed: Pointed | null,
): ReadonlySet<number> {
  if (pointed === null) return NONE;
  if (pointed.kind === 'string') return new Set([pointed.offset]);
  const nameOff = lines[lineIndexOf(lines, pointed.type, pointed.item)]?.nameOff ?? 0;
  return nameOff === 0 ? NONE : new Set([nameOff]);
}
