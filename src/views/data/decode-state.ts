/** What is decoded by which types: chosen here, or what is selected on the page. */

import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { kindOf } from '#model/type-table.ts';
import { type FileId, fileById, session } from '#store/session.ts';
import { ViewState } from '#store/view-state.ts';
import type { DataGroup } from './data-entries.ts';
import type { DecodeSource, GivenFile } from './decode-input.ts';
import { foundData } from './found-data.ts';

export type DecodeTypes = {
  readonly value: TypeId | null;
  /** Of the keys of a dump; null reads them by no type. */
  readonly key: TypeId | null;
};

export type DecodeState = {
  readonly source: DecodeSource;
  readonly text: string;
  readonly file: GivenFile | null;
  /** null: that of the file. */
  readonly endian: Endian | null;
  readonly types: DecodeTypes;
  /** What was selected when the types were chosen: another selection brings its own. */
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

/** Kinds that bytes can be read by. */
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

/** The types of what is selected: a type itself, a variable's, those of a map, all of a section. Null for what has none. */
export function typesOfSelection(
  model: ObjectModel,
  groups: readonly DataGroup[],
  selection: Selection,
): DecodeTypes | null {
  const found = foundData(model, groups, selection);
  if (found?.entry?.kind === 'map') {
    const { key, value } = found.entry.map;
    return value.type === null ? null : { key: key.type, value: value.type };
  }
  if (found?.entry?.kind === 'variable') {
    const { type } = found.entry.variable;
    return type === null ? null : { key: null, value: type };
  }
  if (found !== null && found.entry === null && found.group.role === 'variables') {
    return found.group.datasec === null ? null : { key: null, value: found.group.datasec };
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

/** The types in force: those that were chosen, until something else with types is selected. */
export function decodeTypes(
  model: ObjectModel,
  groups: readonly DataGroup[],
  selection: Selection,
  state: DecodeState,
): DecodeTypes {
  if (state.of !== null && sameSelection(state.of, selection)) return state.types;
  const own = typesOfSelection(model, groups, selection);
  return own === null ? state.types : { value: own.value, key: own.key ?? state.types.key };
}

/** What was last given for each file. */
export const decodeState = new ViewState('decode', FIRST_STATE, { ofModel: true });

/** What is given next is a dump: for whoever comes from a map. */
export function startDump(id: FileId): void {
  const state = decodeState.of(fileById(session.getState(), id));
  if (state.source === 'hex') decodeState.set({ source: 'dump', text: '', file: null }, id);
}
