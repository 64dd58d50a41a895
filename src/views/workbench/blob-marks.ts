/** What is marked in the bytes of the blob: its parts, what has changed, what the pointer is at. */
import type { Changes, StoredString } from '#analysis/workbench/changes.ts';
import type { Span } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ByteMark } from '#ui/hex-marks.ts';
import { bytesOfLit, type Pointed } from './subject.ts';

/** Longer strings are told by their beginning. */
const MAX_LABEL = 60;

/** All marks, rising by their start within each sort; offsets in the blob. */
export function blobMarks(
  types: TypeTable,
  strings: readonly StoredString[],
  changes: Changes | null,
): readonly ByteMark[] {
  const header: ByteMark = {
    start: 0,
    end: types.recordOff[0] ?? types.strStart,
    tone: 'muted',
    label: 'header',
  };
  const names = strings.map(
    ({ start, end, text }): ByteMark => ({
      start,
      end,
      tone: 'reloc-1',
      label: text === '' ? 'string' : `string ${visible(text.slice(0, MAX_LABEL))}`,
    }),
  );
  const changed = (changes?.bytes ?? []).map(
    ({ start, end }): ByteMark => ({ start, end, tone: 'accent', label: 'changed' }),
  );
  return [header, ...names, ...changed];
}

/** Those that touch `start` to `end`. */
export function marksIn(marks: readonly ByteMark[], start: number, end: number): ByteMark[] {
  return marks.filter((mark) => mark.start < end && mark.end > start);
}

/** The bytes that the pointer means; null = none. */
export function pointedBytes(
  model: ObjectModel,
  strings: readonly StoredString[],
  pointed: Pointed | null,
): Span | null {
  if (pointed === null) return null;
  if (pointed.kind === 'record') return bytesOfLit(model, pointed);
  return strings.find(({ offset }) => offset === pointed.offset) ?? null;
}
