/**
 * The maps that an object defines, stated once for whoever lists them: in `.maps` by
 * BTF, in `maps` by bytes, and where BTF was stripped by symbols alone.
 */
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import {
  type SectionIndex,
  type SymbolIndex,
  sectionIndex,
  symbolIndex,
  type TypeId,
} from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { memberAt } from '#model/type-items.ts';
import {
  btfMaps,
  type MapAttributes,
  type MapDefinition,
  noAttributes,
} from './map-definitions.ts';
import { mapTypeName } from './map-types.ts';
import type { SectionBytes } from './object-data.ts';

/**
 * The maps that the object defines: those of `.maps` in the order of BTF, those of
 * the old section `maps`, then symbols of `.maps` that BTF says nothing of. Only the
 * bytes of `maps` are asked for; maps there say what they are once they are at hand.
 */
export function definedMaps(model: ObjectModel, sectionBytes: SectionBytes): MapDefinition[] {
  const typed = btfMaps(model);
  return [...typed, ...legacyMaps(model, sectionBytes), ...untypedMaps(model, typed)];
}

function untypedMaps(model: ObjectModel, typed: readonly MapDefinition[]): MapDefinition[] {
  const place = (at: Pick<MapDefinition, 'sectionIndex' | 'byteOffset'>) =>
    `${at.sectionIndex} ${at.byteOffset}`;
  const known = new Set(typed.map(place));
  return mapSymbols(model, '.maps')
    .filter((symbol) => !known.has(place(symbol)))
    .map((symbol) => ({
      ...noAttributes(),
      ...symbol,
      section: '.maps',
      varId: null,
      type: null,
      slots: [],
      faults: ['the file has no BTF for this map'],
    }));
}

/** What a symbol says of a map by itself. */
export type MapSymbol = {
  /** Raw text. */
  readonly name: string;
  readonly symbol: SymbolIndex;
  readonly sectionIndex: SectionIndex;
  /** Bytes from the start of the section. */
  readonly byteOffset: number;
  readonly byteSize: number;
  readonly linkage: 'static' | 'global';
};

/** Those with a name in the sections called `wanted` of a BPF object, by place in the symbol table. */
function mapSymbols(model: ObjectModel, wanted: '.maps' | 'maps'): MapSymbol[] {
  const { symbols, sections } = model;
  const wantedSections = new Set<number>(isBpf(model) ? loaderSections.of(sections)[wanted] : []);
  const found: MapSymbol[] = [];
  for (let row = 0; wantedSections.size > 0 && row < symbols.count; row++) {
    const section = symbols.section[row] ?? 0;
    if (!wantedSections.has(section)) continue;
    const symbol = symbolIndex(row);
    const type = symbolType(symbols, symbol);
    if (type !== SymbolType.OBJECT && type !== SymbolType.NOTYPE) continue;
    const name = symbolName(symbols, symbol);
    if (name === '') continue;
    found.push({
      name,
      symbol,
      sectionIndex: sectionIndex(section),
      byteOffset: symbolOffset(model, symbol),
      byteSize: Number(symbols.size[symbol] ?? 0n),
      linkage: symbolBinding(symbols, symbol) === 0 ? 'static' : 'global',
    });
  }
  return found;
}

/**
 * Maps of the section `maps`, as objects before 2019 have them: a `struct
 * bpf_map_def` each. Types of keys and values come from the struct that
 * BPF_ANNOTATE_KV_PAIR leaves in BTF, `____btf_map_NAME`.
 *
 * Source: "BTF Type Format", section 4.1 and its example; five words of 32 bits.
 */

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
