/**
 * A graph grows from its root, one step after another: first by depth, then by
 * what a person did. Each step puts new boxes beside those that stand.
 */
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { GraphAction } from './actions.ts';
import { type Box, Columns, type NewBox } from './columns.ts';
import { type GraphReader, graphReader } from './entries.ts';
import type { Family } from './families.ts';
import { boxHeight, rowY } from './measures.ts';
import { ALL_ROWS, type Forced, itemCount, rootRows, rowsOf } from './rows.ts';

export type GrowOptions = {
  readonly root: TypeId;
  /** Steps from the root that are expanded. */
  readonly depth: number;
  readonly hidden: ReadonlySet<Family>;
  readonly actions: readonly GraphAction[];
  /** Members that have to have a row. */
  readonly forced: readonly Forced[];
  readonly maxNodes: number;
};

/** Rows of a box that is no root; the more boxes come at once, the fewer. */
const ROWS = 7;
const ROWS_OF_MANY = 4;
const ROWS_OF_HUNDREDS = 3;

/** Builds the graph. Total: types that do not exist have boxes that hold nothing. */
export function growGraph(types: TypeTable, options: GrowOptions): GrownGraph {
  const graph = new GrownGraph(types, options);
  let level: readonly TypeId[] = [options.root];
  for (let depth = 0; depth < options.depth && level.length > 0; depth++) {
    level = graph.expand(level);
  }
  for (const action of options.actions) graph.act(action);
  return graph;
}

/** The boxes of a graph, where they stand, and which of them are expanded. */
export class GrownGraph {
  readonly columns = new Columns();
  /** In the order in which they were placed, the root first. */
  readonly boxes = new Map<TypeId, Box>();
  readonly expanded = new Set<TypeId>();
  /** Shown since they refer to something that is shown. */
  readonly referrers = new Set<TypeId>();
  /** Was there more than `maxNodes` let in? */
  truncated = false;
  readonly #types: TypeTable;
  readonly #options: GrowOptions;
  readonly #stops = new Set<TypeId>();
  readonly #rows = new Map<TypeId, readonly number[]>();
  #reader: GraphReader;

  constructor(types: TypeTable, options: GrowOptions) {
    this.#types = types;
    this.#options = options;
    this.#reader = graphReader(types, options.hidden);
    const limit = rootRows(this.#reader.entriesOf(options.root));
    this.#place(0, [this.#newBox(options.root, limit)], 0);
  }

  get reader(): GraphReader {
    return this.#reader;
  }

  /** Numbers of the items of a shown type that have rows. */
  rowsOf(type: TypeId): readonly number[] {
    const known = this.#rows.get(type);
    if (known !== undefined) return known;
    const limit = this.boxes.get(type)?.limit ?? 0;
    const rows = rowsOf(this.#reader, type, limit, this.#options.forced);
    this.#rows.set(type, rows);
    return rows;
  }

  /** Shows what types of one column lead to; gives those that came new. */
  expand(sources: readonly TypeId[]): TypeId[] {
    const [first] = sources;
    const from = first === undefined ? undefined : this.boxes.get(first);
    if (from === undefined) return [];
    const pulls = new Map<TypeId, { sum: number; count: number }>();
    for (const source of sources) this.#pull(source, pulls);
    const heights = new Map([...pulls].map(([id, { sum, count }]) => [id, sum / count]));
    // One sweep: each stands as level as it can with the rows that lead to it.
    const order = [...pulls.keys()].sort((a, b) => (heights.get(a) ?? 0) - (heights.get(b) ?? 0));
    const limit = rowLimit(order.length);
    const boxes = order.map((id) => this.#newBox(id, limit));
    const middle = [...heights.values()].reduce((sum, y) => sum + y, 0) / heights.size;
    this.#place(from.column + 1, boxes, middle);
    return order;
  }

  /** Notes for each type that `source` leads to and that is not shown at what height its rows are. */
  #pull(source: TypeId, pulls: Map<TypeId, { sum: number; count: number }>): void {
    const box = this.boxes.get(source);
    if (box === undefined) return;
    this.expanded.add(source);
    const rows = new Map(this.rowsOf(source).map((entry, row) => [entry, row]));
    this.#reader.entriesOf(source).forEach(({ to }, entry) => {
      if (to === null || this.boxes.has(to)) return;
      const known = pulls.get(to);
      const y = rowY(box.shelf.y, rows.get(entry) ?? rows.size);
      if (known !== undefined) {
        known.sum += y;
        known.count++;
      } else if (this.boxes.size + pulls.size < this.#options.maxNodes) {
        pulls.set(to, { sum: y, count: 1 });
      } else {
        this.truncated = true;
      }
    });
  }

  /** Does what a person did. What cannot be done here, since the type is not shown, changes nothing. */
  act({ verb, type }: GraphAction): void {
    const box = this.boxes.get(type);
    switch (verb) {
      case 'expand':
        if (box !== undefined) this.expand([type]);
        return;
      case 'fold':
        if (this.expanded.delete(type)) this.#prune();
        return;
      case 'rows':
        if (box !== undefined) this.#unfoldRows(box);
        return;
      case 'referrer':
        if (box === undefined) this.#addReferrer(type);
        return;
      case 'passed':
        if (box === undefined) this.#unfoldPassed(type);
        return;
      case 'root':
        return;
    }
  }

  #unfoldRows(box: Box): void {
    box.limit = ALL_ROWS;
    this.#rows.delete(box.type);
    this.columns.grow(box, this.#newBox(box.type, ALL_ROWS).height);
  }

  /** Puts a type before one that it refers to: the root if it does, else the first that is shown. */
  #addReferrer(type: TypeId): void {
    const targets = this.#reader.entriesOf(type).map(({ to }) => to);
    const { root } = this.#options;
    const target = targets.includes(root)
      ? root
      : targets.find((to) => to !== null && this.boxes.has(to));
    const at = target === undefined || target === null ? undefined : this.boxes.get(target);
    if (at === undefined) return;
    this.referrers.add(type);
    this.#place(at.column - 1, [this.#newBox(type, ROWS)], rowY(at.shelf.y, -1));
  }

  /** Makes a type that edges pass a node between their ends. */
  #unfoldPassed(type: TypeId): void {
    for (const source of this.expanded) {
      const from = this.boxes.get(source);
      const entries = this.#reader.entriesOf(source);
      const entry = entries.findIndex(({ chain }) => chain.includes(type));
      if (from === undefined || entry < 0) continue;
      const row = this.rowsOf(source).indexOf(entry);
      const y = rowY(from.shelf.y, row < 0 ? this.rowsOf(source).length : row);
      this.#place(from.column + 1, [this.#newBox(type, 0)], y);
      this.#stops.add(type);
      this.#reader = graphReader(this.#types, this.#options.hidden, this.#stops);
      this.expanded.add(type);
      return;
    }
  }

  /** Takes away what can no longer be reached from the root or a referrer. */
  #prune(): void {
    const reached = new Set<TypeId>([this.#options.root, ...this.referrers]);
    for (const type of reached) {
      if (!this.expanded.has(type)) continue;
      for (const { to } of this.#reader.entriesOf(type)) if (to !== null) reached.add(to);
    }
    for (const [type, box] of this.boxes) {
      if (reached.has(type)) continue;
      this.boxes.delete(type);
      this.expanded.delete(type);
      this.#rows.delete(type);
      this.columns.remove(box);
    }
  }

  #newBox(type: TypeId, limit: number): NewBox {
    const rows = rowsOf(this.#reader, type, limit, this.#options.forced).length;
    const isMore = limit > 0 && itemCount(this.#reader, type) > rows;
    return { type, limit, height: boxHeight(rows + (isMore ? 1 : 0)) };
  }

  #place(column: number, boxes: readonly NewBox[], y: number): void {
    for (const box of this.columns.place(column, boxes, y)) this.boxes.set(box.type, box);
  }
}

function rowLimit(count: number): number {
  if (count <= 16) return ROWS;
  return count <= 60 ? ROWS_OF_MANY : ROWS_OF_HUNDREDS;
}
