/** A map's dump as bpftool prints it by its types. */
import type { DumpEntry } from '#analysis/values/map-dump.ts';
import { type MapTypes, writeMapDump } from '#print/value-json.ts';

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
