/** Matches the local symbols of an object with those of a linked file. */
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { SHT, STB } from '#formats/elf/constants.ts';
import { symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';

/**
 * Returns the rows of local symbols in `linked` by their rows in `object`. Linkers keep the order
 * after the STT_FILE symbol; of several such symbols the one with most matches counts.
 */
export function matchLocals(object: ObjectModel, linked: ObjectModel): ReadonlyMap<number, number> {
  const own = localsOf(object);
  const theirs = localsOf(linked);
  const fileName = own.find(({ isFile }) => isFile)?.name ?? null;
  const positions = new Map<string, number[]>();
  own.forEach(({ isFile, key }, i) => {
    if (!isFile && key !== '') addTo(positions, key, i);
  });
  let best: readonly (readonly [number, number])[] = [];
  for (const group of groupsOf(theirs, fileName)) {
    if (group.length <= best.length) continue;
    const found = matchInOrder(own, positions, group);
    if (found.length > best.length) best = found;
  }
  return new Map(best);
}

type Local = {
  readonly row: number;
  /** Type and name; empty without a name. */
  readonly key: string;
  readonly name: string;
  readonly isFile: boolean;
};

function localsOf({ symbols, sections }: ObjectModel): readonly Local[] {
  const found: Local[] = [];
  for (let row = 0; row < symbols.count; row++) {
    const symbol = symbolIndex(row);
    const isStatic = sections.type[symbols.table[row] ?? 0] === SHT.symtab;
    if (!isStatic || symbolBinding(symbols, symbol) !== STB.local) continue;
    const type = symbolType(symbols, symbol);
    if (type === SymbolType.SECTION) continue;
    const name = symbolName(symbols, symbol);
    const key = name === '' ? '' : `${type} ${name}`;
    found.push({ row, key, name, isFile: type === SymbolType.FILE });
  }
  return found;
}

/** Yields the symbols after each STT_FILE symbol with the name; without one, the first symbols. */
function* groupsOf(theirs: readonly Local[], fileName: string | null): Generator<readonly Local[]> {
  const files = theirs.flatMap(({ isFile }, i) => (isFile ? [i] : []));
  const isOurs = (at: number) => theirs[at]?.name === fileName;
  if (!files.some(isOurs)) {
    yield theirs.slice(0, files[0] === 0 ? files[1] : files[0]);
    return;
  }
  for (const [n, at] of files.entries()) {
    if (isOurs(at)) yield theirs.slice(at + 1, files[n + 1]);
  }
}

/**
 * Matches each of our symbols with the first equal one after the last match. Of equal symbols, those
 * that match are the first, and no more than the group has: the work is that of sorting the group.
 */
function matchInOrder(
  own: readonly Local[],
  positions: ReadonlyMap<string, readonly number[]>,
  group: readonly Local[],
): readonly (readonly [number, number])[] {
  const places = new Map<string, number[]>();
  group.forEach(({ key }, i) => {
    if (key !== '') addTo(places, key, i);
  });
  const candidates = [...places].flatMap(([key, { length }]) =>
    (positions.get(key) ?? []).slice(0, length),
  );
  const used = new Map<string, number>();
  const found: (readonly [number, number])[] = [];
  let next = 0;
  for (const position of candidates.toSorted((x, y) => x - y)) {
    const local = own[position];
    const equal = places.get(local?.key ?? '') ?? [];
    if (local === undefined) continue;
    let nth = getOrCreate(used, local.key, () => 0);
    while ((equal[nth] ?? next) < next) nth++;
    used.set(local.key, nth + 1);
    const at = equal[nth];
    const their = at === undefined ? undefined : group[at];
    if (at === undefined || their === undefined) continue;
    found.push([local.row, their.row]);
    next = at + 1;
  }
  return found;
}
