/**
 * Finds the members that cover a byte of a struct: the path through structs and
 * unions held by value, by the layout that the Types view draws.
 */
import { sizeOf } from '#analysis/types/sizes.ts';
import { type LayoutRow, structLayout } from '#analysis/types/struct-layout.ts';
import { append } from '#bytes/arrays.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { elementOf } from './make-hit.ts';

export type Covering = {
  readonly kind: 'member' | 'hole' | 'padding';
  /** Member indices from the root; of a hole those of its struct. */
  readonly path: readonly number[];
  /** Bits from the start of the root to the member or hole. */
  readonly bitOffset: number;
  readonly bitSize: number;
};

/** Members of all unions on the path. */
const MAX_FOUND = 64;
const MAX_DEPTH = 64;
/** Nesting of structs: a hostile struct can contain itself. */
const MAX_VISITED = 2_000;

type Level = {
  readonly type: TypeId;
  readonly path: readonly number[];
  /** Bits from the root to the start of this struct. */
  readonly start: number;
};

/**
 * The innermost members of the STRUCT or UNION `root` that hold any bit of the
 * byte, and the holes that do, by offset and then in the order of declaration.
 */
export function membersAt(types: TypeTable, root: TypeId, byteOffset: number): Covering[] {
  const first = byteOffset * 8;
  const found: Covering[] = [];
  const layouts = new Map<TypeId, readonly LayoutRow[]>();
  const rowsOf = (id: TypeId) => {
    const known = layouts.get(id) ?? structLayout(types, id).rows;
    layouts.set(id, known);
    return known;
  };
  const stack: Level[] = [{ type: root, path: [], start: 0 }];
  for (let visited = 0; visited < MAX_VISITED && found.length < MAX_FOUND; visited++) {
    const level = stack.pop();
    if (level === undefined) break;
    const deeper: Level[] = [];
    for (const row of rowsOf(level.type)) {
      const at = level.start + row.bitOffset;
      if (at >= first + 8 || at + row.bitSize <= first) continue;
      const path = row.kind === 'member' ? [...level.path, row.index] : level.path;
      const inner = path.length < MAX_DEPTH ? innerLevel(types, row, at, first, path) : null;
      if (inner === null) found.push({ kind: row.kind, path, bitOffset: at, bitSize: row.bitSize });
      else deeper.push(inner);
    }
    append(stack, deeper.reverse().slice(0, MAX_FOUND));
  }
  return found
    .sort((a, b) => a.bitOffset - b.bitOffset || comparePaths(a.path, b.path))
    .slice(0, MAX_FOUND);
}

/** Returns the struct or union that the member or array element holds at an offset. */
function innerLevel(
  types: TypeTable,
  row: LayoutRow,
  at: number,
  first: number,
  path: readonly number[],
): Level | null {
  if (row.kind !== 'member' || row.isBitfield) return null;
  const { type, isArray } = elementOf(types, row.type);
  if (!isComposite(kindOf(types, type))) return null;
  if (!isArray) return { type, path, start: at };
  const size = 8 * Number(sizeOf(types, skipModifiers(types, type)) ?? 0n);
  if (size === 0) return null;
  return { type, path, start: at + Math.floor(Math.max(0, first - at) / size) * size };
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
