/**
 * Alignments of types as the layouts in the file show them.
 *
 * BTF does not store `__attribute__((aligned))`. It shows where a member stands
 * further on than its type asks for, or where a struct is longer than its members
 * need: then it, and every struct that holds it by value, is aligned so.
 */

import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { alignOf } from '#analysis/types/sizes.ts';
import { type StructLayout, structLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { isComposite, memberCount } from '#model/type-items.ts';
import { arrayData, isModifier, kindOf, refOf, type TypeTable } from '#model/type-table.ts';
import { inferLayout } from './inferred-layout.ts';
import { alignmentBetween, roundUp } from './placement.ts';

/** So many members are looked at for one answer; no kernel's struct holds a tenth of that. */
const MAX_MEMBERS = 1 << 18;

const known = new WeakMap<TypeTable, Map<TypeId, number>>();

/** Bits that the address of a variable of `type` is a multiple of; at least 8. */
export function shownAlignBits(t: TypeTable, type: TypeId): number {
  let memo = known.get(t);
  if (memo === undefined) {
    memo = new Map();
    known.set(t, memo);
  }
  const at = alignedThing(t, type);
  return isComposite(kindOf(t, at)) ? compositeBits(t, at, memo) : plainBits(t, at);
}

function plainBits(t: TypeTable, type: TypeId): number {
  return 8 * Math.max(1, alignOf(t, type));
}

type Frame = { readonly id: TypeId; readonly layout: StructLayout; next: number };

/** Structs in structs, on a stack: the file decides how deep they go. */
function compositeBits(t: TypeTable, root: TypeId, memo: Map<TypeId, number>): number {
  const stack: Frame[] = [];
  let members = 0;
  const open = (id: TypeId) => {
    // A struct that holds itself finds this on its way; so does what is too large to be read.
    memo.set(id, plainBits(t, id));
    members += memberCount(t, id);
    if (members <= MAX_MEMBERS) stack.push({ id, layout: structLayout(t, id), next: 0 });
  };
  if (!memo.has(root)) open(root);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const row = frame.layout.rows[frame.next++];
    if (row === undefined) {
      memo.set(frame.id, readBits(t, frame, memo));
      stack.pop();
      continue;
    }
    const inner = alignedThing(t, row.type);
    if (isComposite(kindOf(t, inner)) && !memo.has(inner)) open(inner);
  }
  return memo.get(root) ?? 8;
}

function readBits(t: TypeTable, { id, layout }: Frame, memo: ReadonlyMap<TypeId, number>): number {
  const bitsOf = (type: TypeId) => {
    const at = alignedThing(t, type);
    return memo.get(at) ?? plainBits(t, at);
  };
  if (layout.isUnion) return unionBits(layout, bitsOf);
  const reading = inferLayout(t, layout, (row) => bitsOf(row.type), 'least');
  return reading.kind === 'read' ? reading.alignBits : plainBits(t, id);
}

function unionBits(layout: StructLayout, bitsOf: (type: TypeId) => number): number {
  const sizeBits = 8 * layout.sizeBytes;
  let most = 8;
  let end = 0;
  for (const row of layout.rows) {
    if (row.kind !== 'member') continue;
    most = Math.max(most, bitsOf(row.type));
    end = Math.max(end, row.bitOffset + row.bitSize);
  }
  if (sizeBits % most !== 0) return 8;
  if (roundUp(end, most) === sizeBits) return most;
  return Math.max(most, alignmentBetween(end, sizeBits, 'least') ?? 8);
}

/** Through modifiers and arrays to the type whose alignment counts; void where they lead in a circle. */
function alignedThing(t: TypeTable, id: TypeId): TypeId {
  const guard = new LoopGuard();
  for (let at = id; ; ) {
    if (guard.cameRound(at)) return VOID;
    const kind = kindOf(t, at);
    if (kind === BtfKind.ARRAY) at = arrayData(t, at).elemType;
    else if (isModifier(kind)) at = refOf(t, at) ?? VOID;
    else return at;
  }
}
