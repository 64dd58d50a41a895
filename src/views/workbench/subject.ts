/** Lines of the raw dump, and the types and items that the selection and the pointer light. */

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

/** A type, and the index of its lit item; null: the whole type. */
export type Lit = { readonly type: TypeId; readonly item: number | null };

/** Returns the record that the selection lights; null: none. */
export function litBySelection(model: ObjectModel, selection: Selection): Lit | null {
  const type = selectionType(model, selection);
  if (type === null || type < 1) return null;
  if (selection.kind === 'type') return { type, item: selection.memberPath[0] ?? null };
  return selection.kind === 'bytes' && model.types !== null
    ? { type, item: itemAtByte(model.types, type, selection.start) }
    : { type, item: null };
}

/** Returns the index of a member; other items cannot be selected. */
function itemAtByte(types: TypeTable, type: TypeId, fileOffset: number): number | null {
  const span = recordSpan(types, type);
  const count = memberCount(types, type);
  if (span === null || count === 0) return null;
  const item = Math.floor((fileOffset - span.start - BTF_TYPE_SIZE) / 12);
  return item >= 0 && item < count ? item : null;
}

/** Returns the selection of a record or item: a member, else the type. */
export function selectionOfLine(types: TypeTable, { type, item }: Lit): Selection {
  return typeSelection(type, item !== null && isComposite(kindOf(types, type)) ? [item] : []);
}

/** Returns the lit bytes of the file; null: none. */
export function bytesOfLit(model: ObjectModel, { type, item }: Lit): Span | null {
  return selectionSpan(model, typeSelection(type, item === null ? [] : [item]));
}

/** Returns the struct or union to draw: the selected one, the one it resolves to, else the first. */
export function shownComposite(types: TypeTable, lit: Lit | null): TypeId | null {
  const selected = lit === null ? null : compositeOf(types, lit.type);
  if (selected !== null) return selected;
  for (let id = types.firstId; id <= lastId(types); id++) {
    if (isComposite(kindOf(types, typeId(id)))) return typeId(id);
  }
  return null;
}

/** Record, item or string (by `name_off`) under the pointer. */
export type Pointed =
  | { readonly kind: 'record'; readonly type: TypeId; readonly item: number | null }
  | { readonly kind: 'string'; readonly offset: number };

export function samePointed(a: Pointed | null, b: Pointed | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'string') return b.kind === 'string' && a.offset === b.offset;
  return b.kind === 'record' && a.type === b.type && a.item === b.item;
}

/** Returns the record, item or string at a byte; null in the header. */
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
  /** Marked changes; null once they have faded. */
  readonly changes: Changes | null;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
};

export type RawLine = {
  readonly type: TypeId;
  /** Index of the item; null: the type itself. */
  readonly item: number | null;
  readonly text: string;
  /** Offset of the name on this line, or 0. */
  readonly nameOff: number;
};

/** Returns all lines of `bpftool btf dump format raw`. Visible text. */
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

/** Returns the last change of a line; null: none. */
export function changeOfLine({ type, item }: RawLine, changes: Changes | null): Change | null {
  if (changes === null) return null;
  return item === null ? (changes.types.get(type) ?? null) : changeOfItem(changes, type, item);
}

/** Returns the index of the line of a type or item, or -1. */
export function lineIndexOf(lines: readonly RawLine[], type: number, item: number | null): number {
  return lines.findIndex((line) => line.type === type && line.item === item);
}

const HEAD = /^(\[\d+\]) ([A-Z_\d]+) (.*)$/s;

/** Cuts the line of a type into id, kind and rest; null for an item. */
export function headParts({
  text,
  item,
}: RawLine): { readonly id: string; readonly kind: string; readonly rest: string } | null {
  const [, id, kind, rest] = item === null ? (HEAD.exec(text) ?? []) : [];
  return id === undefined || kind === undefined || rest === undefined ? null : { id, kind, rest };
}
