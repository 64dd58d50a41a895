/** The members of a struct or union as rows of a tree in which members can be unfolded. */
import { type LayoutRow, type MemberRange, structLayout } from '#analysis/types/struct-layout.ts';
import { MAX_ITEMS } from '#analysis/types/wide-types.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberCount, membersFrom } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';

/** A layout row; its `bitOffset` counts from the start of the outermost struct. */
export type MemberRow = LayoutRow & {
  readonly depth: number;
  /** Member indices from the outermost struct; for a hole or padding, those of its struct. */
  readonly path: readonly number[];
  /** Struct or union that the member contains by value, if it has members; else null. */
  readonly inner: TypeId | null;
  readonly isUnfolded: boolean;
};

/** Returns the key of a member path in a set of unfolded members. */
export function pathKey(path: readonly number[]): string {
  return path.join('/');
}

/** Returns the keys of the members that must be unfolded to show the member at `path`. */
export function keysAbove(path: readonly number[]): string[] {
  return path.slice(1).map((_, i) => pathKey(path.slice(0, i + 1)));
}

/** Returns the struct or union behind the typedefs and modifiers of `id`; null for other types. */
export function compositeOf(types: TypeTable, id: TypeId): TypeId | null {
  const at = skipModifiers(types, id);
  return isComposite(kindOf(types, at)) ? at : null;
}

/** Maximum number of rows of a tree: nesting may double the rows at each level, or never end. */
const MAX_ROWS = 1 << 14;
/** Maximum depth: a damaged type may contain itself; kernel structs are less than half as deep. */
const MAX_DEPTH = 64;

type Level = {
  readonly rows: readonly LayoutRow[];
  next: number;
  readonly bitOffset: number;
  readonly path: readonly number[];
};

/** Returns the rows for the members of `id` in `page`, and the first page of unfolded members. */
export function memberRows(
  types: TypeTable,
  id: TypeId,
  unfolded: ReadonlySet<string>,
  page: MemberRange = FIRST_PAGE,
): MemberRow[] {
  const visible: MemberRow[] = [];
  let unfoldedRows = 0;
  const { rows } = structLayout(types, id, page);
  const stack: Level[] = [{ rows, next: 0, bitOffset: 0, path: [] }];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const row = level.rows[level.next++];
    if (row === undefined) {
      stack.pop();
      continue;
    }
    const isMember = row.kind === 'member';
    const path = isMember ? [...level.path, row.index] : level.path;
    const inner = isMember ? innerOf(types, row.type) : null;
    const mayUnfold =
      inner !== null &&
      path.length <= MAX_DEPTH &&
      unfoldedRows + Math.min(memberCount(types, inner), FIRST_PAGE.end) <= MAX_ROWS;
    const isUnfolded = mayUnfold && unfolded.has(pathKey(path));
    const bitOffset = level.bitOffset + row.bitOffset;
    visible.push(
      new RowInTree(row, { bitOffset, depth: level.path.length, path, inner, isUnfolded }),
    );
    if (isUnfolded) {
      const inside = structLayout(types, inner, FIRST_PAGE).rows;
      unfoldedRows += inside.length;
      stack.push({ rows: inside, next: 0, bitOffset, path });
    }
  }
  return visible;
}

type Place = Pick<MemberRow, 'bitOffset' | 'depth' | 'path' | 'inner' | 'isUnfolded'>;

/** A row of the tree. Its name is read on access, so that a copy by `...` has no name. */
class RowInTree implements MemberRow {
  readonly kind: LayoutRow['kind'];
  readonly index: number;
  readonly type: TypeId;
  readonly bitOffset: number;
  readonly bitSize: number;
  readonly isSizeUnknown: boolean;
  readonly isBase: boolean;
  readonly isBitfield: boolean;
  readonly overlaps: boolean;
  readonly pastEnd: boolean;
  readonly depth: number;
  readonly path: readonly number[];
  readonly inner: TypeId | null;
  readonly isUnfolded: boolean;
  readonly #row: LayoutRow;

  constructor(row: LayoutRow, { bitOffset, depth, path, inner, isUnfolded }: Place) {
    this.#row = row;
    this.kind = row.kind;
    this.index = row.index;
    this.type = row.type;
    this.bitOffset = bitOffset;
    this.bitSize = row.bitSize;
    this.isSizeUnknown = row.isSizeUnknown;
    this.isBase = row.isBase;
    this.isBitfield = row.isBitfield;
    this.overlaps = row.overlaps;
    this.pastEnd = row.pastEnd;
    this.depth = depth;
    this.path = path;
    this.inner = inner;
    this.isUnfolded = isUnfolded;
  }

  get name(): string {
    return this.#row.name;
  }
}

function innerOf(types: TypeTable, type: TypeId): TypeId | null {
  const inner = compositeOf(types, type);
  return inner !== null && memberCount(types, inner) > 0 ? inner : null;
}

/** Returns the visible row of the member at `path`, or null. */
export function rowOfPath(rows: readonly MemberRow[], path: readonly number[]): number | null {
  if (path.length === 0) return null;
  const key = pathKey(path);
  const index = rows.findIndex(
    (row) => row.kind === 'member' && row.path.length === path.length && pathKey(row.path) === key,
  );
  return index < 0 ? null : index;
}

/** Returns the row to select after a move to `index`: for a hole, a member near it, or null. */
export function memberNear(
  rows: readonly MemberRow[],
  index: number,
  from: number | null,
): number | null {
  const step = from !== null && index === from + 1 ? 1 : -1;
  for (let i = index; i >= 0 && i < rows.length; i += step) {
    if (rows[i]?.kind === 'member') return i;
  }
  return null;
}

/** Maximum number of members that one action unfolds, and that it visits. */
const MAX_UNFOLDED = 2000;
const MAX_LOOKS = MAX_ROWS;

/** Returns the keys of at most 2,000 members to unfold: all members, or only anonymous ones. */
export function keysToUnfold(types: TypeTable, id: TypeId, which: 'unnamed' | 'all'): Set<string> {
  const keys = new Set<string>();
  let looks = 0;
  let level: { readonly type: TypeId; readonly path: readonly number[] }[] = [
    { type: id, path: [] },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { type, path } of level) {
      for (const member of membersFrom(types, type)) {
        if (member.index >= FIRST_PAGE.end) break;
        if (++looks > MAX_LOOKS) return keys;
        if (which === 'unnamed' && member.nameOff !== 0) continue;
        const inner = innerOf(types, member.type);
        if (inner === null || path.length >= MAX_DEPTH) continue;
        if (keys.size >= MAX_UNFOLDED) return keys;
        const innerPath = [...path, member.index];
        keys.add(pathKey(innerPath));
        next.push({ type: inner, path: innerPath });
      }
    }
    level = next;
  }
  return keys;
}

/** First page of a wide struct: in the BTF of 2026, a struct may have 16 million members. */
export const FIRST_PAGE: MemberRange = { first: 0, end: MAX_ITEMS };

export type MemberPage = MemberRange & {
  /** Number of the page, counted from 0. */
  readonly number: number;
  /** Number of pages of the struct, at least 1. */
  readonly pages: number;
  /** Number of members of the struct. */
  readonly total: number;
};

/** Returns page `number` of the members of a STRUCT or UNION, or else the nearest page. */
export function memberPage(types: TypeTable, composite: TypeId, number: number): MemberPage {
  const total = memberCount(types, composite);
  const pages = Math.max(1, Math.ceil(total / MAX_ITEMS));
  const at = Math.min(Math.max(0, number), pages - 1);
  const first = at * MAX_ITEMS;
  return { first, end: Math.min(first + MAX_ITEMS, total), number: at, pages, total };
}

/** Returns the number of the page with the member at `path`; 0 for an empty path. */
export function pageOfPath(path: readonly number[]): number {
  return Math.floor((path[0] ?? 0) / MAX_ITEMS);
}
