/** Lists the lines of the raw dump, and finds what the selection and the pointer mark. */

import { compositeOf } from '#analysis/layout/member-rows.ts';
import { selectionSpan, selectionType } from '#analysis/selection/selection.ts';
import {
  type Change,
  type Changes,
  changeOfItem,
  recordItems,
  type StoredString,
} from '#analysis/workbench/changes.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { BTF_TYPE_SIZE } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { isComposite, memberCount } from '#model/type-items.ts';
import { kindOf, lastId, nameOffOf, recordSpan, type TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-dump.ts';

/** A marked type and the index of its marked item; `item` is null if the whole type is marked. */
export type Lit = { readonly type: TypeId; readonly item: number | null };

/** Returns the type and item that the selection marks; null if it marks none. */
export function litBySelection(model: ObjectModel, selection: Selection): Lit | null {
  const type = selectionType(model, selection);
  if (type === null || type < 1) return null;
  if (selection.kind === 'type') return { type, item: selection.memberPath[0] ?? null };
  return selection.kind === 'bytes' && model.types !== null
    ? { type, item: itemAtByte(model.types, type, selection.start) }
    : { type, item: null };
}

/** Returns the index of the member at a byte; null for other items, which cannot be selected. */
function itemAtByte(types: TypeTable, type: TypeId, fileOffset: number): number | null {
  const span = recordSpan(types, type);
  const count = memberCount(types, type);
  if (span === null || count === 0) return null;
  const item = Math.floor((fileOffset - span.start - BTF_TYPE_SIZE) / 12);
  return item >= 0 && item < count ? item : null;
}

/** Returns the selection for a line: the member on it, or for other items the type. */
export function selectionOfLine(types: TypeTable, { type, item }: Lit): Selection {
  return typeSelection(type, item !== null && isComposite(kindOf(types, type)) ? [item] : []);
}

/** Returns the bytes of a marked type or item in the file; null if they are not in the file. */
export function bytesOfLit(model: ObjectModel, { type, item }: Lit): Span | null {
  return selectionSpan(model, typeSelection(type, item === null ? [] : [item]));
}

/** Returns the struct or union to draw: the marked one, the one it resolves to, or the first. */
export function shownComposite(types: TypeTable, lit: Lit | null): TypeId | null {
  const selected = lit === null ? null : compositeOf(types, lit.type);
  if (selected !== null) return selected;
  for (let id = types.firstId; id <= lastId(types); id++) {
    if (isComposite(kindOf(types, typeId(id)))) return typeId(id);
  }
  return null;
}

/** The record, the item or the string under the pointer. A string is named by its `name_off`. */
export type Pointed =
  | { readonly kind: 'record'; readonly type: TypeId; readonly item: number | null }
  | { readonly kind: 'string'; readonly offset: number };

export function samePointed(a: Pointed | null, b: Pointed | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'string') return b.kind === 'string' && a.offset === b.offset;
  return b.kind === 'record' && a.type === b.type && a.item === b.item;
}

/** Returns the record, item or string that contains a byte; null for a byte of the header. */
export function lineAtByte(
  model: ObjectModel,
  strings: readonly StoredString[],
  fileOffset: number,
): Pointed | null {
  const lit = litBySelection(model, { kind: 'bytes', start: fileOffset, end: fileOffset + 1 });
  if (lit !== null) return { kind: 'record', ...lit };
  const string = strings.find(({ start, end }) => start <= fileOffset && fileOffset < end);
  return string === undefined ? null : { kind: 'string', offset: string.offset };
}

export type PaneProps = {
  readonly model: ObjectModel;
  readonly types: TypeTable;
  /** Changes that are marked; null once the marks have faded. */
  readonly changes: Changes | null;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
};

export type RawLine = {
  readonly type: TypeId;
  /** Index of the item on this line; null for the line of the type itself. */
  readonly item: number | null;
  readonly text: string;
  /** Offset of the name on this line in the string table; 0 if it has no name. */
  readonly nameOff: number;
};

/** Returns all lines of `bpftool btf dump format raw`, escaped. */
export function rawLines(types: TypeTable): RawLine[] {
  const lines: RawLine[] = [];
  for (let i = 0; i < types.count; i++) {
    const type = typeId(types.firstId + i);
    const items = recordItems(types, type);
    rawRecord(types, type)
      .split('\n')
      .forEach((text, line) => {
        lines.push({
          type,
          item: line === 0 ? null : line - 1,
          text: drawnName(text.trimStart()),
          nameOff: line === 0 ? nameOffOf(types, type) : (items[line - 1]?.nameOff ?? 0),
        });
      });
  }
  return lines;
}

/** Returns how the latest edit changed a line; null if it did not. */
export function changeOfLine({ type, item }: RawLine, changes: Changes | null): Change | null {
  if (changes === null) return null;
  return item === null ? (changes.types.get(type) ?? null) : changeOfItem(changes, type, item);
}

/** Returns the index of the line for a type or item; -1 if there is none. */
export function lineIndexOf(lines: readonly RawLine[], type: number, item: number | null): number {
  return lines.findIndex((line) => line.type === type && line.item === item);
}

const HEAD = /^(\[\d+\]) ([A-Z_\d]+) (.*)$/s;

/** Splits the first line of a type into id, kind and the rest. Null for the line of an item. */
export function headParts({
  text,
  item,
}: RawLine): { readonly id: string; readonly kind: string; readonly rest: string } | null {
  const [, id, kind, rest] = item === null ? (HEAD.exec(text) ?? []) : [];
  return id === undefined || kind === undefined || rest === undefined ? null : { id, kind, rest };
}
