/** Finds the maps of an object whose keys and values a dump can have. */
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { DumpError } from './dump-error.ts';
import { encodeEntries } from './encode-value.ts';
import type { MapDump } from './map-dump.ts';

export type TypedMap = {
  readonly name: string;
  readonly key: TypeId | null;
  readonly value: TypeId;
};

type MapPart = { readonly type: TypeId | null; readonly byteSize: number | null };

/** A map that an object defines: types and sizes as far as the definition states them. */
type DefinedMap = { readonly name: string; readonly key: MapPart; readonly value: MapPart };

/** Returns the maps with a type of the value whose sizes, or whose members, are those of the dump. */
export function mapsOfDump(
  types: TypeTable,
  maps: readonly DefinedMap[],
  dump: MapDump,
): TypedMap[] {
  return maps.flatMap((map) => {
    const { name, key, value } = map;
    if (value.type === null || !isFit(types, map, dump)) return [];
    return [{ name, key: key.type, value: value.type }];
  });
}

function isFit(types: TypeTable, { key, value }: DefinedMap, dump: MapDump): boolean {
  if (dump.form === 'bytes') {
    const [first] = dump.entries;
    if (first === undefined) return true;
    const bytes = first.values.find((one) => one.bytes !== null)?.bytes;
    const isSameKey = key.byteSize === null || key.byteSize === first.key.length;
    return isSameKey && (bytes == null || bytes.length === value.byteSize);
  }
  if (value.type === null) return false;
  try {
    const by = { types, key: key.type, value: value.type, endian: types.endian };
    encodeEntries(dump.entries.slice(0, 1), by);
    return true;
  } catch (error) {
    if (error instanceof DumpError) return false;
    throw error;
  }
}
