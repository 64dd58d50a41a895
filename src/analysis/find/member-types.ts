/**
 * Finds structs that have a member of a type or pointer type, `member-type:spinlock_t *`, and
 * functions that take or return one, `takes:sock`.
 */
import { addTo, getOrCreate } from '#bytes/cache.ts';
import type { Slices } from '#bytes/long-work.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { shortName } from '#model/names.ts';
import { isComposite, readMembers, readParams } from '#model/type-items.ts';
import {
  arrayData,
  firstAtHand,
  isModifier,
  kindOf,
  lastId,
  nameOffOf,
  refOf,
  type TypeTable,
} from '#model/type-table.ts';
import { namedMemberHit } from './find-names.ts';
import type { TypeFinder } from './finder.ts';
import { type FindAnswer, type FindHit, NO_HITS, typeHit } from './make-hit.ts';
import type { AskedPrototype, AskedType } from './query.ts';

/** Maximum number of typedefs, qualifiers and arrays to follow: hostile types can form a cycle. */
const MAX_CHAIN = 64;

/**
 * Returns a function that returns true for the wanted type; with `isThrough`, also for pointers to
 * it if the query has no `*`.
 */
function matcher(
  t: TypeTable,
  { name, isPointer }: AskedType,
  isThrough = false,
): (id: TypeId) => boolean {
  const known = new Map<TypeId, boolean>();
  // Maximum number of bytes to compare: names in a hostile file can be a megabyte long.
  const maxBytes = 4 * name.length + 1;
  const matches = (id: TypeId): boolean => {
    let at = id;
    let isBehind = !isPointer;
    for (let steps = 0; steps < MAX_CHAIN; steps++) {
      if (isBehind && shortName(t, nameOffOf(t, at), maxBytes).toLowerCase() === name) return true;
      const kind = kindOf(t, at);
      if (kind === BtfKind.PTR && (!isBehind || isThrough)) isBehind = true;
      else if (kind !== BtfKind.ARRAY && !isModifier(kind)) return false;
      at = kind === BtfKind.ARRAY ? arrayData(t, at).elemType : (refOf(t, at) ?? typeId(0));
    }
    return false;
  };
  return (id) => getOrCreate(known, id, () => matches(id));
}

/** Number of types between two checks of the elapsed time. */
const STRIDE = 512;

/** Returns the members of the wanted type in file order, with paths from named structs. */
export async function findByMemberType(
  finder: TypeFinder,
  asked: AskedType,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  const { types } = finder;
  if (asked.name === '') return { ...NO_HITS, problem: 'Type a name: member-type:spinlock_t' };
  const isAsked = matcher(types, asked);
  const hits: FindHit[] = [];
  let total = 0;
  for (let n = firstAtHand(types); n <= lastId(types); n++) {
    if (n % STRIDE === 0 && slices.isOver) await slices.rest();
    const id = typeId(n);
    if (!isComposite(kindOf(types, id))) continue;
    const members = readMembers(types, id);
    for (let i = 0; i < members.count; i++) {
      if (!isAsked(members.type(i))) continue;
      total++;
      const hit = hits.length < limit ? namedMemberHit(finder, id, i, '') : null;
      if (hit !== null) hits.push(hit);
    }
  }
  const star = asked.isPointer ? ' *' : '';
  const problem = total > 0 ? null : `No member has the type ${asked.name}${star}`;
  return { hits, total, problem };
}

/** Returns the functions whose parameters or result have the wanted type, in file order. */
export function* functionsWith(t: TypeTable, asked: AskedPrototype): Generator<TypeId> {
  const isAsked = matcher(t, asked.type, true);
  const known = new Map<TypeId, boolean>();
  const matches = (proto: TypeId) => {
    if (kindOf(t, proto) !== BtfKind.FUNC_PROTO) return false;
    if (asked.part === 'returns') return isAsked(refOf(t, proto) ?? typeId(0));
    const params = readParams(t, proto);
    for (let i = 0; i < params.count; i++) if (isAsked(params.type(i))) return true;
    return false;
  };
  if (asked.type.name === '') return;
  for (let n = firstAtHand(t); n <= lastId(t); n++) {
    const id = typeId(n);
    if (kindOf(t, id) !== BtfKind.FUNC) continue;
    const proto = refOf(t, id);
    if (proto !== null && getOrCreate(known, proto, () => matches(proto))) yield id;
  }
}

/** Returns the hits of the functions that take or return the wanted type. */
export async function findFunctions(
  { types }: TypeFinder,
  asked: AskedPrototype,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  const { part, type } = asked;
  if (type.name === '') return { ...NO_HITS, problem: `Type a name: ${part}:sock` };
  const hits: FindHit[] = [];
  let total = 0;
  for (const id of functionsWith(types, asked)) {
    if (total++ % STRIDE === 0 && slices.isOver) await slices.rest();
    if (hits.length < limit) hits.push(typeHit(types, id, ''));
  }
  const star = type.isPointer ? ' *' : '';
  const problem = total > 0 ? null : `No function ${part} ${type.name}${star}`;
  return { hits, total, problem };
}

/** Returns the ids of structs and unions with a member of the type, also in anonymous members. */
export function holdersOfType(t: TypeTable, asked: AskedType): ReadonlySet<number> {
  const holders = new Set<number>();
  if (asked.name === '') return holders;
  const isAsked = matcher(t, asked);
  const around = new Map<number, number[]>();
  const waiting: number[] = [];
  const add = (id: number) => {
    if (!holders.has(id)) waiting.push(id);
    holders.add(id);
  };
  for (let n = firstAtHand(t); n <= lastId(t); n++) {
    if (!isComposite(kindOf(t, typeId(n)))) continue;
    const members = readMembers(t, typeId(n));
    for (let i = 0; i < members.count; i++) {
      const type = members.type(i);
      if (isAsked(type)) add(n);
      if (nameOffOf(t, type) === 0 && isComposite(kindOf(t, type))) addTo(around, type, n);
    }
  }
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const outer of around.get(id) ?? []) add(outer);
  }
  return holders;
}
