/**
 * Rows of the structure tree. A row is made only when it is drawn, so that 130,000 types cost
 * nothing before the tree is scrolled.
 *
 * A path has the index of each part, from the file down. The path of the file is [].
 */
import type { FieldList, StructureField } from '#analysis/fields/field.ts';
import { childrenOf } from '#analysis/structure/structure.ts';
import { rowAfterKey } from '#ui/list-keys.ts';

export type TreePath = readonly number[];

/** Open fields. The key is the index of a part in its parent, the value the part's open parts. */
export type OpenParts = ReadonlyMap<number, OpenParts>;

export const NOTHING_OPEN: OpenParts = new Map();

/** Open field with those of its parts that are open. */
type Branch = {
  readonly list: FieldList;
  readonly open: readonly { readonly index: number; readonly branch: Branch }[];
  /** Number of rows under the field. */
  readonly rows: number;
};

export type Outline = { readonly root: StructureField; readonly branch: Branch };

export type TreeRow = {
  readonly field: StructureField;
  readonly path: TreePath;
  readonly isOpen: boolean;
  readonly hasParts: boolean;
  /** Number of parts that the parent of the field has. */
  readonly siblings: number;
};

/** Returns the tree in which the file and the fields of `open` are open. */
export function outlineOf(root: StructureField, open: OpenParts): Outline {
  return { root, branch: branchOf(root, open) };
}

function branchOf(field: StructureField, open: OpenParts): Branch {
  const list = childrenOf(field);
  const branches: { readonly index: number; readonly branch: Branch }[] = [];
  let rows = list.count;
  for (const [index, below] of [...open].sort(([a], [b]) => a - b)) {
    const part = list.at(index);
    if (part === null || part.parts === null) continue;
    const branch = branchOf(part, below);
    branches.push({ index, branch });
    rows += branch.rows;
  }
  return { list, open: branches, rows };
}

/** Returns the number of rows, including the row of the file. */
export function rowCount({ branch }: Outline): number {
  return 1 + branch.rows;
}

/** Returns the row with this index; null if the index is too large or negative. */
export function rowAt({ root, branch }: Outline, row: number): TreeRow | null {
  if (row === 0) return { field: root, path: [], isOpen: true, hasParts: true, siblings: 1 };
  if (row < 0 || row > branch.rows) return null;
  const path: number[] = [];
  let at = branch;
  let left = row - 1;
  for (;;) {
    const { index, inside } = stepInto(at, left);
    path.push(index);
    if (inside === null) return rowOf(at, index, path);
    at = inside.branch;
    left = inside.row;
  }
}

/** Returns the part that contains row `row` of `branch`, and where in that part the row is. */
function stepInto(
  { open }: Branch,
  row: number,
): {
  readonly index: number;
  readonly inside: { readonly branch: Branch; readonly row: number } | null;
} {
  let before = 0;
  for (const { index, branch } of open) {
    const openRow = index + before;
    if (row <= openRow) break;
    if (row <= openRow + branch.rows) return { index, inside: { branch, row: row - openRow - 1 } };
    before += branch.rows;
  }
  return { index: row - before, inside: null };
}

function rowOf({ list, open }: Branch, index: number, path: TreePath): TreeRow | null {
  const field = list.at(index);
  if (field === null) return null;
  return {
    field,
    path: [...path],
    isOpen: open.some((each) => each.index === index),
    hasParts: field.parts !== null,
    siblings: list.count,
  };
}

/** Returns the row of the part at `path`. For a part in a closed field, returns the field's row. */
export function rowOfPath({ branch }: Outline, path: TreePath): number {
  let row = 0;
  let at = branch;
  for (const part of path) {
    let before = 0;
    let inside: Branch | null = null;
    for (const { index, branch: below } of at.open) {
      if (index > part) break;
      if (index === part) inside = below;
      else before += below.rows;
    }
    row += 1 + part + before;
    if (inside === null) return row;
    at = inside;
  }
  return row;
}

/** Returns the path of the innermost field that contains the byte. */
export function pathOfByte(root: StructureField, fileOffset: number): TreePath {
  const path: number[] = [];
  let at: StructureField | null = root;
  // Maximum depth: real files are not nested deeper, malicious files can be.
  while (at !== null && path.length < 64) {
    const list: FieldList = childrenOf(at);
    const index = list.indexAt(fileOffset);
    if (index < 0) break;
    path.push(index);
    at = list.at(index);
  }
  return path;
}

/** Returns the field at `path`; null if there is none. */
export function fieldAtPath(root: StructureField, path: TreePath): StructureField | null {
  let at: StructureField | null = root;
  for (const index of path) at = at === null ? null : childrenOf(at).at(index);
  return at;
}

/** Returns `open` with the part at `path` open or closed. All fields above the part are open. */
export function withOpen(open: OpenParts, path: TreePath, isOpen: boolean): OpenParts {
  const [first, ...rest] = path;
  if (first === undefined) return open;
  const next = new Map(open);
  if (rest.length === 0 && !isOpen) next.delete(first);
  else next.set(first, withOpen(open.get(first) ?? NOTHING_OPEN, rest, isOpen));
  return next;
}

/** What a key does in a tree. */
type TreeMove =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'parent' }
  | { readonly kind: 'open' | 'close' };

export type TreePlace = {
  readonly row: number;
  readonly rowCount: number;
  readonly pageRows: number;
  readonly isOpen: boolean;
  readonly hasParts: boolean;
};

/** Returns what a key does: right opens or enters, left closes or leaves. Null for other keys. */
export function treeMove(key: string, place: TreePlace): TreeMove | null {
  const { row, rowCount, pageRows, isOpen, hasParts } = place;
  if (key === 'ArrowRight') {
    if (!hasParts) return null;
    return isOpen ? { kind: 'row', row: Math.min(row + 1, rowCount - 1) } : { kind: 'open' };
  }
  if (key === 'ArrowLeft') return isOpen && row > 0 ? { kind: 'close' } : { kind: 'parent' };
  const next = rowAfterKey(key, row, rowCount, pageRows);
  return next === null ? null : { kind: 'row', row: next };
}
