/** The maps that an object defines: in `.maps` (BTF, symbols) and in the old `maps` (bytes). */
import { mapTypeName } from '#analysis/kernel/map-types.ts';
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { decodeName, hexDigits } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { STB } from '#formats/elf/constants.ts';
import {
  type SectionIndex,
  type SymbolIndex,
  sectionIndex,
  symbolIndex,
  type TypeId,
} from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { memberAt, memberCount } from '#model/type-items.ts';
import { kindOf, refOf, skipModifiers } from '#model/type-table.ts';
import { type ExtraField, type MapAttributes, noAttributes } from './map-attributes.ts';
import { btfMaps, type MapDefinition } from './map-definitions.ts';
import { type Failure, failedSilently } from './outcome.ts';

/**
 * Returns the maps of `.maps` by offset, then those of the old section `maps` (without
 * attributes while its bytes are null), then symbols of `.maps` that BTF lacks.
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
      faults: [failedSilently('ENOENT', 'the file has no BTF for this map')],
    }));
}

/** A symbol in a section that defines maps. */
type MapSymbol = {
  /** Name of the symbol as raw text. */
  readonly name: string;
  readonly symbol: SymbolIndex;
  readonly sectionIndex: SectionIndex;
  /** Offset in bytes from the start of the section. */
  readonly byteOffset: number;
  readonly byteSize: number;
  readonly linkage: 'static' | 'global';
};

/** Returns the named symbols of all sections `wanted`, in the order of the symbol table. */
function mapSymbols(model: ObjectModel, wanted: '.maps' | 'maps'): MapSymbol[] {
  const { symbols, sections } = model;
  const wantedSections = new Set<number>(isBpf(model) ? loaderSections.of(sections)[wanted] : []);
  const maps: MapSymbol[] = [];
  for (let row = 0; wantedSections.size > 0 && row < symbols.count; row++) {
    const section = symbols.section[row] ?? 0;
    if (!wantedSections.has(section)) continue;
    const symbol = symbolIndex(row);
    const type = symbolType(symbols, symbol);
    if (type !== SymbolType.OBJECT && type !== SymbolType.NOTYPE) continue;
    const name = symbolName(symbols, symbol);
    if (name === '') continue;
    maps.push({
      name,
      symbol,
      sectionIndex: sectionIndex(section),
      byteOffset: symbolOffset(model, symbol),
      byteSize: Number(symbols.size[symbol] ?? 0n),
      linkage: symbolBinding(symbols, symbol) === STB.local ? 'static' : 'global',
    });
  }
  return maps;
}

const WORD = 4;
/** Size of libbpf's `struct bpf_map_def` in bytes. */
const DEF_SIZE = 5 * WORD;

/** Names of other loaders' fields after `map_flags`. The key is the definition's size in bytes. */
const EXTRA_FIELDS: ReadonlyMap<number, readonly string[]> = new Map([
  // Source: `struct bpf_load_map_def` of Linux, samples/bpf/bpf_load.h, until 5.10.
  [28, ['inner_map_idx', 'numa_node']],
  // Source: `struct bpf_elf_map` of iproute2, include/bpf_elf.h, and of Cilium.
  [36, ['id', 'pinning', 'inner_id', 'inner_idx']],
  // Source: bpf_helpers.h of gobpf, with `pinning` and `char namespace[256]`.
  [280, ['pinning', 'namespace']],
]);

/**
 * Returns the maps of the old section `maps` (before 2019), ordered by offset; each is a `struct
 * bpf_map_def`. Types of keys and values come from the struct `____btf_map_NAME` of
 * BPF_ANNOTATE_KV_PAIR. Source: "BTF Type Format", section 4.1 and its example; libbpf 0.8,
 * bpf_object__init_user_maps.
 */
export function legacyMaps(model: ObjectModel, sectionBytes: SectionBytes): MapDefinition[] {
  const symbols = mapSymbols(model, 'maps').sort(
    (a, b) => a.sectionIndex - b.sectionIndex || a.byteOffset - b.byteOffset,
  );
  return symbols.map((symbol, i) => {
    const byteSize = symbol.byteSize || distanceToNext(model, symbols, i);
    const place = { ...symbol, byteSize };
    return {
      ...withTypes(model, symbol.name, definitionAt(model, sectionBytes, place)),
      ...place,
      section: 'maps',
      varId: null,
      type: null,
      slots: [],
    };
  });
}

/** Returns the number of bytes from symbol `i` to the next one, or to the end of the section. */
function distanceToNext(model: ObjectModel, symbols: readonly MapSymbol[], i: number): number {
  const { sectionIndex, byteOffset } = symbols[i] ?? { sectionIndex: 0, byteOffset: 0 };
  const next = symbols[i + 1];
  const end =
    next?.sectionIndex === sectionIndex
      ? next.byteOffset
      : (model.sections.byteLength[sectionIndex] ?? 0);
  return Math.max(0, end - byteOffset);
}

function definitionAt(
  model: ObjectModel,
  sectionBytes: SectionBytes,
  { name, sectionIndex, byteOffset, byteSize }: MapSymbol,
): MapAttributes {
  const bytes = sectionBytes(sectionIndex);
  const none = noAttributes();
  if (bytes === null) return none;
  const end = byteOffset + byteSize;
  if (byteOffset < 0 || end > bytes.length) {
    return { ...none, faults: [oldFault('the definition runs past the end of the section')] };
  }
  const reader = new ByteReader(bytes.subarray(byteOffset, end), 'maps', model.endian);
  const word = (index: number) =>
    (index + 1) * WORD <= reader.length ? reader.u32(index * WORD) : null;
  const mapType = word(0);
  const [maxEntries, mapFlags] = [word(3), word(4)];
  return {
    ...none,
    mapType,
    mapTypeName: mapType === null ? null : mapTypeName(mapType),
    key: { type: null, byteSize: word(1) },
    value: { type: null, byteSize: word(2) },
    maxEntries: maxEntries === null ? null : BigInt(maxEntries),
    mapFlags: mapFlags === null ? null : BigInt(mapFlags),
    extra: extraFields(model, name, reader),
    faults: lengthFaults(reader.bytes),
  };
}

/** Returns faults of a definition's size. libbpf before 1.0 accepted extra bytes if they were 0. */
function lengthFaults(definition: Uint8Array): readonly Failure[] {
  const { length } = definition;
  if (length < DEF_SIZE) {
    return [oldFault(`${length} bytes, fewer than the ${DEF_SIZE} of bpf_map_def`)];
  }
  return definition.subarray(DEF_SIZE).some((byte) => byte !== 0)
    ? [oldFault('non-zero bytes after map_flags: libbpf before 1.0 rejects them')]
    : [];
}

function oldFault(cause: string): Failure {
  return failedSilently('EINVAL', cause);
}

/** Returns the fields after `map_flags`. BTF or the size gives names; an unnamed rest is hex. */
function extraFields(model: ObjectModel, name: string, reader: ByteReader): readonly ExtraField[] {
  const fields: ExtraField[] = [];
  const names = namesInBtf(model, name, reader.length) ?? EXTRA_FIELDS.get(reader.length) ?? [];
  let at = DEF_SIZE;
  for (const field of names) {
    const isText = field === 'namespace';
    if (!isText && at + WORD > reader.length) break;
    const value = isText ? decodeName(reader.bytes, at) : BigInt(reader.u32(at));
    fields.push({ name: field, value });
    at = isText ? reader.length : at + WORD;
  }
  if (at < reader.length) {
    const rest = reader.bytes.subarray(at, at + MAX_EXTRA_BYTES);
    const more = reader.length - at > rest.length ? '…' : '';
    fields.push({ name: `bytes ${at} to ${reader.length - 1}`, value: hexDigits(rest) + more });
  }
  return fields;
}

/** Maximum bytes of a definition that are shown without field names. */
const MAX_EXTRA_BYTES = 64;
const MAX_MEMBERS = 64;

/**
 * Returns the names of members after byte 20 in the struct of the variable `name`; null unless the
 * struct has `byteSize` bytes and consists of 32-bit words.
 */
function namesInBtf(model: ObjectModel, name: string, byteSize: number): readonly string[] | null {
  const t = model.types;
  const variable = t && findTypeKey(t, { kind: 'var', name, ordinal: 0 });
  if (t === null || variable === null) return null;
  const of = refOf(t, variable);
  const struct = of === null ? null : skipModifiers(t, of);
  if (struct === null) return null;
  if (kindOf(t, struct) !== BtfKind.STRUCT || sizeOf(t, struct) !== BigInt(byteSize)) return null;
  const names: string[] = [];
  for (let i = DEF_SIZE / WORD; i < Math.min(memberCount(t, struct), MAX_MEMBERS); i++) {
    const member = memberAt(t, struct, i);
    if (member === null || member.bitOffset !== i * WORD * 8) return null;
    if (sizeOf(t, member.type) !== BigInt(WORD)) return null;
    names.push(member.name);
  }
  return names;
}

/** Adds types of key and value if their sizes are those of the definition, as libbpf did. */
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
