/**
 * A graph grows from its root, one step after another: first by depth, then by
 * what a person did. Each step puts new boxes beside those that stand.
 */
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
 * What a person did to a graph, one after another, as the parameter `open` of an
 * address: type keys apart by commas, each with a sign for what was done.
 *
 *   struct:mm_struct     expanded            -struct:file     folded
 *   =struct:sock         all rows shown      <struct:rq       shown though it is a referrer
 *   ~ptr:~123            a type that edges pass is a node    @struct:task_struct   the root
 *
 * The drawing is a function of the list: replayed in order, each step leaves what
 * stood where it stood. So a link gives the picture that was sent.
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

/** Actions of an address. */
const MAX_ACTIONS = 64;
const MAX_LENGTH = 4000;

const VERBS = new Map<string, GraphVerb>([
  ['-', 'fold'],
  ['=', 'rows'],
  ['<', 'referrer'],
  ['~', 'passed'],
  ['@', 'root'],
]);

const foundKeys = memoized((_: TypeTable) => new Map<string, TypeId | null>());

/** Resolves the keys of `open`. Total: unknown keys and types are skipped. */
export function parseOpen(types: TypeTable, open: string): GraphAction[] {
  const actions: GraphAction[] = [];
  for (const token of open.slice(0, MAX_LENGTH).split(',').slice(0, MAX_ACTIONS)) {
    const verb = VERBS.get(token.charAt(0)) ?? 'expand';
    const type = findKey(types, token.slice(SIGNS[verb].length));
    if (type !== null) actions.push({ verb, type });
  }
  return actions;
}

/** Found types by key: each lookup walks all types. */
function findKey(types: TypeTable, text: string): TypeId | null {
  const known = foundKeys(types);
  const found = known.get(text);
  if (found !== undefined) return found;
  const key = parseTypeKey(text);
  const type = key === null ? null : findTypeKey(types, key);
  if (known.size < 4 * MAX_ACTIONS) known.set(text, type);
  return type;
}

/** Returns `open` with one more action; an action and its reverse cancel. */
export function withAction(types: TypeTable, open: string, action: GraphAction): string {
  const token = tokenOf(types, action);
  const tokens = open === '' ? [] : open.split(',');
  if (action.verb === 'root') {
    return [token, ...tokens.filter((one) => !one.startsWith('@'))].join(',');
  }
  const reverse = reverseOf(types, action);
  if (reverse !== null && tokens.at(-1) === reverse) return tokens.slice(0, -1).join(',');
  const rest = tokens.filter((one) => one !== token);
  return bounded([...rest, token]).join(',');
}

/** Returns `open` without `action`. */
export function withoutAction(types: TypeTable, open: string, action: GraphAction): string {
  const token = tokenOf(types, action);
  return open
    .split(',')
    .filter((one) => one !== token)
    .join(',');
}

/** Removes the oldest actions if there are too many, but not the root. */
function bounded(tokens: readonly string[]): string[] {
  const kept = [...tokens];
  while (kept.length > MAX_ACTIONS || kept.join(',').length > MAX_LENGTH) {
    const oldest = kept.findIndex((token) => !token.startsWith('@'));
    if (oldest < 0) break;
    kept.splice(oldest, 1);
  }
  return kept;
}

function reverseOf(types: TypeTable, { verb, type }: GraphAction): string | null {
  if (verb === 'fold') return tokenOf(types, { verb: 'expand', type });
  return verb === 'expand' ? tokenOf(types, { verb: 'fold', type }) : null;
}

function tokenOf(types: TypeTable, { verb, type }: GraphAction): string {
  return SIGNS[verb] + formatTypeKey(typeKeyOf(types, type));
}

/**
 * The parameter `open` that shows these types expanded, the first one as the root:
 * `setViewParam('graph', 'open', openParamOf(types, ids))`. Ids of no type are left out.
 */
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
  /** Expanded steps from the root. */
  readonly depth: number;
  readonly hidden: ReadonlySet<Family>;
  readonly actions: readonly GraphAction[];
  /** Members that must have a row. */
  readonly forced: readonly Forced[];
  readonly maxNodes: number;
};

/** Returns the rows of a box that is no root; fewer if many boxes come at once. */
const ROWS = 7;
const ROWS_OF_MANY = 4;
const ROWS_OF_HUNDREDS = 3;

/** Builds the graph. Total: types that do not exist have empty boxes. */
export function growGraph(types: TypeTable, options: GrowOptions): GrownGraph {
  const graph = new GrownGraph(types, options);
  let level: readonly TypeId[] = [options.root];
  for (let depth = 0; depth < options.depth && level.length > 0; depth++) {
    level = graph.expand(level);
  }
  for (const action of options.actions) graph.act(action);
  return graph;
}

/** Boxes of a graph, their positions, and which are expanded. */
export class GrownGraph {
  readonly columns = new Columns();
  /** Boxes in the order of placement, the root first. */
  readonly boxes = new Map<TypeId, Box>();
  readonly expanded = new Set<TypeId>();
  /** Nodes shown because they refer to a shown node. */
  readonly referrers = new Set<TypeId>();
  /** Were nodes left out because of `maxNodes`? */
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

  /** Returns the indices of the items of a shown type that have rows. */
  rowsOf(type: TypeId): readonly number[] {
    const limit = this.boxes.get(type)?.limit ?? 0;
    return getOrCreate(this.#rows, type, () =>
      rowsOf(this.#reader, type, limit, this.#options.forced),
    );
  }

  /** Shows the targets of the types of one column. Returns the new ones. */
  expand(sources: readonly TypeId[]): TypeId[] {
    const [first] = sources;
    const from = first === undefined ? undefined : this.boxes.get(first);
    if (from === undefined) return [];
    const pulls = new Map<TypeId, { sum: number; count: number }>();
    for (const source of sources) this.#pull(source, pulls);
    const heights = new Map([...pulls].map(([id, { sum, count }]) => [id, sum / count]));
    // One barycentre sweep: each box is as level as possible with the rows that lead to it.
    const order = [...pulls.keys()].sort((a, b) => (heights.get(a) ?? 0) - (heights.get(b) ?? 0));
    const limit = rowLimit(order.length);
    const boxes = order.map((id) => this.#newBox(id, limit));
    const middle = [...heights.values()].reduce((sum, y) => sum + y, 0) / heights.size;
    this.#place(from.column + 1, boxes, middle);
    return order;
  }

  /** Collects, for each hidden target of `source`, the heights of the rows that lead to it. */
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

  /** Applies an action of the user. An action on a type that is not shown has no effect. */
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

  /** Places a referrer before the root if it refers to the root, else before the first shown type that it refers to. */
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

  /** Turns a passed type into a node. */
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
