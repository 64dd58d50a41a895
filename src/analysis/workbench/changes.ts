/**
 * Compares two states of the workbench's BTF. Ids and string offsets shift with every inserted
 * line, so types match by kind and name (unnamed types by their C text), items by name.
 */
import { typeExpression, typeTitle } from '#analysis/types/type-name.ts';
import type { Span } from '#bytes/span.ts';
import { decodeText, stringEnd } from '#bytes/text.ts';
import { BTF_TYPE_SIZE, BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { enumeratorsOf, membersOf, paramsOf, varSecinfosOf } from '#model/type-items.ts';
import {
  intData,
  kindFlagOf,
  kindOf,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';

export type Change = 'new' | 'changed';

export type Changes = {
  /** Changes of records by type id; unchanged records are absent. */
  readonly types: ReadonlyMap<number, Change>;
  /** Changes of items by `itemKey`. */
  readonly items: ReadonlyMap<string, Change>;
  /** `name_off` of each new string. */
  readonly strings: ReadonlySet<number>;
  /** Changed ranges of the blob in ascending order. Adjacent ranges are merged. */
  readonly bytes: readonly Span[];
  /** Names of removed types, not escaped. */
  readonly goneTypes: readonly string[];
};

/** Returns the key of a type's item in `Changes.items`. */
function itemKey(type: number, index: number): string {
  return `${type}.${index}`;
}

/** Returns the change of item `index` of a type, or null. All items of a new type are new. */
export function changeOfItem(
  { types, items }: Changes,
  type: number,
  index: number,
): Change | null {
  return types.get(type) === 'new' ? 'new' : (items.get(itemKey(type, index)) ?? null);
}

export function isUnchanged({ types, strings, bytes, goneTypes }: Changes): boolean {
  return types.size + strings.size + bytes.length + goneTypes.length === 0;
}

/** Returns the changes from one blob to another. Both must be without a base. */
export function changesBetween(before: TypeTable, after: TypeTable): Changes {
  const bytes = new ByteChanges(before.blob, after.blob);
  const left = recordsOf(before);
  const types = new Map<number, Change>();
  const items = new Map<string, Change>();
  bytes.compare(0, before.recordOff[0] ?? before.strStart, 0, after.recordOff[0] ?? after.strStart);
  for (const [key, record] of recordsOf(after)) {
    const known = left.get(key);
    left.delete(key);
    if (known === undefined) {
      types.set(record.id, 'new');
      bytes.add(record.start, record.end);
    } else if (compareRecords(known, record, items, bytes)) {
      types.set(record.id, 'changed');
    }
  }
  const known = new Set(storedStrings(before).map(({ text }) => text));
  const fresh = storedStrings(after).filter(({ text }) => !known.has(text));
  for (const { start, end } of fresh) bytes.add(start, end);
  return {
    types,
    items,
    strings: new Set(fresh.map(({ offset }) => offset)),
    bytes: bytes.spans(),
    goneTypes: [...left.values()].map(({ title }) => title),
  };
}

type RecordOf = {
  readonly table: TypeTable;
  readonly id: number;
  readonly title: string;
  /** Range of the record in the blob, in bytes. */
  readonly start: number;
  readonly end: number;
};

/** Returns the types of a blob by a key that is the same in both blobs: it contains no ids. */
function recordsOf(t: TypeTable): Map<string, RecordOf> {
  const records = new Map<string, RecordOf>();
  const counts = new Map<string, number>();
  for (let i = 0; i < t.count; i++) {
    const id = typeId(t.firstId + i);
    const title = typeTitle(t, id);
    const name = `${kindOf(t, id)} ${title}`;
    const ordinal = counts.get(name) ?? 0;
    counts.set(name, ordinal + 1);
    const start = t.recordOff[i] ?? 0;
    records.set(`${ordinal} ${name}`, {
      table: t,
      id,
      title,
      start,
      end: t.recordOff[i + 1] ?? start,
    });
  }
  return records;
}

/** Records the changed bytes of a record. Returns true if the meaning of the record changed. */
function compareRecords(
  before: RecordOf,
  after: RecordOf,
  items: Map<string, Change>,
  bytes: ByteChanges,
): boolean {
  const old = itemsOf(before);
  const now = itemsOf(after);
  const byKey = new Map(old.list.map((item, i) => [item.key, i]));
  let isChanged = headOf(before) !== headOf(after) || old.list.length !== now.list.length;
  const firstOld = before.end - old.size * old.list.length;
  const firstNow = after.end - now.size * now.list.length;
  bytes.compare(before.start, firstOld, after.start, firstNow);
  now.list.forEach((item, i) => {
    const at = firstNow + i * now.size;
    const k = byKey.get(item.key);
    if (k === undefined) {
      items.set(itemKey(after.id, i), 'new');
      bytes.add(at, at + now.size);
      isChanged = true;
      return;
    }
    const from = firstOld + k * old.size;
    bytes.compare(from, from + old.size, at, at + now.size);
    if (old.list[k]?.meaning === item.meaning) return;
    items.set(itemKey(after.id, i), 'changed');
    isChanged = true;
  });
  return isChanged;
}

/** Returns the items of a record, and the size of each item in bytes. */
function itemsOf({ table, id, start, end }: RecordOf): {
  readonly list: readonly RecordItem[];
  readonly size: number;
} {
  const list = recordItems(table, typeId(id));
  return { list, size: list.length === 0 ? 0 : (end - start - BTF_TYPE_SIZE) / list.length };
}

/** Returns a text of the record's properties other than name, kind and items. */
function headOf({ table, id }: RecordOf): string {
  const type = typeId(id);
  const { encoding, bits } = intData(table, type);
  const target = refOf(table, type);
  const sizeOrTarget = target === null ? sizeOrTypeOf(table, type) : typeTitle(table, target);
  const flags = [kindFlagOf(table, type), vlenOf(table, type), varLinkage(table, type)];
  return [sizeOrTarget, ...flags, encoding, bits].join(' ');
}

class ByteChanges {
  readonly #before: Uint8Array;
  readonly #after: Uint8Array;
  readonly #changed: Span[] = [];

  constructor(before: Uint8Array, after: Uint8Array) {
    this.#before = before;
    this.#after = after;
  }

  /** Marks all bytes of a range as changed. */
  add(start: number, end: number): void {
    if (start < end) this.#changed.push({ start, end });
  }

  /** Marks the bytes of the new range that differ from the old range. */
  compare(oldStart: number, oldEnd: number, start: number, end: number): void {
    for (let i = 0; start + i < end; i++) {
      const isSame = oldStart + i < oldEnd && this.#before[oldStart + i] === this.#after[start + i];
      if (!isSame) this.add(start + i, start + i + 1);
    }
  }

  spans(): Span[] {
    const joined: { start: number; end: number }[] = [];
    for (const { start, end } of this.#changed.toSorted((a, b) => a.start - b.start)) {
      const last = joined.at(-1);
      if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
      else joined.push({ start, end });
    }
    return joined;
  }
}

type RecordItem = {
  /** Name of a member, enumerator or variable, or its index if unnamed. Not escaped. */
  readonly key: string;
  /** `name_off` of the item. DATASEC items have no name, so it is 0. */
  readonly nameOff: number;
  /** Text that is equal for items with the same meaning, even in two different blobs. */
  readonly meaning: string;
};

/** Returns the members, enumerators, parameters or variables; empty for other kinds. */
export function recordItems(t: TypeTable, id: TypeId): RecordItem[] {
  switch (kindOf(t, id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return membersOf(t, id).map((member) => ({
        key: member.name || `~${member.index}`,
        nameOff: member.nameOff,
        meaning: `${typeExpression(t, member.type)}@${member.bitOffset}:${member.bitfieldSize}`,
      }));
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return enumeratorsOf(t, id).map(({ name, nameOff, value }) => ({
        key: name,
        nameOff,
        meaning: `${value}`,
      }));
    case BtfKind.FUNC_PROTO:
      return paramsOf(t, id).map(({ index, name, nameOff, type }) => ({
        key: `~${index}`,
        nameOff,
        meaning: `${typeExpression(t, type)} ${name}`,
      }));
    case BtfKind.DATASEC:
      return varSecinfosOf(t, id).map(({ type, offset, size }) => ({
        key: typeExpression(t, type),
        nameOff: 0,
        meaning: `${offset}+${size}`,
      }));
    default:
      return [];
  }
}

export type StoredString = {
  /** Offset of the string as in `name_off`. */
  readonly offset: number;
  /** Text of the string, not escaped. */
  readonly text: string;
  /** Range in the blob, in bytes, including the NUL. */
  readonly start: number;
  readonly end: number;
};

/** Returns all strings. The first is the empty string at offset 0. */
export function storedStrings({ blob, strStart, strEnd, strBase }: TypeTable): StoredString[] {
  const strings: StoredString[] = [];
  for (let start = strStart; start < strEnd; ) {
    const nul = Math.min(stringEnd(blob, start), strEnd);
    const end = Math.min(nul + 1, strEnd);
    const text = decodeText(blob.subarray(start, nul));
    strings.push({ offset: start - strStart + strBase, text, start, end });
    start = end;
  }
  return strings;
}
