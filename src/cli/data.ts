/** `btfscope data`: prints variables and maps with initial values, or bytes decoded by a type. */

import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import type { MapAttributes, MapPart } from '#analysis/libbpf/map-attributes.ts';
import type { MapDefinition } from '#analysis/libbpf/map-definitions.ts';
import { failureText } from '#analysis/libbpf/outcome.ts';
import { loadFacts } from '#analysis/libbpf/programs.ts';
import { symbolDistance } from '#analysis/objects/symbol-places.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { decodeValue } from '#analysis/values/decode.ts';
import { DumpError } from '#analysis/values/dump-error.ts';
import { mapsOfDump, type TypedMap } from '#analysis/values/dumped-map.ts';
import { encodeEntries } from '#analysis/values/encode-value.ts';
import { hexBytes, type MapDump, readMapDump } from '#analysis/values/map-dump.ts';
import {
  readDataSections,
  type SectionBytes,
  stringSections,
  stringsOf,
} from '#analysis/values/object-data.ts';
import {
  STORAGE_CLASS,
  type Variable,
  variableBytes,
  variablesOf,
  variableValue,
} from '#analysis/values/variables.ts';
import type { Endian } from '#bytes/span.ts';
import { visible, visibleLine } from '#bytes/text.ts';
import type { SectionIndex, TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { TypeTable } from '#model/type-table.ts';
import { JsonWriter, writeMapDump, writeValue } from '#print/value-json.ts';
import { declarationText, stringLiteral, valueLines } from '#print/value-text.ts';
import {
  BASE,
  type Call,
  type Command,
  CommandFailure,
  flag,
  UsageError,
  valued,
} from './command.ts';
import { namedType, type OpenObject, openFile, openFileTypes } from './open.ts';

export const data: Command = {
  name: 'data',
  positionals: ['FILE'],
  options: [
    flag('json', 'print JSON, one row per variable, map or string'),
    BASE,
    valued('type', 'KIND:NAME', 'decode bytes as this type of FILE'),
    valued('bytes', 'HEX', 'with --type: the bytes to decode'),
    valued('from', 'PATH', 'with --type: the file with the bytes to decode'),
    valued('dump', 'PATH', 'output of bpftool map dump, with -j or without, of a map of FILE'),
    valued('map', 'NAME', 'with --dump: the map, if several maps of FILE fit'),
    valued('key', 'KIND:NAME', 'with --dump and --type: the type of the keys'),
    valued('endian', 'little|big', 'with --type: the byte order (default: that of FILE)'),
  ],
  more: [
    'decoded as a type, printed as C, or with --json as bpftool map dump prints them; members of',
    'anonymous structs are members of their parent, as in C.',
  ],
  run: (call) => {
    if (call.has('type')) return runDecode(call);
    return call.has('dump') ? runDump(call) : runData(call);
  },
};

const WITH_TYPE = ['bytes', 'from', 'key', 'endian', 'map'];
const SOURCES = ['bytes', 'from', 'dump'];

async function runData(call: Call): Promise<void> {
  const stray = WITH_TYPE.find((name) => call.has(name));
  if (stray !== undefined) throw new UsageError(`--${stray} requires --type`);
  const opened = await openData(await openFile(call));
  if (call.has('json')) call.writePieces((write) => dataJson(opened, write));
  else await call.writeLines(dataText(opened));
}

async function runDecode(call: Call): Promise<void> {
  const given = SOURCES.filter((name) => call.has(name));
  if (given.length !== 1) throw new UsageError('--type requires one of --bytes, --from and --dump');
  if (call.has('key') && !call.has('dump')) throw new UsageError('--key requires --dump');
  if (call.has('map')) throw new UsageError('--map and --type exclude each other');
  const order = endianOf(call.option('endian'));
  const { types } = await openFileTypes(call);
  const id = namedType(types, call.option('type') ?? '');
  const endian = order ?? types.endian;
  if (call.has('dump')) {
    const key = call.option('key');
    const map = { name: '', key: key === null ? null : namedType(types, key), value: id };
    return await printDump(call, types, map, endian, await givenDump(call));
  }
  const bytes = await givenBytes(call);
  const value = decodeValue(types, id, bytes, 0, { endian });
  if (call.has('json')) {
    call.writePieces((write) => {
      writeValue(new JsonWriter(write, true), value, { isPlain: false });
      write('\n');
    });
  } else {
    await call.writeLines(shown(valueLines(`(${declarationText(types, value.type, '')})`, value)));
  }
  const size = Math.ceil(value.bitSize / 8);
  if (size !== bytes.length) {
    call.io.warn(`btfscope: warning: the type has ${size} bytes, got ${bytes.length}`);
  }
}

/** Decodes a dump as the map of the file that it fits, or as the named one. */
async function runDump(call: Call): Promise<void> {
  const stray = ['bytes', 'from', 'key'].find((name) => call.has(name));
  if (stray !== undefined) throw new UsageError(`--${stray} requires --type`);
  const order = endianOf(call.option('endian'));
  const { model, sectionBytes } = await openData(await openFile(call));
  const dump = await givenDump(call);
  if (model.types === null) throw new CommandFailure(`${visible(model.name)} has no types`);
  const maps = definedMaps(model, sectionBytes);
  const name = call.option('map');
  const wanted = name === null ? maps : maps.filter((map) => map.name === name);
  const fitting = mapsOfDump(model.types, wanted, dump);
  const [map] = fitting;
  if (map === undefined || fitting.length > 1) {
    throw new CommandFailure(mapFailure(model, name, maps, fitting));
  }
  await printDump(call, model.types, map, order ?? model.types.endian, dump);
}

function mapFailure(
  model: ObjectModel,
  wanted: string | null,
  maps: readonly MapDefinition[],
  fitting: readonly TypedMap[],
): string {
  const list = (all: readonly { readonly name: string }[]) =>
    all.map(({ name }) => name).join(', ');
  if (fitting.length > 1) {
    return visible(`the dump fits several maps: ${list(fitting)}; choose one with --map`);
  }
  if (maps.length === 0) return visible(`${model.name} defines no maps; use --type`);
  if (wanted !== null && !maps.some(({ name }) => name === wanted)) {
    return visible(`no map is named "${wanted}"; ${model.name} has ${list(maps)}`);
  }
  return visible(`the dump fits no map of ${model.name} (${list(maps)}); use --type`);
}

async function givenDump(call: Call): Promise<MapDump> {
  const text = new TextDecoder().decode(await fileBytes(call, 'dump'));
  return checked(() => readMapDump(text));
}

async function printDump(
  call: Call,
  types: TypeTable,
  { key, value }: TypedMap,
  endian: Endian,
  dump: MapDump,
) {
  const entries =
    dump.form === 'bytes'
      ? dump.entries
      : checked(() => encodeEntries(dump.entries, { types, key, value, endian }));
  const form = call.has('json') ? 'pretty' : 'plain';
  call.writePieces((write) => writeMapDump(write, entries, { types, key, value, endian }, form));
}

function endianOf(text: string | null): Endian | null {
  if (text === null || text === 'little' || text === 'big') return text;
  throw new UsageError(`"${visible(text)}" is not a byte order; expected little or big`);
}

async function givenBytes(call: Call): Promise<Uint8Array> {
  const text = call.option('bytes');
  return text === null ? await fileBytes(call, 'from') : checked(() => hexBytes(text));
}

async function fileBytes(call: Call, name: string): Promise<Uint8Array> {
  const source = await call.io.open(call.option(name) ?? '');
  return await source.read(0, source.size);
}

function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
    throw new CommandFailure(visible(error.message));
  }
}

function* shown(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield visibleLine(line);
}

type OpenData = { readonly model: ObjectModel; readonly sectionBytes: SectionBytes };

/** Reads the sections that contain data. Rejects with a `CommandFailure` if the object has none. */
async function openData({ model, source }: OpenObject): Promise<OpenData> {
  if (model.format !== 'elf') {
    throw new CommandFailure(
      `${visible(model.name)} is not an object file and has no data; decode bytes with --type`,
    );
  }
  return { model, sectionBytes: await readDataSections(model, source) };
}

/** Writes a JSON array with one row for each variable, map and string. */
function dataJson(data: OpenData, write: (text: string) => void): void {
  const out = new JsonWriter(write, true);
  out.open('[');
  for (const variable of variablesOf(data.model)) variableRow(out, data, variable);
  for (const map of definedMaps(data.model, data.sectionBytes)) mapRow(out, data.model, map);
  for (const section of stringSections(data.model)) stringRows(out, data, section);
  out.close(']');
  write('\n');
}

function begin(
  out: JsonWriter,
  head: Readonly<Record<string, string | number | bigint | null>>,
): void {
  out.open('{');
  for (const [name, value] of Object.entries(head)) {
    if (typeof value !== 'bigint') out.field(name, value);
    else {
      out.name(name);
      out.raw(`${value}`);
    }
  }
  out.name('value');
}

function headOf(model: ObjectModel, definition: Variable | MapDefinition) {
  const { section, name, type, linkage } = definition;
  const { offset, size } = exactPlace(model, definition);
  return { section, name, type: typeText(model, type), offset, size, linkage };
}

function variableRow(out: JsonWriter, data: OpenData, variable: Variable): void {
  const { model, sectionBytes } = data;
  begin(out, headOf(model, variable));
  const value = variableValue(model, sectionBytes, variable);
  if (value !== null) writeValue(out, value, { isPlain: false, isResolved: true });
  else out.raw(JSON.stringify(untypedText(data, variable)));
  out.close('}');
}

/** Limit in bytes for the value of a variable without a type; the rest is omitted. */
const MAX_UNTYPED = 4096;

/** Returns the bytes of a variable without a type as hex; null if the file has no bytes for it. */
function untypedText({ model, sectionBytes }: OpenData, variable: Variable): string | null {
  const initial = variableBytes(model, sectionBytes, variable);
  if (initial === null) return null;
  const count = Math.min(MAX_UNTYPED, initial.byteLength);
  const bytes = Array.from({ length: count }, (_, i) =>
    (initial.bytes[i] ?? 0).toString(16).padStart(2, '0'),
  );
  return `${bytes.join(' ')}${count < initial.byteLength ? ' …' : ''}`;
}

function typeText({ types }: ObjectModel, type: TypeId | null): string | null {
  return types === null || type === null ? null : typeExpression(types, type);
}

function mapRow(out: JsonWriter, model: ObjectModel, map: MapDefinition): void {
  begin(out, headOf(model, map));
  out.open('{');
  attributeFields(out, model, map);
  if (map.inner === 'program') out.field('inner', 'program');
  else if (map.inner !== null) {
    out.name('inner');
    out.open('{');
    attributeFields(out, model, map.inner);
    out.close('}');
  }
  out.name('slots');
  out.open('[');
  for (const slot of map.slots) out.raw(JSON.stringify({ index: slot.index, name: slot.name }));
  out.close(']');
  out.close('}');
  out.close('}');
}

function attributeFields(out: JsonWriter, model: ObjectModel, map: MapAttributes): void {
  for (const [name, value] of attributesOf(model, map)) {
    if (typeof value !== 'bigint') out.field(name, value);
    else {
      out.name(name);
      out.raw(`${value}`);
    }
  }
  if (map.faults.length > 0) out.field('faults', map.faults.map(failureText));
}

/** Returns the attributes that a map's definition sets, with libbpf's names. */
function attributesOf(
  model: ObjectModel,
  map: MapAttributes,
): readonly (readonly [name: string, value: string | bigint | number])[] {
  const part = (name: string, { type, byteSize }: MapPart) =>
    [
      [name, typeText(model, type)],
      [`${name}_size`, byteSize],
    ] as const;
  const all = [
    ['type', map.mapTypeName],
    ...part('key', map.key),
    ...part('value', map.value),
    ['max_entries', map.maxEntries],
    ['map_flags', map.mapFlags],
    ['map_extra', map.mapExtra],
    ['numa_node', map.numaNode],
    ['pinning', map.pinning],
    ...map.extra.map(({ name, value }) => [name, value] as const),
  ] as const;
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function stringRows(out: JsonWriter, { model, sectionBytes }: OpenData, at: SectionIndex): void {
  const section = sectionName(model.sections, at);
  for (const { byteOffset: offset, bytes } of stringsOf(sectionBytes(at) ?? new Uint8Array(0))) {
    const size = bytes.length + 1;
    begin(out, { section, name: null, type: `char [${size}]`, offset, size, linkage: null });
    out.string(new TextDecoder().decode(bytes));
    out.close('}');
  }
}

/** Yields variables and maps as C; values that C cannot express are comments. */
function* dataText(data: OpenData): Generator<string> {
  yield* shown(rawLines(data));
}

function* rawLines(data: OpenData): Generator<string> {
  const { model, sectionBytes } = data;
  const { license, version } = loadFacts(model, sectionBytes);
  if (license !== null) yield `/* license: ${license} */`;
  if (version !== null) yield `/* version: 0x${version.toString(16)} */`;
  let before = '';
  for (const variable of variablesOf(model)) {
    if (variable.section !== before) yield* ['', `/* section ${variable.section} */`];
    before = variable.section;
    yield* variableLines(data, variable);
  }
  for (const map of definedMaps(model, sectionBytes)) {
    if (map.section !== before) yield* ['', `/* section ${map.section} */`];
    before = map.section;
    yield* mapLines(model, map);
  }
  for (const section of stringSections(model)) {
    yield* ['', `/* section ${sectionName(model.sections, section)} */`];
    const bytes = sectionBytes(section) ?? new Uint8Array(0);
    for (const string of stringsOf(bytes)) {
      yield `/* offset ${string.byteOffset} */ ${stringLiteral(string.bytes)}`;
    }
  }
}

/** Returns offset and size, of a symbol in a damaged file with up to 64 bits. */
function exactPlace(
  model: ObjectModel,
  { symbol, byteOffset, byteSize }: Pick<Variable, 'symbol' | 'byteOffset' | 'byteSize'>,
) {
  const isExact = (value: number | null) => value === null || Number.isSafeInteger(value);
  return {
    offset: symbol === null || isExact(byteOffset) ? byteOffset : symbolDistance(model, symbol),
    size: symbol === null || isExact(byteSize) ? byteSize : (model.symbols.size[symbol] ?? 0n),
  };
}

function placeText(model: ObjectModel, definition: Variable | MapDefinition): string {
  const { offset, size } = exactPlace(model, definition);
  const bytes = `${size} ${size === 1 ? 'byte' : 'bytes'}`;
  return offset === null ? bytes : `offset ${offset}, ${bytes}`;
}

function* variableLines(data: OpenData, variable: Variable): Generator<string> {
  const { model, sectionBytes } = data;
  const { name, type, linkage } = variable;
  yield `/* ${placeText(model, variable)} */`;
  const value = variableValue(model, sectionBytes, variable);
  if (model.types === null || type === null) {
    const bytes = untypedText(data, variable);
    yield `${STORAGE_CLASS[linkage]}${name}; /* ${bytes === null ? 'no type' : `no type: ${bytes}`} */`;
    return;
  }
  const declaration = `${STORAGE_CLASS[linkage]}${declarationText(model.types, type, name)}`;
  if (value === null) yield `${declaration};`;
  else yield* valueLines(`${declaration} = `, value, { foldZeros: true, maxElements: 256 });
}

function* mapLines(model: ObjectModel, map: MapDefinition): Generator<string> {
  yield `/* ${placeText(model, map)} */`;
  yield `map ${map.name} = {`;
  yield* attributeLines(model, map, '\t');
  if (map.inner === 'program') yield '\t.inner = /* programs */,';
  else if (map.inner !== null) {
    yield '\t.inner = {';
    yield* attributeLines(model, map.inner, '\t\t');
    yield '\t},';
  }
  for (const { index, name } of map.slots) yield `\t.values[${index}] = ${name},`;
  yield '};';
}

function* attributeLines(model: ObjectModel, map: MapAttributes, indent: string) {
  for (const [name, value] of attributesOf(model, map)) yield `${indent}.${name} = ${value},`;
  for (const fault of map.faults) yield `${indent}/* ${failureText(fault)} */`;
}
