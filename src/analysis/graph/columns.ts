/** Columns of the graph. A column is a stack of shelves; a shelf has boxes side by side. */
import { append } from '#bytes/arrays.ts';
import type { TypeId } from '#model/ids.ts';
import { BOX_WIDTH, channelFor, SUB_GAP, shelfGap, subsFor } from './measures.ts';

export type Box = {
  readonly type: TypeId;
  /** Number of the box's column: 0 for the root, negative for referrers. */
  readonly column: number;
  /** Index of the box in its shelf, counted from the root's side. */
  readonly sub: number;
  readonly shelf: Shelf;
  readonly x: number;
  /** Maximum number of rows of the box. */
  limit: number;
  height: number;
};

export type Shelf = { y: number; height: number; boxes: Box[] };

export type Column = {
  /** x of the column's side that faces the root. */
  readonly near: number;
  readonly number: number;
  subs: number;
  /** Shelves of the column from top to bottom, with gaps between them. */
  readonly shelves: Shelf[];
};

export type NewBox = Pick<Box, 'type' | 'limit' | 'height'>;

/** Returns the x of the left and the right edge of a column, in pixels. */
export function columnSides(column: Column): { readonly left: number; readonly right: number } {
  const width = column.subs * BOX_WIDTH + (column.subs - 1) * SUB_GAP;
  return column.number < 0
    ? { left: column.near - width, right: column.near }
    : { left: column.near, right: column.near + width };
}

export class Columns {
  readonly #columns = new Map<number, Column>();

  get(number: number): Column | null {
    return this.#columns.get(number) ?? null;
  }

  /** Returns the columns from left to right. */
  all(): Column[] {
    return [...this.#columns.values()].sort((a, b) => a.number - b.number);
  }

  /** Places new boxes as one block in a column, near `y`. The next column inwards must exist. */
  place(number: number, boxes: readonly NewBox[], y: number): Box[] {
    if (boxes.length === 0) return [];
    const column = this.#columns.get(number) ?? this.#begin(number, boxes.length);
    const total = boxes.reduce((sum, box) => sum + box.height, 0);
    // Only the outermost column can become wider: other columns have a neighbour outside.
    if (!this.#columns.has(number + (number < 0 ? -1 : 1))) {
      column.subs = Math.max(column.subs, number === 0 ? 1 : subsFor(boxes.length, total));
    }
    const shelves = shelvesFor(column, boxes);
    moveTo(shelves, freeTop(column, shelves, y), shelfGap(column.subs));
    append(column.shelves, shelves);
    column.shelves.sort((a, b) => a.y - b.y);
    return shelves.flatMap((shelf) => shelf.boxes);
  }

  #begin(number: number, count: number): Column {
    const inner = this.#columns.get(number - Math.sign(number));
    const sides = inner === undefined ? { left: 0, right: 0 } : columnSides(inner);
    const channel = channelFor(count);
    const near = number === 0 ? 0 : number > 0 ? sides.right + channel : sides.left - channel;
    const column: Column = { near, number, subs: 1, shelves: [] };
    this.#columns.set(number, column);
    return column;
  }

  /** Removes a box; the remaining boxes keep their position. */
  remove(box: Box): void {
    const column = this.#columns.get(box.column);
    if (column === undefined) return;
    box.shelf.boxes.splice(box.shelf.boxes.indexOf(box), 1);
    if (box.shelf.boxes.length > 0) return;
    column.shelves.splice(column.shelves.indexOf(box.shelf), 1);
    if (column.shelves.length === 0 && !this.#columns.has(box.column + Math.sign(box.column))) {
      this.#columns.delete(box.column);
    }
  }

  /** Changes the height of a box; boxes below it in its column move down as needed. */
  grow(box: Box, height: number): void {
    const column = this.#columns.get(box.column);
    if (column === undefined || height <= box.height) return;
    box.height = height;
    box.shelf.height = Math.max(box.shelf.height, height);
    const gap = shelfGap(column.subs);
    let bottom = box.shelf.y + box.shelf.height;
    for (const shelf of column.shelves.slice(column.shelves.indexOf(box.shelf) + 1)) {
      shelf.y = Math.max(shelf.y, bottom + gap);
      bottom = shelf.y + shelf.height;
    }
  }
}

function shelvesFor(column: Column, boxes: readonly NewBox[]): Shelf[] {
  const shelves: Shelf[] = [];
  for (let i = 0; i < boxes.length; i += column.subs) {
    const together = boxes.slice(i, i + column.subs);
    const height = together.reduce((tallest, box) => Math.max(tallest, box.height), 0);
    const shelf: Shelf = { y: 0, height, boxes: [] };
    together.forEach((box, sub) => {
      shelf.boxes.push({ ...box, column: column.number, sub, shelf, x: boxX(column, sub) });
    });
    shelves.push(shelf);
  }
  return shelves;
}

function boxX(column: Column, sub: number): number {
  const step = sub * (BOX_WIDTH + SUB_GAP);
  return column.number < 0 ? column.near - BOX_WIDTH - step : column.near + step;
}

function moveTo(shelves: readonly Shelf[], top: number, gap: number): void {
  let y = top;
  for (const shelf of shelves) {
    shelf.y = Math.round(y);
    y += shelf.height + gap;
  }
}

function freeTop(column: Column, shelves: readonly Shelf[], middle: number): number {
  const gap = shelfGap(column.subs);
  const height = shelves.reduce((sum, shelf) => sum + shelf.height + gap, -gap);
  const wanted = middle - height / 2;
  let best = Number.NaN;
  let floor = Number.NEGATIVE_INFINITY;
  for (const { y: ceiling, bottom } of [...spansOf(column.shelves), END]) {
    const low = floor + gap;
    const high = ceiling - gap - height;
    if (low <= high) {
      const top = Math.min(Math.max(wanted, low), high);
      if (!(Math.abs(top - wanted) >= Math.abs(best - wanted))) best = top;
    }
    floor = bottom;
  }
  return best;
}

const END = { y: Number.POSITIVE_INFINITY, bottom: Number.POSITIVE_INFINITY };

function spansOf(shelves: readonly Shelf[]) {
  return shelves.map(({ y, height }) => ({ y, bottom: y + height }));
}
