/** Types by name in the index of a file, for questions that begin with one. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { ownerOf } from '#model/type-table.ts';
import type { TypeFinder } from './finder.ts';
import { compositeBehind } from './make-hit.ts';
import { Match, needleOf } from './match-name.ts';
import { nameLength, searchPool } from './name-pool.ts';
import { Ranking } from './ranking.ts';
import { entryBit } from './type-entries.ts';

const OWNERS = entryBit(BtfKind.STRUCT) | entryBit(BtfKind.UNION) | entryBit(BtfKind.TYPEDEF);

export type Owner = {
  /** As it was found: a typedef stays one. */
  readonly type: TypeId;
  /** The struct or union behind it. */
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
  return best
    .filter(({ score }) => !isExact || score < 200 * Match.PREFIX)
    .flatMap(({ value }) => ownersCalled(finder, value, isExact))
    .slice(0, Math.max(limit, isExact ? 64 : 0));
}

function ownersCalled(finder: TypeFinder, name: number, isExact: boolean): Owner[] {
  const { starts, type, item, types } = finder;
  const found: Owner[] = [];
  for (let row = starts[name] ?? 0; row < (starts[name + 1] ?? 0); row++) {
    if ((item[row] ?? 0) >= 0) continue;
    const id = typeId(type[row] ?? 0);
    const composite = compositeBehind(types, id);
    if (composite !== null) found.push({ type: id, composite, isExact });
  }
  // Of `struct foo` and `typedef struct foo foo` one is enough.
  const distinct = found.filter(
    (owner) => owner.type === owner.composite || !found.some((o) => o.type === owner.composite),
  );
  const isOwn = ({ type: id }: Owner) => ownerOf(types, id) === types;
  return distinct.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
}
