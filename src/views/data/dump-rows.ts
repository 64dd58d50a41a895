/** The values of a dump as rows: one for an entry, or one for each CPU of it. */
import { decodeValue, type Value } from '#analysis/values/decode.ts';
import type { DumpEntry } from '#analysis/values/map-dump.ts';
import type { Endian } from '#bytes/span.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type MapTypes, writeMapDump } from '#print/value-json.ts';

export type DumpRow = {
  readonly entry: number;
  readonly key: Uint8Array;
  readonly cpu: number | null;
  /** null where the kernel gave none. */
  readonly bytes: Uint8Array | null;
};

/** All values in the order of the dump. */
export function dumpRows(entries: readonly DumpEntry[]): DumpRow[] {
  return entries.flatMap(({ key, values }, entry) =>
    values.map(({ cpu, bytes }) => ({ entry, key, cpu, bytes })),
  );
}

export type Decoder = { readonly types: TypeTable; readonly endian: Endian };

/** Bytes by a type; null where there is none. */
export function decoded(
  { types, endian }: Decoder,
  type: TypeId | null,
  bytes: Uint8Array | null,
): Value | null {
  return type === null || bytes === null ? null : decodeValue(types, type, bytes, 0, { endian });
}

/** Bytes in hex, as far as a line of a table shows them. */
export function hexLine(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0'));
  return `${shown.join(' ')}${bytes.length > 16 ? ' …' : ''}`;
}

/** A map's dump as bpftool prints it by its types. */

export const DUMP_FORMS = [
  { value: 'plain', label: 'map dump' },
  { value: 'pretty', label: '-p' },
  { value: 'json', label: '-j' },
] as const;

export type DumpForm = (typeof DUMP_FORMS)[number]['value'];

/** More entries are shown in the table alone. */
export const SHOWN_ENTRIES = 200;

/** The text of all of `entries`. */
export function dumpText(entries: readonly DumpEntry[], map: MapTypes, form: DumpForm): string {
  const pieces: string[] = [];
  writeMapDump((piece) => pieces.push(piece), entries, map, form);
  return pieces.join('').trimEnd();
}
