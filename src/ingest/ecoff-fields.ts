/** Fields of eCOFF headers, one behind the other. */
import { spanOf } from '#bytes/span.ts';
import type { HeaderField } from '#model/object-model.ts';

/** Name as in the C headers, bytes, value as text, meaning. */
export type FieldRow = readonly [name: string, size: number, value: string, meaning: string];

/** The fields from `fileOffset` on, without a gap between them. */
export function fieldsInRow(fileOffset: number, rows: readonly FieldRow[]): readonly HeaderField[] {
  let at = fileOffset;
  return rows.map(([name, size, value, meaning]) => {
    const span = spanOf(at, size);
    at += size;
    return { name, value, meaning, span };
  });
}

/** `0x1f`. */
export function hexOf(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
