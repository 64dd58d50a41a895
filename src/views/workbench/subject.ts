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

/** A type, and the number of the item in it that is meant; null = the type as a whole. */
export type Lit = { readonly type: TypeId; readonly item: number | null };

/** What the selection lights among the records; null for nothing, and for strings. */
export function litBySelection(model: ObjectModel, selection: Selection): Lit | null {
  const type = selectionType(model, selection);
  if (type === null || type < 1) return null;
  if (selection.kind === 'type') return { type, item: selection.memberPath[0] ?? null };
  return selection.kind === 'bytes' && model.types !== null
    ? { type, item: itemAtByte(model.types, type, selection.start) }
    : { type, item: null };
}

/** Only members: what else follows a record can be lit as a part of it, but not selected. */
function itemAtByte(types: TypeTable, type: TypeId, fileOffset: number): number | null {
  const span = recordSpan(types, type);
  const count = memberCount(types, type);
  if (span === null || count === 0) return null;
  const item = Math.floor((fileOffset - span.start - BTF_TYPE_SIZE) / 12);
  return item >= 0 && item < count ? item : null;
}

/** The selection that a record or an item of it stands for: a member, or else the type. */
export function selectionOfLine(types: TypeTable, { type, item }: Lit): Selection {
  return typeSelection(type, item !== null && isComposite(kindOf(types, type)) ? [item] : []);
}

/** Bytes of the file that are lit; null = none. */
export function bytesOfLit(model: ObjectModel, { type, item }: Lit): Span | null {
  return selectionSpan(model, typeSelection(type, item === null ? [] : [item]));
}

/** The struct or union to be drawn: the selected one, the one that something selected stands for, else the first. */
export function shownComposite(types: TypeTable, lit: Lit | null): TypeId | null {
  const selected = lit === null ? null : compositeOf(types, lit.type);
  if (selected !== null) return selected;
  for (let id = types.firstId; id <= lastId(types); id++) {
    if (isComposite(kindOf(types, typeId(id)))) return typeId(id);
  }
  return null;
}

/** What the pointer is at: a record or a part of it, or a string by its `name_off`. */
export type Pointed =
  | { readonly kind: 'record'; readonly type: TypeId; readonly item: number | null }
  | { readonly kind: 'string'; readonly offset: number };

/** The same thing? */
export function samePointed(a: Pointed | null, b: Pointed | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'string') return b.kind === 'string' && a.offset === b.offset;
  return b.kind === 'record' && a.type === b.type && a.item === b.item;
}

/** What a byte of the file is part of: a record, an item of it, or a string; null in the header. */
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
  /** What to mark; null once the marks have faded. */
  readonly changes: Changes | null;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
};

export type RawLine = {
  readonly type: TypeId;
  /** Number of the item; null for the line of the type itself. */
  readonly item: number | null;
  readonly text: string;
  /** Of the name on this line; 0 where it has none. */
  readonly nameOff: number;
};

/** All lines, names made visible. */
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

/** What became of the line with the last change; null = nothing. */
export function changeOfLine({ type, item }: RawLine, changes: Changes | null): Change | null {
  if (changes === null) return null;
  return item === null ? (changes.types.get(type) ?? null) : changeOfItem(changes, type, item);
}

/** The line of a type, or of its item; -1 where there is none. */
export function lineIndexOf(lines: readonly RawLine[], type: number, item: number | null): number {
  return lines.findIndex((line) => line.type === type && line.item === item);
}

const HEAD = /^(\[\d+\]) ([A-Z_\d]+) (.*)$/s;

/** The line of a type cut in id, kind and the rest; null for that of an item. */
export function headParts({
  text,
  item,
}: RawLine): { readonly id: string; readonly kind: string; readonly rest: string } | null {
  const [, id, kind, rest] = item === null ? (HEAD.exec(text) ?? []) : [];
  return id === undefined || kind === undefined || rest === undefined ? null : { id, kind, rest };
}
