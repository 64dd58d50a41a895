/** The marks of the hex view in the offsets that it writes. */
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { ByteMark } from '#ui/hex-marks.ts';
import { type MarkOptions, marksIn, type ReadNow } from './byte-marks.ts';

/** `shift` is added to offsets in the file; `read` takes the shifted ones. */
export function shiftedMarks(
  model: ObjectModel,
  section: SectionIndex | null,
  shift: number,
  options: MarkOptions,
): (start: number, end: number) => readonly ByteMark[] {
  const read: ReadNow = (start, end) => options.read(start + shift, end + shift);
  return (start, end) =>
    marksIn(model, section, start - shift, end - shift, { ...options, read }).map((mark) => ({
      ...mark,
      start: mark.start + shift,
      end: mark.end + shift,
    }));
}
