/**
 * Orders of units that leave few holes.
 *
 * To find the best of all orders is a packing problem without a quick answer. Three
 * ways are tried and the shortest result is taken: fill each hole with what fits
 * from further on, which moves little; begin with the widest alignment, which
 * leaves no hole where sizes are multiples of alignments; and both.
 */

import { longestIncreasingSubsequence } from './longest-increasing-subsequence.ts';
import { endOfUnit, endOfUnits, placePiece, roundUp, type Unit } from './placement.ts';

/** Filling looks through all that follows for each hole; longer lists are only sorted. */
const MAX_FILLED = 2048;

/**
 * The shortest order found of `units` from bit `free` on, where what follows
 * begins at a multiple of `endAlignBits`; of equal ones that which moves the
 * fewest. The order that they have is among them, so that it never gets longer.
 */
export function bestOrder(
  units: readonly Unit[],
  free: number,
  endAlignBits: number,
): readonly Unit[] {
  let best = units;
  let least = { end: roundUp(endOfUnits(units, free), endAlignBits), moved: 0 };
  for (const order of ordersOf(units, free)) {
    const end = roundUp(endOfUnits(order, free), endAlignBits);
    if (end > least.end) continue;
    const moved = movedOf(units, order);
    if (end === least.end && moved >= least.moved) continue;
    best = order;
    least = { end, moved };
  }
  return best;
}

function* ordersOf(units: readonly Unit[], free: number): Generator<readonly Unit[]> {
  const isFilled = units.length <= MAX_FILLED;
  const widestFirst = units.toSorted((a, b) => alignOfUnit(b) - alignOfUnit(a));
  if (isFilled) {
    yield filled(units, free);
    yield filled(widestFirst, free);
  }
  yield widestFirst;
  yield widestFirst.toReversed();
}

function alignOfUnit({ pieces }: Unit): number {
  let most = 1;
  for (const { alignBits, forcedBits } of pieces) most = Math.max(most, alignBits, forcedBits);
  return most;
}

/** The same order, but into each hole goes the largest of the later ones that fits; of equal ones the last. */
function filled(units: readonly Unit[], free: number): readonly Unit[] {
  const rest = [...units];
  const done: Unit[] = [];
  let at = free;
  for (let next = rest[0]; next !== undefined; next = rest[0]) {
    const hole = holeBefore(next, at);
    const filler = hole === 0 ? 0 : fillerOf(rest, at, at + hole);
    const [unit] = rest.splice(filler, 1);
    if (unit === undefined) break;
    at = endOfUnit(unit, at);
    done.push(unit);
  }
  return done;
}

/** Bits left free before the unit when it is put at `free`. */
function holeBefore({ pieces }: Unit, free: number): number {
  const [first] = pieces;
  return first === undefined ? 0 : placePiece(first, free) - free;
}

/** Which of `rest` fills most of the hole from `free` to `end`; 0 = the first itself, behind the hole. */
function fillerOf(rest: readonly Unit[], free: number, end: number): number {
  let found = 0;
  let reach = free;
  for (let i = 1; i < rest.length; i++) {
    const unit = rest[i];
    if (unit === undefined) break;
    const unitEnd = endOfUnit(unit, free);
    if (unitEnd > end || unitEnd < reach || unitEnd === free) continue;
    found = i;
    reach = unitEnd;
  }
  return found;
}

/** How many of `units` do not keep their place among the others. */
function movedOf(units: readonly Unit[], order: readonly Unit[]): number {
  const places = new Map(units.map((unit, place) => [unit, place]));
  return (
    units.length - longestIncreasingSubsequence(order.map((unit) => places.get(unit) ?? 0)).size
  );
}
