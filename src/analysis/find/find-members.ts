/** Finds members by path or offset: `task_struct.se.vruntime`, `*.sk_family`, `0x58 in sk_buff`. */
import { innerMembers, type MemberBudget } from '#analysis/types/inner-members.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { type LayoutRow, structLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import {
  kindOf,
  nameOf,
  ownerOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import type { TypeFinder } from './finder.ts';
import {
  compositeBehind,
  elementOf,
  type FindAnswer,
  type FindHit,
  hitOf,
  type MemberPath,
  memberHit,
  NO_HITS,
} from './make-hit.ts';
import { Match, matchName, needleOf } from './match-name.ts';
import { nameLength, searchPool } from './name-pool.ts';
import { Ranking } from './ranking.ts';
import { type Entry, entriesOf, entryBit } from './type-names.ts';

/** Maximum number of types to search if no type has exactly the name in the query. */
const MAX_OWNERS = 12;
/** Maximum number of structs to keep after each name of a path. */
const MAX_PLACES = 64;
/** Maximum number of members that one query visits. */
const MAX_MEMBERS = 200_000;

/** Struct that a path has reached, with the path. */
type Place = MemberPath & { readonly inside: TypeId };

/** Finds the members that a path of names leads to. */
export function findMembers(
  finder: TypeFinder,
  owner: string,
  path: readonly string[],
  limit: number,
): FindAnswer {
  const { types } = finder;
  const owners = findOwners(finder, owner, MAX_OWNERS);
  if (owners.length === 0) return { ...NO_HITS, problem: `No struct or union named ${owner}` };
  const budget: MemberBudget = { left: MAX_MEMBERS };
  let places: Place[] = owners.map(({ type, composite }) => ({
    root: type,
    path: [],
    before: nameOf(types, type),
    bitOffset: 0,
    inside: composite,
  }));
  for (const name of path.slice(0, -1)) {
    places = places.flatMap((place) => stepInto(types, place, name, budget)).slice(0, MAX_PLACES);
  }
  const part = needleOf(path.at(-1) ?? '');
  const ranking = new Ranking<MemberPath>(limit);
  places.forEach((place, order) => {
    const rank = Math.min(60, 12 * order);
    for (const { path: inner, member, bitOffset } of innerMembers(types, place.inside, budget)) {
      const match = matchName(member.name, part);
      if (match === null) continue;
      const length = part === '' ? 0 : Math.min(60, member.name.length);
      ranking.add(200 * match.match + length + rank, {
        ...place,
        path: [...place.path, ...inner],
        bitOffset: place.bitOffset + bitOffset,
      });
    }
  });
  const hits = ranking.best().flatMap(({ value }) => memberHit(types, value, part) ?? []);
  const named = nameOf(types, owners[0]?.type ?? typeId(0)) || owner;
  const problem = hits.length > 0 ? null : `${named} has no member ${path.join('.') || 'anything'}`;
  return { hits, total: ranking.total, problem };
}

/** Returns the structs that members named `name` contain or point to, also through arrays. */
function stepInto(types: TypeTable, place: Place, name: string, budget: MemberBudget): Place[] {
  const wanted = needleOf(name);
  const members = innerMembers(types, place.inside, budget).filter(
    ({ member }) => member.name.toLowerCase() === wanted,
  );
  return members.flatMap(({ path, member, bitOffset }): Place[] => {
    const held = elementOf(types, member.type).type;
    const isPointer = kindOf(types, held) === BtfKind.PTR;
    const target = isPointer ? typeId(sizeOrTypeOf(types, held)) : held;
    const inside = compositeBehind(types, target);
    if (inside === null) return [];
    const names = [...place.path, ...path];
    if (!isPointer) {
      return [{ ...place, path: names, bitOffset: place.bitOffset + bitOffset, inside }];
    }
    // A pointer leads to another object, so the path restarts at the pointer's target type.
    const whole = memberHit(types, { ...place, path: names }, '');
    return [{ root: target, path: [], before: `${whole?.title ?? name}->`, bitOffset: 0, inside }];
  });
}

/** Finds the members of the types named `owner` that cover a byte. */
export function findAtOffset(
  finder: TypeFinder,
  owner: string,
  byteOffset: number,
  limit: number,
): FindAnswer {
  const { types } = finder;
  const owners = findOwners(finder, owner, 3);
  if (owners.length === 0) return { ...NO_HITS, problem: `No struct or union named ${owner}` };
  const hits = owners.flatMap(({ type, composite }) =>
    membersAt(types, composite, byteOffset).flatMap((covering): FindHit[] => {
      const before = nameOf(types, type) || owner;
      const path: MemberPath = { ...covering, root: type, before };
      if (covering.kind !== 'member') return [holeHit(types, path, covering.bitSize)];
      const hit = memberHit(types, path, '');
      return hit === null
        ? []
        : [{ ...hit, facts: { ...hit.facts, bytes: bytesOf(covering.bitSize) } }];
    }),
  );
  const [first] = owners;
  const size = first === undefined ? 0 : sizeOrTypeOf(types, skipModifiers(types, first.type));
  const name = first === undefined ? owner : nameOf(types, first.type);
  const problem = hits.length > 0 ? null : `${name} has ${size} bytes: none at ${byteOffset}`;
  return { hits: hits.slice(0, limit), total: hits.length, problem };
}

function bytesOf(bits: number): number {
  return Math.ceil(bits / 8);
}

function holeHit(types: TypeTable, path: MemberPath, bitSize: number): FindHit {
  const inside = path.path.length === 0 ? null : memberHit(types, path, '');
  return hitOf('hole', inside?.title ?? path.before, '', {
    kind: kindOf(types, path.root),
    ranges: [],
    facts: { bitOffset: path.bitOffset, bytes: bytesOf(bitSize) },
    selection: inside?.selection ?? { kind: 'type', type: path.root, memberPath: [] },
  });
}

const OWNER_KINDS = entryBit(BtfKind.STRUCT) | entryBit(BtfKind.UNION) | entryBit(BtfKind.TYPEDEF);

export type Owner = {
  /** Type with the name in the query; it may be a typedef. */
  readonly type: TypeId;
  /** Struct or union that `type` is, or that it names as a typedef. */
  readonly composite: TypeId;
  readonly isExact: boolean;
};

/** Returns the types named `name`, ignoring case, own types first; else the most similar names. */
function findOwners(finder: TypeFinder, name: string, limit: number): Owner[] {
  const ranking = new Ranking<number>(limit);
  searchPool(finder.pool, needleOf(name), (at, match) => {
    if (((finder.has[at] ?? 0) & OWNER_KINDS) === 0) return;
    ranking.add(200 * match + Math.min(150, nameLength(finder.pool, at)), at);
  });
  const best = ranking.best();
  const isExact = best.some(({ score }) => score < 200 * Match.PREFIX);
  const names = best
    .filter(({ score }) => !isExact || score < 200 * Match.PREFIX)
    .map(({ value }) => value);
  const entries = entriesOf(finder, names, OWNER_KINDS);
  return names
    .flatMap((name) => ownersAmong(finder, entries.get(name) ?? [], isExact))
    .slice(0, Math.max(limit, isExact ? 64 : 0));
}

function ownersAmong({ types }: TypeFinder, entries: readonly Entry[], isExact: boolean): Owner[] {
  const owners = entries.flatMap(({ type, item }): Owner[] => {
    const composite = item < 0 ? compositeBehind(types, type) : null;
    return composite === null ? [] : [{ type, composite, isExact }];
  });
  // Lists `typedef struct foo foo` and `struct foo` once.
  const distinct = owners.filter(
    (owner) => owner.type === owner.composite || !owners.some((o) => o.type === owner.composite),
  );
  const isOwn = ({ type: id }: Owner) => ownerOf(types, id) === types;
  return distinct.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
}

import { append } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';

export type Covering = {
  readonly kind: 'member' | 'hole' | 'padding';
  /** Member indices from the root; for a hole the indices of the struct that contains it. */
  readonly path: readonly number[];
  /** Bits from the start of the root type to the member or hole. */
  readonly bitOffset: number;
  readonly bitSize: number;
};

/** Maximum number of results: unions have several members at the same byte. */
const MAX_COVERING = 64;
const MAX_DEPTH = 64;
/** Maximum number of structs to visit, since a hostile struct can contain itself. */
const MAX_VISITED = 2_000;

type Level = {
  readonly type: TypeId;
  readonly path: readonly number[];
  /** Bits from the start of the root type to the start of this struct. */
  readonly start: number;
};

/** Returns the innermost members and holes of `root` at a byte, sorted by offset. */
export function membersAt(types: TypeTable, root: TypeId, byteOffset: number): Covering[] {
  const first = byteOffset * 8;
  const covering: Covering[] = [];
  const layouts = new Map<TypeId, readonly LayoutRow[]>();
  const rowsOf = (id: TypeId) => getOrCreate(layouts, id, () => structLayout(types, id).rows);
  const stack: Level[] = [{ type: root, path: [], start: 0 }];
  for (let visited = 0; visited < MAX_VISITED && covering.length < MAX_COVERING; visited++) {
    const level = stack.pop();
    if (level === undefined) break;
    const deeper: Level[] = [];
    for (const row of rowsOf(level.type)) {
      const at = level.start + row.bitOffset;
      if (at >= first + 8 || at + row.bitSize <= first) continue;
      const path = row.kind === 'member' ? [...level.path, row.index] : level.path;
      const inner = path.length < MAX_DEPTH ? innerLevel(types, row, at, first, path) : null;
      if (inner === null) {
        covering.push({ kind: row.kind, path, bitOffset: at, bitSize: row.bitSize });
      } else deeper.push(inner);
    }
    append(stack, deeper.reverse().slice(0, MAX_COVERING));
  }
  return covering
    .sort((a, b) => a.bitOffset - b.bitOffset || comparePaths(a.path, b.path))
    .slice(0, MAX_COVERING);
}

/** Returns the struct or union at the byte inside a member or array element, or null. */
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
