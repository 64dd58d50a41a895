/** `task_struct.se.vruntime`, `sk_buff.`, `*.sk_family`, and `0x58 in sk_buff`. */
import { innerMembers, type MemberBudget } from '#analysis/types/inner-members.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, nameOf, sizeOrTypeOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { findOwners } from './find-types.ts';
import type { TypeFinder } from './finder.ts';
import { type FindAnswer, type FindHit, NO_HITS } from './hit.ts';
import { compositeBehind, elementOf, type MemberPath, memberHit } from './make-hit.ts';
import { matchName, needleOf } from './match-name.ts';
import { membersAt } from './members-at.ts';
import { Ranking } from './ranking.ts';

/** Types that are searched if none has exactly the name. */
const OWNERS = 12;
/** Places that the path of one question can lead to at a time. */
const MAX_PLACES = 64;
/** Members that one question visits. */
const MAX_MEMBERS = 200_000;

/** State of a path: a struct, the path to it, and the path's text. */
type Place = MemberPath & { readonly inside: TypeId };

/** Finds members by the names of a path, as in the query. */
export function findMembers(
  finder: TypeFinder,
  owner: string,
  path: readonly string[],
  limit: number,
): FindAnswer {
  const { types } = finder;
  const owners = findOwners(finder, owner, OWNERS);
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

/** Follows the member of exactly this name, through pointers and arrays. */
function stepInto(types: TypeTable, place: Place, name: string, budget: MemberBudget): Place[] {
  const wanted = needleOf(name);
  const found = innerMembers(types, place.inside, budget).filter(
    ({ member }) => member.name.toLowerCase() === wanted,
  );
  return found.flatMap(({ path, member, bitOffset }): Place[] => {
    const held = elementOf(types, member.type).type;
    const isPointer = kindOf(types, held) === BtfKind.PTR;
    const target = isPointer ? typeId(sizeOrTypeOf(types, held)) : held;
    const inside = compositeBehind(types, target);
    if (inside === null) return [];
    if (!isPointer) {
      return [
        {
          ...place,
          path: [...place.path, ...path],
          bitOffset: place.bitOffset + bitOffset,
          inside,
        },
      ];
    }
    // A pointer leads to another object, whose type is selected.
    const whole = memberHit(types, { ...place, path: [...place.path, ...path] }, '');
    return [{ root: target, path: [], before: `${whole?.title ?? name}->`, bitOffset: 0, inside }];
  });
}

/** Finds the members that cover a byte of the types named `owner`. */
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
      const path: MemberPath = {
        root: type,
        path: covering.path,
        before,
        bitOffset: covering.bitOffset,
      };
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
  return {
    what: 'hole',
    kind: kindOf(types, path.root),
    title: inside?.title ?? path.before,
    ranges: [],
    facts: { bitOffset: path.bitOffset, bytes: bytesOf(bitSize) },
    selection: inside?.selection ?? { kind: 'type', type: path.root, memberPath: [] },
    refine: null,
    inBase: false,
  };
}
