/**
 * Rows of an expandable value. A value is decoded when its row is drawn. A million elements are a
 * few hundred ranges until a range is opened.
 */
import { partAt, type Value } from '#analysis/values/decode.ts';

/** Maximum number of elements, or of ranges, in an opened array or range. */
const PAGE = 256;
/** Maximum number of rows: in a malicious file, each of 65,535 members can have as many members. */
const MAX_ROWS = 100_000;

export type ValueRow = {
  /** Indexes and ranges from the root to the part: `3/256-512/300`. Empty for the root. */
  readonly key: string;
  readonly depth: number;
  /** Value that contains the part; null for the root, which is a row only if it has no parts. */
  readonly parent: Value | null;
  /** Index of the part, or of the first part of a range. */
  readonly index: number;
  /** Index after the last part of a range; null if the row is a single part. */
  readonly rangeEnd: number | null;
  readonly isOpen: boolean;
};

type Level = {
  readonly parent: Value;
  readonly end: number;
  readonly step: number;
  readonly prefix: string;
  readonly depth: number;
  next: number;
};

/** Returns the visible rows if the rows with the keys `open` are open. */
export function valueRows(root: Value, open: ReadonlySet<string>): ValueRow[] {
  if (root.partCount === 0) {
    return [{ key: '', depth: 0, parent: null, index: 0, rangeEnd: null, isOpen: false }];
  }
  const rows: ValueRow[] = [];
  const stack: Level[] = [levelOf(root, 0, root.partCount, '', 0)];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    if (level.next >= level.end || rows.length >= MAX_ROWS) {
      stack.pop();
      continue;
    }
    const { parent, depth, step, next: index } = level;
    const rangeEnd = step === 1 ? null : Math.min(level.end, index + step);
    level.next = rangeEnd ?? index + 1;
    const key = keyOf(level.prefix, index, rangeEnd);
    const isOpen = open.has(key);
    rows.push({ key, depth, parent, index, rangeEnd, isOpen });
    if (!isOpen) continue;
    if (rangeEnd !== null) stack.push(levelOf(parent, index, rangeEnd, key, depth + 1));
    else {
      const part = partAt(parent, index);
      if (part !== null) stack.push(levelOf(part, 0, part.partCount, key, depth + 1));
    }
  }
  return rows;
}

function keyOf(prefix: string, index: number, rangeEnd: number | null): string {
  const part = rangeEnd === null ? `${index}` : `${index}-${rangeEnd}`;
  return prefix === '' ? part : `${prefix}/${part}`;
}

function levelOf(parent: Value, start: number, end: number, prefix: string, depth: number): Level {
  return { parent, end, step: stepOf(parent, end - start), prefix, depth, next: start };
}

/** Returns the number of elements per range, so that at most 256 ranges are needed. */
function stepOf({ content }: Value, count: number): number {
  if (content.kind !== 'array' && content.kind !== 'string') return 1;
  let step = 1;
  while (count > step * PAGE) step *= PAGE;
  return step;
}

/** Returns the value of a row; null for a range. */
export function valueOfRow(root: Value, row: ValueRow): Value | null {
  if (row.rangeEnd !== null) return null;
  return row.parent === null ? root : partAt(row.parent, row.index);
}

/** Returns true if the row can be opened. */
export function isFolder(root: Value, row: ValueRow): boolean {
  return (
    row.rangeEnd !== null || (row.parent !== null && (valueOfRow(root, row)?.partCount ?? 0) > 0)
  );
}

/** Limits for the parts that are open initially: number of rows in total, and under one part. */
const FIRST_ROWS = 40;
const FIRST_PARTS = 16;

/** Returns the keys of the parts that are open initially: those nearest to the root. */
export function firstOpen(root: Value): Set<string> {
  const open = new Set<string>();
  let left = FIRST_ROWS - root.partCount;
  const queue: { readonly value: Value; readonly key: string }[] = [{ value: root, key: '' }];
  for (const { value, key } of queue) {
    if (left <= 0 || stepOf(value, value.partCount) > 1) break;
    for (let i = 0; i < value.partCount && left > 0; i++) {
      const part = partAt(value, i);
      if (part === null || part.partCount === 0 || part.content.kind === 'string') continue;
      if (part.partCount > Math.min(left, FIRST_PARTS)) continue;
      left -= part.partCount;
      const at = keyOf(key, i, null);
      open.add(at);
      queue.push({ value: part, key: at });
    }
  }
  return open;
}

/** Maximum depth: types from compilers are not nested deeper, malicious types can be. */
const MAX_DEPTH = 64;

/** Returns the bytes that contain the value, as offsets from the start of the root. */
export function bytesOfValue({ bitOffset, bitSize }: Value) {
  return { start: Math.floor(bitOffset / 8), end: Math.ceil((bitOffset + bitSize) / 8) };
}

/** Returns the keys of the rows that lead to the part with these bytes; empty for the root. */
export function pathToBytes(root: Value, start: number, end: number): string[] {
  const path: string[] = [];
  let at = root;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const bytes = bytesOfValue(at);
    if (bytes.start === start && bytes.end === end) break;
    const index = partHolding(at, start, end);
    const part = index === null ? null : partAt(at, index);
    if (index === null || part === null) break;
    pushKeys(path, at, index);
    at = part;
  }
  return path;
}

/** Adds the keys of the ranges that contain `index` to `path`, then the key of the part. */
function pushKeys(path: string[], parent: Value, index: number): void {
  let prefix = path.at(-1) ?? '';
  let [first, end] = [0, parent.partCount];
  for (let step = stepOf(parent, end); step > 1; step = stepOf(parent, end - first)) {
    first += step * Math.floor((index - first) / step);
    end = Math.min(end, first + step);
    prefix = keyOf(prefix, first, end);
    path.push(prefix);
  }
  path.push(keyOf(prefix, index, null));
}

function partHolding(value: Value, start: number, end: number): number | null {
  const holds = (index: number) => {
    const part = partAt(value, index);
    if (part === null || part.bitSize === 0) return false;
    const bytes = bytesOfValue(part);
    return bytes.start <= start && end <= bytes.end;
  };
  const { kind } = value.content;
  if (kind === 'array' || kind === 'string') {
    const first = partAt(value, 0);
    if (first === null || first.bitSize === 0) return null;
    const index = Math.floor((8 * start - value.bitOffset) / first.bitSize);
    return holds(index) ? index : null;
  }
  for (let index = 0; index < value.partCount; index++) if (holds(index)) return index;
  return null;
}

/** Returns the path to a row, as `.a[3].b`. Names are not escaped. */
export function pathOfRow(root: Value, key: string): string {
  let text = '';
  let at: Value | null = root;
  for (const step of key === '' ? [] : key.split('/')) {
    if (step.includes('-') || at === null) continue;
    const isElement: boolean = at.content.kind === 'array' || at.content.kind === 'string';
    at = partAt(at, Number(step));
    if (isElement) text += `[${step}]`;
    else text += `.${at?.name || '(anon)'}`;
  }
  return text;
}
