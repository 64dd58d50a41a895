/** Types for the values of reports, and their conversion to JSON. */
import type { CStruct } from '#bytes/c-struct.ts';

export type ReportValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ReportValue[]
  | ReportRow;

export type ReportRow = { readonly [name: string]: ReportValue };

/** Returns `value` as a number if a double represents it exactly, else unchanged. */
export function number(value: bigint): number | bigint {
  const plain = Number(value);
  return Number.isSafeInteger(plain) ? plain : value;
}

/** Returns the numeric fields of a struct by their names in C. */
export function structRow(
  { fields }: Pick<CStruct<never>, 'fields'>,
  values: Readonly<Record<string, unknown>>,
): ReportRow {
  const row: Record<string, ReportValue> = {};
  for (const { key, name, isNumber } of fields) {
    const value = values[key];
    if (isNumber) row[name] = typeof value === 'bigint' ? number(value) : Number(value);
  }
  return row;
}

/** Returns the JSON text of a report. Bigints are written as numbers with all digits. */
export function reportJson(value: ReportValue, indent = 2): string {
  const digits: string[] = [];
  const text = JSON.stringify(
    value,
    (_name, part: unknown) => {
      // Strings from the file contain no NUL, so no string equals a placeholder.
      return typeof part === 'bigint' ? `\u0000${digits.push(part.toString()) - 1}\u0000` : part;
    },
    indent,
  );
  return text.replace(/"\\u0000(\d+)\\u0000"/g, (_mark, index) => digits[Number(index)] ?? '0');
}
