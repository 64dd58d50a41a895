/** Collects the names of all members in a file, to suggest names while the user types. */
import { shortName } from '#model/names.ts';
import { membersOf, readMembers } from '#model/type-items.ts';
import { macroOf, nodesAskedFor, typesAskedFor } from './named-types.ts';
import { type PathIndex, typeOfNode } from './path-index.ts';
import { parsePlace } from './place-text.ts';

export type FieldName = {
  /** Name of the members, not escaped. */
  readonly name: string;
  /** Number of members with this name. */
  readonly count: number;
};

/** Distinct member names with the number of members for each name, including macros for members. */
export type FieldNames = { readonly names: readonly string[]; readonly counts: readonly number[] };

/** Maximum characters of a name. */
const MAX_NAME = 128;
const MAX_ALL_NAMES = 1 << 24;

/** Counts members by `name_off` first, since compilers store each name once. */
export function buildFieldNames(index: PathIndex): FieldNames {
  const byOffset = new Map<number, number>();
  for (let node = 0; node < index.ids.length; node++) countNames(index, node, byOffset);
  const byName = new Map<string, number>();
  let length = 0;
  for (const [offset, count] of byOffset) {
    const name = shortName(index.types, offset, MAX_NAME);
    length += name.length;
    if (length > MAX_ALL_NAMES) break;
    if (name !== '') byName.set(name, (byName.get(name) ?? 0) + count);
  }
  for (const [name, count] of [...byName]) {
    const macro = macroOf(name);
    if (macro !== null && !byName.has(macro)) byName.set(macro, count);
  }
  return { names: [...byName.keys()], counts: [...byName.values()] };
}

function countNames({ types, ids }: PathIndex, node: number, byOffset: Map<number, number>): void {
  const id = typeOfNode({ ids }, node);
  const members = readMembers(types, id);
  for (let i = 0; i < members.count; i++) {
    const offset = members.nameOff(i);
    if (offset !== 0) byOffset.set(offset, (byOffset.get(offset) ?? 0) + 1);
  }
}

/** Returns at most `limit` suggestions, best first; for `sock.sk_fa` only members of `sock`. */
export function suggestFields(
  index: PathIndex,
  fields: FieldNames,
  typed: string,
  limit: number,
): FieldName[] {
  const place = parsePlace(typed);
  if (place === null) return [];
  const isOfType = place.type !== null && /\.|->/.test(typed);
  if (place.type !== null && isOfType) {
    const [asked] = nodesAskedFor(index, typesAskedFor(index, place.type));
    if (asked === undefined) return [];
    const names = [...new Set(visibleNames(index, asked.node))];
    const counts = names.map(() => 1);
    return best(names, counts, place.field, limit);
  }
  const needle = place.type === null ? place.field : typed.trim();
  return needle === '' ? [] : best(fields.names, fields.counts, needle, limit);
}

/** Maximum number of structs to search for names; hostile files nest more of them. */
const MAX_VISITED = 256;

/** Returns the names of a struct's members, including the members of anonymous members. */
function visibleNames(index: PathIndex, root: number): string[] {
  const names: string[] = [];
  const left = [root];
  const visited = new Set<number>();
  for (let node = left.shift(); node !== undefined; node = left.shift()) {
    if (visited.has(node) || visited.size >= MAX_VISITED) continue;
    visited.add(node);
    const type = typeOfNode(index, node);
    const unnamed = new Set<number>();
    for (const { name, index: number } of membersOf(index.types, type)) {
      if (name === '') unnamed.add(number);
      else names.push(name);
    }
    for (let arc = index.starts[node] ?? 0; arc < (index.starts[node + 1] ?? 0); arc++) {
      if (unnamed.has(index.member[arc] ?? 0)) left.push(index.to[arc] ?? 0);
    }
  }
  return names;
}

const EXACT = 0;
const PREFIX = 1;
const INSIDE = 2;

function best(
  names: readonly string[],
  counts: readonly number[],
  needle: string,
  limit: number,
): FieldName[] {
  const wanted = needle.toLowerCase();
  const matches: { readonly row: number; readonly rank: number }[] = [];
  names.forEach((name, row) => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at < 0) return;
    const whole = at === 0 && name.length === wanted.length;
    matches.push({ row, rank: whole ? EXACT : at === 0 ? PREFIX : INSIDE });
  });
  const length = (row: number) => names[row]?.length ?? 0;
  const count = (row: number) => counts[row] ?? 0;
  return matches
    .sort((a, b) => a.rank - b.rank || count(b.row) - count(a.row) || length(a.row) - length(b.row))
    .slice(0, limit)
    .map(({ row }) => ({ name: names[row] ?? '', count: count(row) }));
}
