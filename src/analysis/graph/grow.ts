/** Grows a graph from its root by depth and the user's actions. */
import { findTypeKey, formatTypeKey, parseTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Box, Columns, type NewBox } from './columns.ts';
import {
  ALL_ROWS,
  type Family,
  type Forced,
  type GraphReader,
  graphReader,
  itemCount,
  rootRows,
  rowsOf,
} from './entries.ts';
import { boxHeight, rowY } from './measures.ts';

/**
 * Signs of the user's actions in the parameter `open` of an address: `struct:mm_struct` expands,
 * `-` folds, `=` shows all rows, `<` shows a referrer, `~` shows a passed type as a node, `@` sets
 * the root.
 *
 * An action does not move boxes of earlier actions, so that a link reproduces the picture.
 */
const SIGNS = {
  expand: '',
  fold: '-',
  rows: '=',
  referrer: '<',
  passed: '~',
  root: '@',
} as const;

type GraphVerb = keyof typeof SIGNS;
export type GraphAction = { readonly verb: GraphVerb; readonly type: TypeId };

/** Maximum number of actions in the parameter `open`. */
const MAX_ACTIONS = 64;
const MAX_LENGTH = 4000;

const VERBS = new Map<string, GraphVerb>(
  (Object.keys(SIGNS) as GraphVerb[]).map((verb) => [SIGNS[verb], verb]),
);

const resolvedKeys = memoized((_: TypeTable) => new Map<string, TypeId | null>());

/** Parses the parameter `open`; skips unknown keys and types. */
export function parseOpen(types: TypeTable, open: string): GraphAction[] {
  const actions: GraphAction[] = [];
  for (const token of open.slice(0, MAX_LENGTH).split(',').slice(0, MAX_ACTIONS)) {
    const verb = VERBS.get(token.charAt(0)) ?? 'expand';
    const type = findKey(types, token.slice(SIGNS[verb].length));
    if (type !== null) actions.push({ verb, type });
  }
  return actions;
}

/** Returns the type of a key. The lookup walks all types and is therefore cached. */
function findKey(types: TypeTable, text: string): TypeId | null {
  const resolved = resolvedKeys(types);
  const known = resolved.get(text);
  if (known !== undefined) return known;
  const key = parseTypeKey(text);
  const type = key === null ? null : findTypeKey(types, key);
  if (resolved.size < 4 * MAX_ACTIONS) resolved.set(text, type);
  return type;
}

/** Returns `open` with `action` added; an action and its reverse cancel each other. */
export function withAction(types: TypeTable, open: string, action: GraphAction): string {
  const token = tokenOf(types, action);
  const tokens = open === '' ? [] : open.split(',');
  if (action.verb === 'root') {
    return [token, ...tokens.filter((text) => !text.startsWith('@'))].join(',');
  }
  const reverse = reverseOf(types, action);
  if (reverse !== null && tokens.at(-1) === reverse) return tokens.slice(0, -1).join(',');
  const rest = tokens.filter((text) => text !== token);
  return bounded([...rest, token]).join(',');
}

/** Returns `open` without `action`. */
export function withoutAction(types: TypeTable, open: string, action: GraphAction): string {
  const token = tokenOf(types, action);
  return open
    .split(',')
    .filter((text) => text !== token)
    .join(',');
}

/** Removes the oldest actions if there are more than `MAX_ACTIONS`; keeps the root's action. */
function bounded(tokens: readonly string[]): string[] {
  const latest = [...tokens];
  while (latest.length > MAX_ACTIONS || latest.join(',').length > MAX_LENGTH) {
    const oldest = latest.findIndex((token) => !token.startsWith('@'));
    if (oldest < 0) break;
    latest.splice(oldest, 1);
  }
  return latest;
}

function reverseOf(types: TypeTable, { verb, type }: GraphAction): string | null {
  if (verb === 'fold') return tokenOf(types, { verb: 'expand', type });
  return verb === 'expand' ? tokenOf(types, { verb: 'fold', type }) : null;
}

function tokenOf(types: TypeTable, { verb, type }: GraphAction): string {
  return SIGNS[verb] + formatTypeKey(typeKeyOf(types, type));
}

/** Returns the parameter `open` that shows `ids` expanded, with the first id as the root. */
export function openParamOf(types: TypeTable, ids: readonly number[]): string {
  const [root, ...others] = ids.map((id) => typeId(id));
  if (root === undefined) return '';
  const actions: GraphAction[] = [
    { verb: 'root', type: root },
    ...[root, ...others].map((type) => ({ verb: 'expand', type }) as const),
  ];
  return bounded(actions.map((action) => tokenOf(types, action))).join(',');
}

export type GrowOptions = {
  readonly root: TypeId;
  /** Number of levels that are expanded around the root. */
  readonly depth: number;
  readonly hidden: ReadonlySet<Family>;
  readonly actions: readonly GraphAction[];
  /** Members that must have a row. */
  readonly forced: readonly Forced[];
  readonly maxNodes: number;
};

/** Maximum number of rows of a new box other than the root; less if an action adds many boxes. */
const ROWS = 7;
const ROWS_OF_MANY = 4;
const ROWS_OF_HUNDREDS = 3;

/** Returns the graph for `options`; invalid types have empty boxes. */
export function growGraph(types: TypeTable, options: GrowOptions): GrownGraph {
  const graph = new GrownGraph(types, options);
  let level: readonly TypeId[] = [options.root];
  for (let depth = 0; depth < options.depth && level.length > 0; depth++) {
    level = graph.expand(level);
  }
  for (const action of options.actions) graph.act(action);
  return graph;
}

/** Boxes of a graph, their positions, and their expansion. */
export class GrownGraph {
  readonly columns = new Columns();
  /** Boxes by type in the order of placement, the root first. */
  readonly boxes = new Map<TypeId, Box>();
  readonly expanded = new Set<TypeId>();
  /** Nodes that are shown because they refer to a shown node. */
  readonly referrers = new Set<TypeId>();
  /** True if nodes were omitted because of `maxNodes`. */
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

  /** Returns the indices of the items of `type` that have rows. */
  rowsOf(type: TypeId): readonly number[] {
    const limit = this.boxes.get(type)?.limit ?? 0;
    return getOrCreate(this.#rows, type, () =>
      rowsOf(this.#reader, type, limit, this.#options.forced),
    );
  }

  /** Shows the targets of `sources` (all in one column). Returns the types of the new boxes. */
  expand(sources: readonly TypeId[]): TypeId[] {
    const [first] = sources;
    const from = first === undefined ? undefined : this.boxes.get(first);
    if (from === undefined) return [];
    const pulls = new Map<TypeId, { sum: number; count: number }>();
    for (const source of sources) this.#pull(source, pulls);
    const heights = new Map([...pulls].map(([id, { sum, count }]) => [id, sum / count]));
    // One barycentre sweep: each box is placed level with the average of the rows that lead to it.
    const order = [...pulls.keys()].sort((a, b) => (heights.get(a) ?? 0) - (heights.get(b) ?? 0));
    const limit = rowLimit(order.length);
    const boxes = order.map((id) => this.#newBox(id, limit));
    const middle = [...heights.values()].reduce((sum, y) => sum + y, 0) / heights.size;
    this.#place(from.column + 1, boxes, middle);
    return order;
  }

  /** Adds to `pulls` the heights of the rows of `source` that lead to targets without a box. */
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

  /** Applies an action of the user; an action on a hidden type has no effect. */
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

  /** Places a referrer before the root, or before the first shown type that it refers to. */
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

  /** Shows a type that edges pass through as a node. */
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

  /** Removes boxes that cannot be reached from the root or a referrer. */
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
