/** The types as `bpftool btf dump format raw` prints them, a line each and a line for each item. */
import {
  type Change,
  type Changes,
  changeOfItem,
  recordItems,
} from '#analysis/workbench/changes.ts';
import { drawnName } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameOffOf, type TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-dump.ts';

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
