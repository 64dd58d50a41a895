/** Input of the decoder, and the types as which it is decoded. */
import type { Value } from '#analysis/values/decode.ts';
import { DumpError } from '#analysis/values/dump-error.ts';
import { mapsOfDump, type TypedMap } from '#analysis/values/dumped-map.ts';
import { encodeEntries } from '#analysis/values/encode-value.ts';
import {
  type DumpEntry,
  hexBytes,
  looksLikeDump,
  type MapDump,
  readMapDump,
} from '#analysis/values/map-dump.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { kindOf } from '#model/type-table.ts';
import { type FileId, fileById, session } from '#store/session/session.ts';
import { ViewState } from '#store/session/view-state.ts';
import { countOf } from '#views/parts/number-text.ts';
import type { DataGroup } from './data-entries.ts';
import { selectedData } from './selected-data.ts';

export type DecodeTypes = {
  readonly value: TypeId | null;
  /** Type of the keys in a dump; null if keys are shown as bytes. */
  readonly key: TypeId | null;
};

export type DecodeState = {
  readonly source: DecodeSource;
  readonly text: string;
  readonly file: GivenFile | null;
  /** Byte order that the user chose; null for the byte order of the file. */
  readonly endian: Endian | null;
  readonly types: DecodeTypes;
  /** Selection at the time when the types were chosen. With another selection they are not used. */
  readonly of: Selection | null;
};

export const FIRST_STATE: DecodeState = {
  source: 'hex',
  text: '',
  file: null,
  endian: null,
  types: { value: null, key: null },
  of: null,
};

/** Kinds of type that a value can be decoded as, as a bit mask. */
export const DECODED_KINDS = [
  BtfKind.INT,
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.ENUM64,
  BtfKind.TYPEDEF,
  BtfKind.FLOAT,
  BtfKind.VAR,
  BtfKind.DATASEC,
].reduce((mask, kind) => mask | (1 << kind), 0);

/** Returns the type of the selected type, variable, map or section; null for other selections. */
export function typesOfSelection(
  model: ObjectModel,
  groups: readonly DataGroup[],
  selection: Selection,
): DecodeTypes | null {
  const match = selectedData(model, groups, selection);
  if (match?.entry?.kind === 'map') {
    const { key, value } = match.entry.map;
    return value.type === null ? null : { key: key.type, value: value.type };
  }
  if (match?.entry?.kind === 'variable') {
    const { type } = match.entry.variable;
    return type === null ? null : { key: null, value: type };
  }
  if (match !== null && match.entry === null && match.group.role === 'variables') {
    return match.group.datasec === null ? null : { key: null, value: match.group.datasec };
  }
  if (selection.kind !== 'type' || model.types === null) return null;
  const kind = kindOf(model.types, selection.type);
  const isRead = (DECODED_KINDS & (1 << kind)) !== 0 || READ_TOO.has(kind);
  return isRead ? { key: null, value: selection.type } : null;
}

const READ_TOO: ReadonlySet<number> = new Set([
  BtfKind.PTR,
  BtfKind.ARRAY,
  BtfKind.CONST,
  BtfKind.VOLATILE,
  BtfKind.RESTRICT,
  BtfKind.TYPE_TAG,
]);

/**
 * Returns the chosen types, or the types of a selection made after the choice, or else those of the
 * only map of the file that the dump fits.
 */
export function decodeTypes(
  model: ObjectModel,
  groups: readonly DataGroup[],
  selection: Selection,
  state: DecodeState,
  fitting: readonly TypedMap[] = [],
): DecodeTypes {
  if (state.of !== null && sameSelection(state.of, selection)) return state.types;
  const own = typesOfSelection(model, groups, selection);
  if (own !== null) return { value: own.value, key: own.key ?? state.types.key };
  const [map] = fitting;
  return state.types.value === null && map !== undefined && fitting.length === 1
    ? { value: map.value, key: map.key }
    : state.types;
}

/** Returns the maps of the file that a dump fits; none for other input. */
export function fittingMaps(
  { types }: ObjectModel,
  groups: readonly DataGroup[],
  input: ReadInput,
): readonly TypedMap[] {
  if (types === null || input.kind !== 'dump') return [];
  const maps = groups.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === 'map' ? [entry.map] : [])),
  );
  return mapsOfDump(types, maps, input.dump);
}

/** State of the decoder, separate for each file. */
export const decodeState = new ViewState('decode', FIRST_STATE, { ofModel: true });

/** Switches the form from bytes to an empty dump, for a user who comes from a map. */
export function startDump(id: FileId): void {
  const state = decodeState.of(fileById(session.getState(), id));
  if (state.source === 'hex') decodeState.set({ source: 'dump', text: '', file: null }, id);
}

export type DecodeSource = 'hex' | 'dump';

type GivenFile = { readonly name: string; readonly bytes: Uint8Array };

export type InputFault = {
  /** Error message, not escaped. */
  readonly message: string;
  /** Position of the wrong part in the text, in characters; null if unknown. */
  readonly at: { readonly start: number; readonly length: number } | null;
};

export type ReadInput =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'dump'; readonly dump: MapDump }
  | { readonly kind: 'fault'; readonly fault: InputFault };

/** Returns the bytes of a chosen file, else of hex text, or the entries of a dump. */
export function readInput(source: DecodeSource, text: string, file: GivenFile | null): ReadInput {
  if (file !== null) return { kind: 'bytes', bytes: file.bytes };
  if (text.trim() === '') return { kind: 'nothing' };
  try {
    return source === 'hex'
      ? { kind: 'bytes', bytes: hexBytes(text) }
      : { kind: 'dump', dump: readMapDump(text) };
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
    return { kind: 'fault', fault: { message: error.message, at: error.at } };
  }
}

/** Returns the entries of a dump as bytes, or why its values are not of the chosen types. */
export function dumpEntries(
  dump: MapDump,
  by: Parameters<typeof encodeEntries>[1],
): readonly DumpEntry[] | string {
  if (dump.form === 'bytes') return dump.entries;
  try {
    return encodeEntries(dump.entries, by);
  } catch (error) {
    if (error instanceof DumpError) return error.message;
    throw error;
  }
}

const MAX_SHOWN = 72;

/** Returns the number of the line with an error, and its text shortened around the wrong part. */
export function faultLine(
  text: string,
  at: { readonly start: number; readonly length: number },
): {
  readonly line: number;
  readonly before: string;
  readonly wrong: string;
  readonly after: string;
} {
  const start = Math.min(at.start, text.length);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const nextBreak = text.indexOf('\n', start);
  const lineEnd = nextBreak < 0 ? text.length : nextBreak;
  const end = Math.max(start, Math.min(lineEnd, start + at.length));
  const before = text.slice(lineStart, start);
  const after = text.slice(end, lineEnd);
  const half = MAX_SHOWN / 2;
  return {
    line: text.slice(0, lineStart).split('\n').length,
    before: before.length > half ? `…${before.slice(-half)}` : before,
    wrong: text.slice(start, end).slice(0, half),
    after: after.length > half ? `${after.slice(0, half)}…` : after,
  };
}

/** Maximum number of bytes read from a file. No map has a larger value. */
const MAX_FILE_BYTES = 32 << 20;

/** Returns the content of a chosen file as a dump, as hex text, or else as bytes. */
export async function readGivenFile(file: File): Promise<{
  readonly source: DecodeSource;
  readonly text: string;
  readonly file: GivenFile | null;
}> {
  const bytes = new Uint8Array(await file.slice(0, MAX_FILE_BYTES).arrayBuffer());
  const text = textOf(bytes);
  if (text !== null && looksLikeDump(text)) return { source: 'dump', text, file: null };
  if (text !== null && /\.(txt|hex)$/i.test(file.name)) return { source: 'hex', text, file: null };
  return { source: 'hex', text: '', file: { name: file.name, bytes } };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns a sentence if the number of bytes is not the size of the type; else null. */
export function sizeMismatchText({ bitSize }: Value, given: number): string | null {
  const size = Math.ceil(bitSize / 8);
  if (size === given) return null;
  const both = `The type has ${countOf(size, 'byte')}, ${countOf(given, 'byte')} ${given === 1 ? 'was' : 'were'} given`;
  if (given < size) return `${both}: the values after them are unknown.`;
  const times = size > 0 && given % size === 0 ? `, which is ${given / size} times as many` : '';
  return `${both}${times}: the first ${countOf(size, 'byte')} are read.`;
}
