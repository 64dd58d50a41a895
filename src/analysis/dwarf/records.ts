/** Lists records of variable size that follow each other. */
import { type FieldList, type StructureField, sequence } from '#analysis/fields/field.ts';
import type { Span } from '#bytes/span.ts';
import { DwarfCursor } from '#formats/dwarf/leb128.ts';
import type { SectionBytes } from './debug-sections.ts';
import { faultOf, notRead } from './field-run.ts';

/** Starts of records, and the end of the last one. Offsets are relative to the bytes. */
export type Records = {
  readonly starts: Uint32Array;
  readonly end: number;
  readonly fault: string;
};

/** Finds records from `from` to `end`. `skip` moves the cursor past one, and throws `Malformed`. */
export function findRecords(
  { linked }: SectionBytes,
  from: number,
  end: number,
  skip: (cursor: DwarfCursor) => void,
): Records {
  const starts: number[] = [];
  const cursor = new DwarfCursor(linked, from);
  let last = from;
  const fault = faultOf(() => {
    while (cursor.at < end) {
      const start = cursor.at;
      skip(cursor);
      if (cursor.at > end || cursor.at === start) break;
      starts.push(start);
      last = cursor.at;
    }
  });
  return { starts: Uint32Array.from(starts), end: last, fault };
}

/** Creates the field of record `index` at `span`; `at` is its offset relative to the bytes. */
type MakeRecord = (at: number, span: Span, index: number) => StructureField;

/** Returns records as the parts of `span`, which ends the bytes that they are in. */
export function recordFields(
  { linked }: SectionBytes,
  { starts, end, fault }: Records,
  span: Span,
  make: MakeRecord,
): FieldList {
  const endOffset = linked.span(end, 0).start;
  const isWhole = endOffset >= span.end;
  const startOf = (i: number) => {
    const start = starts[i];
    if (start !== undefined) return linked.span(start, 0).start;
    return i === starts.length ? endOffset : span.end;
  };
  return sequence(isWhole ? starts.length : starts.length + 1, startOf, (i) => {
    const at = { start: startOf(i), end: startOf(i + 1) };
    const start = starts[i];
    return start === undefined ? notRead(at, fault || 'Not a record') : make(start, at, i);
  });
}
