/** Types by name in the index of a file, for questions that begin with one. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { ownerOf } from '#model/type-table.ts';
import type { TypeFinder } from './finder.ts';
import { compositeBehind } from './make-hit.ts';
import { Match, needleOf } from './match-name.ts';
import { nameLength, searchPool } from './name-pool.ts';
import { Ranking } from './ranking.ts';
import { type Entry, entriesOf, entryBit } from './type-names.ts';

const OWNERS = entryBit(BtfKind.STRUCT) | entryBit(BtfKind.UNION) | entryBit(BtfKind.TYPEDEF);

export type Owner = {
  /** The found type: a typedef is kept. */
  readonly type: TypeId;
  /** The struct or union that it leads to. */
  readonly composite: TypeId;
  readonly isExact: boolean;
};

/**
 * Structs, unions and typedefs of such that are called `name` in any case, own
 * ones first; where there are none the `limit` that answer it best.
 */
export function findOwners(finder: TypeFinder, name: string, limit: number): Owner[] {
  const ranking = new Ranking<number>(limit);
  searchPool(finder.pool, needleOf(name), (at, match) => {
    if (((finder.has[at] ?? 0) & OWNERS) === 0) return;
    ranking.add(200 * match + Math.min(150, nameLength(finder.pool, at)), at);
  });
  const best = ranking.best();
  const isExact = best.some(({ score }) => score < 200 * Match.PREFIX);
  const names = best
    .filter(({ score }) => !isExact || score < 200 * Match.PREFIX)
    .map(({ value }) => value);
  const entries = entriesOf(finder, names, OWNERS);
  return names
    .flatMap((name) => ownersAmong(finder, entries.get(name) ?? [], isExact))
    .slice(0, Math.max(limit, isExact ? 64 : 0));
}

function ownersAmong({ types }: TypeFinder, entries: readonly Entry[], isExact: boolean): Owner[] {
  const found = entries.flatMap(({ type, item }): Owner[] => {
    const composite = item < 0 ? compositeBehind(types, type) : null;
    return composite === null ? [] : [{ type, composite, isExact }];
  });
  // `struct foo` and `typedef struct foo foo` are listed once.
  const distinct = found.filter(
    (owner) => owner.type === owner.composite || !found.some((o) => o.type === owner.composite),
  );
  const isOwn = ({ type: id }: Owner) => ownerOf(types, id) === types;
  return distinct.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
}
