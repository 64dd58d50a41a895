/** What stands between a member and the struct that it leads to: arrays, pointers, and what tags say of these. */
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, nameOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { MAX_POINTERS, nextOf } from './pointees.ts';

export type MemberShape = {
  /** Arrays around the member itself: each takes an index in the access string. */
  readonly arrays: number;
  /** From the first pointer on, in the order in which they are gone through. */
  readonly beyond: readonly ('pointer' | 'array')[];
  /** Texts of the type tags passed (`percpu`, `user`, `rcu`). Raw. */
  readonly tags: readonly string[];
  /** The type at the end: a typedef where only that names it. */
  readonly end: TypeId;
};

/** More arrays in arrays than this no index is looked for in. */
const MAX_PARTS = 64;

/** The shape of a member of type `id`. Total; what is longer than a path can be is cut. */
export function memberShape(t: TypeTable, id: TypeId): MemberShape {
  const guard = new LoopGuard();
  const beyond: ('pointer' | 'array')[] = [];
  const tags: string[] = [];
  let arrays = 0;
  let named: TypeId | null = null;
  let at = id;
  while (!guard.cameRound(at)) {
    const kind = kindOf(t, at);
    if (kind === BtfKind.TYPEDEF) named = at;
    else if (kind === BtfKind.PTR || kind === BtfKind.ARRAY) named = null;
    if (kind === BtfKind.TYPE_TAG && tags.length < MAX_POINTERS) tags.push(nameOf(t, at));
    if (kind === BtfKind.ARRAY && beyond.length === 0) arrays++;
    else if (kind === BtfKind.ARRAY) beyond.push('array');
    else if (kind === BtfKind.PTR) beyond.push('pointer');
    const next = nextOf(t, at);
    if (next === null || arrays + beyond.length > MAX_PARTS) break;
    at = typeId(next);
  }
  return { arrays, beyond, tags, end: nameOffOf(t, at) === 0 && named !== null ? named : at };
}
