/**
 * The entries of a map as `bpftool map dump` prints them by the map's BTF: without
 * options only keys and values by type, as JSON their bytes too, under `formatted`
 * what they mean. Spaces and lines are bpftool's (7.1).
 */
import { decodeValue } from '#analysis/values/decode.ts';
import type { DumpEntry } from '#analysis/values/map-dump.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { writeValue } from './value-json.ts';
import { JsonWriter } from './value-json-writer.ts';

export type MapTypes = {
  readonly types: TypeTable;
  /** null leaves the keys out, as bpftool does for maps of variables. */
  readonly key: TypeId | null;
  readonly value: TypeId;
  readonly endian?: Endian;
};

/** Writes all entries. `plain` is the dump without options, `json` that of `-j`, `pretty` of `-p`. */
export function writeMapDump(
  write: (text: string) => void,
  entries: readonly DumpEntry[],
  map: MapTypes,
  form: 'plain' | 'json' | 'pretty',
): void {
  const out = new JsonWriter(write, form !== 'json');
  out.open('[');
  for (const entry of entries) {
    out.open('{');
    if (form !== 'plain') {
      out.name('key');
      rawBytes(out, entry.key);
      eachValue(out, entry, (bytes) => rawBytes(out, bytes));
      out.name('formatted');
      out.open('{');
    }
    formatted(out, entry, map, form === 'plain');
    if (form !== 'plain') out.close('}');
    out.close('}');
  }
  out.close(']');
  write('\n');
}

function formatted(out: JsonWriter, entry: DumpEntry, map: MapTypes, isPlain: boolean): void {
  const typed = (id: TypeId, bytes: Uint8Array) =>
    writeValue(
      out,
      decodeValue(map.types, id, bytes, 0, { endian: map.endian ?? map.types.endian }),
      { isPlain },
    );
  if (map.key !== null && kindOf(map.types, map.value) !== BtfKind.DATASEC) {
    out.name('key');
    typed(map.key, entry.key);
  }
  eachValue(out, entry, (bytes) => typed(map.value, bytes));
}

function eachValue(
  out: JsonWriter,
  { values }: DumpEntry,
  each: (bytes: Uint8Array) => void,
): void {
  const [only] = values;
  const one = (bytes: Uint8Array | null) => {
    out.name('value');
    if (bytes === null) out.raw('null');
    else each(bytes);
  };
  if (only !== undefined && only.cpu === null) {
    one(only.bytes);
    return;
  }
  out.name('values');
  out.open('[');
  for (const { cpu, bytes } of values) {
    out.open('{');
    out.name('cpu');
    out.raw(`${cpu}`);
    one(bytes);
    out.close('}');
  }
  out.close(']');
}

function rawBytes(out: JsonWriter, bytes: Uint8Array): void {
  out.open('[');
  for (const byte of bytes) out.string(`0x${byte.toString(16).padStart(2, '0')}`);
  out.close(']');
}
