/**
 * Maps of the section `maps`, as objects before 2019 have them: a `struct
 * bpf_map_def` each. Types of keys and values come from the struct that
 * BPF_ANNOTATE_KV_PAIR leaves in BTF, `____btf_map_NAME`.
 *
 * Source: "BTF Type Format", section 4.1 and its example; five words of 32 bits.
 */

import { sizeOf } from '#analysis/types/sizes.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { memberAt } from '#model/type-items.ts';
import { type MapAttributes, type MapDefinition, noAttributes } from './map-definitions.ts';
import { type MapSymbol, mapSymbols } from './map-symbols.ts';
import { mapTypeName } from './map-types.ts';
import type { SectionBytes } from './object-data.ts';

/** `sizeof(struct bpf_map_def)`; some loaders had longer ones that begin alike. */
const DEF_SIZE = 20;

/** The maps of the section `maps`, by place in the symbol table. */
export function legacyMaps(model: ObjectModel, sectionBytes: SectionBytes): MapDefinition[] {
  return mapSymbols(model, 'maps').map((symbol) => ({
    ...withTypes(model, symbol.name, definitionAt(model, sectionBytes, symbol)),
    ...symbol,
    section: 'maps',
    varId: null,
    type: null,
    slots: [],
  }));
}

function definitionAt(
  model: ObjectModel,
  sectionBytes: SectionBytes,
  { sectionIndex, byteOffset }: MapSymbol,
): MapAttributes {
  const bytes = sectionBytes(sectionIndex);
  const none = noAttributes();
  if (bytes === null) return none;
  if (byteOffset < 0 || byteOffset + DEF_SIZE > bytes.length) {
    return { ...none, faults: ['the definition runs past the end of the section'] };
  }
  const reader = new ByteReader(bytes, 'maps', model.endian);
  const mapType = reader.u32(byteOffset);
  return {
    ...none,
    mapType,
    mapTypeName: mapTypeName(mapType),
    key: { type: null, byteSize: reader.u32(byteOffset + 4) },
    value: { type: null, byteSize: reader.u32(byteOffset + 8) },
    maxEntries: BigInt(reader.u32(byteOffset + 12)),
    mapFlags: BigInt(reader.u32(byteOffset + 16)),
  };
}

/** As libbpf did, the types count only where their sizes are those of the definition. */
function withTypes(model: ObjectModel, name: string, map: MapAttributes): MapAttributes {
  const t = model.types;
  if (t === null) return map;
  const pair = findTypeKey(t, { kind: 'struct', name: `____btf_map_${name}`, ordinal: 0 });
  const [key, value] = [0, 1].map((i) => (pair === null ? null : memberAt(t, pair, i)));
  const fitting = (type: TypeId | undefined, byteSize: number | null) =>
    type !== undefined && sizeOf(t, type) === BigInt(byteSize ?? -1) ? type : null;
  return {
    ...map,
    key: { ...map.key, type: fitting(key?.type, map.key.byteSize) },
    value: { ...map.value, type: fitting(value?.type, map.value.byteSize) },
  };
}
