/**
 * What a node of the graph is made of: members, parameters, variables, each with
 * the node that it leads to.
 *
 * Nodes are types that a person thinks of as things: structs, unions, enums,
 * typedefs of anonymous ones, forward declarations, functions. What stands
 * between two of them is passed on the way. Members of anonymous structs and
 * unions belong to the one around them.
 */

import { refersTo } from '#analysis/types/references.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { isComposite, memberAt, memberCount, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type Family, familyOf } from './families.ts';
import { type Followed, follow } from './graph-path.ts';

export type GraphEntry = {
  /** Member numbers from the node; the number of a parameter or variable; -1 for what has none. */
  readonly path: readonly number[];
  /** Raw text; `outer.inner` inside a member of an anonymous type; empty for what has no name. */
  readonly name: string;
  /** As stored: with pointers, arrays, modifiers. */
  readonly type: TypeId;
  /** Bits, 0 for what is no bit-field. */
  readonly bitfieldSize: number;
  /** The node that it leads to; null for scalars, and for what is hidden. */
  readonly to: TypeId | null;
  /** The types passed on the way to `to`. */
  readonly chain: readonly TypeId[];
};

export type GraphReader = {
  readonly types: TypeTable;
  /** Everything in a node, in the order of its record; at most 4,096. */
  readonly entriesOf: (node: TypeId) => readonly GraphEntry[];
};

/** A hostile struct has millions of members, and hostile anonymous ones nest without end. */
const MAX_ENTRIES = 4096;
const MAX_NESTING = 64;

/**
 * Reads nodes and keeps what it read. Nodes of `hidden` families are as if they
 * were scalars; types of `stops` are nodes though they would be passed.
 */
export function graphReader(
  types: TypeTable,
  hidden: ReadonlySet<Family>,
  stops: ReadonlySet<TypeId> = new Set(),
): GraphReader {
  const ways = new Map<TypeId, Followed>();
  const kept = new Map<TypeId, readonly GraphEntry[]>();
  const wayOf = (type: TypeId): Followed => {
    let way = ways.get(type);
    if (way === undefined) {
      way = follow(types, type, stops);
      ways.set(type, way);
    }
    return way;
  };
  const isHidden = (to: TypeId) => hidden.has(familyOf(types, to));
  return {
    types,
    entriesOf(node) {
      let entries = kept.get(node);
      if (entries === undefined) {
        const read = (type: TypeId) => wayOf(type);
        entries = readEntries(types, node, read, isHidden);
        kept.set(node, entries);
      }
      return entries;
    },
  };
}

type Level = {
  readonly items: Iterator<Item, void, void>;
  readonly prefix: string;
  readonly path: readonly number[];
};
type Item = Pick<GraphEntry, 'name' | 'type' | 'bitfieldSize'> & { readonly index: number };

function readEntries(
  t: TypeTable,
  node: TypeId,
  wayOf: (type: TypeId) => Followed,
  isHidden: (to: TypeId) => boolean,
): GraphEntry[] {
  const entries: GraphEntry[] = [];
  const stack: Level[] = [{ items: itemsOf(t, contentsOf(t, node)), prefix: '', path: [] }];
  const inlined = new Set<TypeId>();
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const { value: item, done } = level.items.next();
    if (done || item === undefined || entries.length >= MAX_ENTRIES) {
      stack.pop();
      continue;
    }
    const { prefix } = level;
    const path = [...level.path, item.index];
    const { to, chain, behindPointer } = wayOf(item.type);
    if (to !== null && !behindPointer && isAnonymous(t, to)) {
      if (inlined.has(to) || stack.length >= MAX_NESTING) continue;
      inlined.add(to);
      const inner = item.name === '' ? prefix : `${prefix}${item.name}.`;
      stack.push({ items: itemsOf(t, to), prefix: inner, path });
      continue;
    }
    const shown = to === null || isHidden(to) ? null : to;
    entries.push({
      path,
      // When it is asked for: most entries are only counted.
      get name() {
        return prefix + item.name;
      },
      type: item.type,
      bitfieldSize: item.bitfieldSize,
      to: shown,
      chain: shown === null ? [] : chain,
    });
  }
  return entries;
}

function* itemsOf(t: TypeTable, id: TypeId): Generator<Item, void, void> {
  if (isComposite(kindOf(t, id))) {
    const count = memberCount(t, id);
    if (count <= MAX_ENTRIES) {
      yield* membersOf(t, id);
      return;
    }
    for (let i = 0; i < MAX_ENTRIES; i++) {
      const member = memberAt(t, id, i);
      if (member !== null) yield member;
    }
    return;
  }
  for (const reference of refersTo(t, id)) {
    const { type, index, name, role } = reference;
    if (role === 'index') continue;
    const isNamed = name !== '' || role === 'param';
    yield { type, index, name: isNamed ? name : wordOf(role), bitfieldSize: 0 };
  }
}

function wordOf(role: string): string {
  return role === 'return' ? 'returns' : role;
}

/** The type whose record tells what a node holds: a typedef stands for its struct, a function for its prototype. */
function contentsOf(t: TypeTable, id: TypeId): TypeId {
  const kind = kindOf(t, id);
  if (kind === BtfKind.FUNC) return refOf(t, id) ?? VOID;
  if (kind !== BtfKind.TYPEDEF) return id;
  const target = skipModifiers(t, id);
  return isAnonymous(t, target) ? target : id;
}

function isAnonymous(t: TypeTable, id: TypeId): boolean {
  return isComposite(kindOf(t, id)) && nameOf(t, id) === '';
}
