/**
 * Finds a member by name in a struct or union of the target and in its anonymous members, depth
 * first, as libbpf's `bpf_core_match_member`.
 *
 * As in libbpf, if a member with the name, inside an anonymous member, has a wrong type, the search
 * continues after the anonymous member, and the path into it stays in the spec. The code does not
 * recurse, since the file decides how deep anonymous members are nested.
 */
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isNameless, nameBytes, wholeNameTest } from '#model/names.ts';
import { type ItemReader, isComposite, readMembers } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindOf,
  nameOffOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { Errno, MAX_INDICES } from './access-string.ts';
import { kindClass } from './candidates.ts';
import { sameEssentialName } from './essential-name.ts';
import type { SpecAccessor } from './spec.ts';
import type { MatchFault, Mismatch, Miss, Recorder } from './trace.ts';
import { pairKey } from './type-pairs.ts';

/** A target spec under construction. */
export type SpecInProgress = {
  readonly accessors: SpecAccessor[];
  readonly raw: number[];
  /** Bits from the start of the first element, modulo 2^32. */
  bitOffset: number;
};

type Frame = {
  readonly id: TypeId;
  readonly members: ItemReader;
  index: number;
  /** Bits that the anonymous member at this level has added to the spec's offset. */
  taken: number;
  /** Number of levels searched so far, from this level downwards. */
  height: number;
  /** True while no member with the right name has been found at this level. */
  clean: boolean;
};

/** Type of the matching member, or the reason why no member matches. */
export type MemberFound =
  | { readonly outcome: 'match'; readonly type: TypeId }
  | { readonly outcome: 'miss'; readonly miss: Miss }
  | ({ readonly outcome: 'fault' } & MatchFault);

/** Finds the local accessor's member in `targetId`, and adds the steps to `spec`. */
export function matchMember(
  localTypes: TypeTable,
  local: SpecAccessor,
  targetTypes: TypeTable,
  targetId: TypeId,
  spec: SpecInProgress,
  { detail, work }: Recorder,
): MemberFound {
  const name = nameBytes(localTypes, local.nameOff ?? 0);
  const isWanted = wholeNameTest(targetTypes, name);
  const root = skipModifiers(targetTypes, targetId);
  let miss: Miss | null = null;
  const missed = (): MemberFound => {
    const text = decodeText(name);
    const why = isComposite(kindOf(targetTypes, root)) ? 'no-member' : 'not-composite';
    return { outcome: 'miss', miss: miss ?? { why, type: root, name: text } };
  };
  detail?.({ step: 'look-up', name: decodeText(name), type: root });
  if (!isComposite(kindOf(targetTypes, root))) return missed();

  // Number of levels in each anonymous type that lacks the member, to search each type once.
  const searchedHeights = new Map<TypeId, number>();
  const stack: Frame[] = [frameOf(targetTypes, root)];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { members, index } = frame;
    if (index >= members.count) {
      leave(stack, spec, searchedHeights);
      continue;
    }
    if (spec.raw.length === MAX_INDICES) {
      return { outcome: 'fault', fault: 'too-deep', errno: Errno.E2BIG };
    }
    const tooMuch = work.spend(1);
    if (tooMuch !== null) return { outcome: 'fault', ...tooMuch };
    frame.height = Math.max(frame.height, 1);
    const nameOff = members.nameOff(index);
    if (isNameless(targetTypes, nameOff)) {
      const inner = skipModifiers(targetTypes, members.type(index));
      if (isComposite(kindOf(targetTypes, inner))) {
        detail?.({ step: 'anonymous', type: frame.id, index, inner, depth: stack.length });
        const height = searchedHeights.get(inner);
        if (height === undefined || spec.raw.length + 1 + height > MAX_INDICES) {
          frame.taken = members.bitOffset(index);
          take(spec, index, frame.taken);
          stack.push(frameOf(targetTypes, inner));
          continue;
        }
        frame.height = Math.max(frame.height, 1 + height);
        detail?.({ step: 'searched-before', type: inner, depth: stack.length });
      }
      frame.index += 1;
      continue;
    }
    if (!isWanted(nameOff)) {
      frame.index += 1;
      continue;
    }
    const bitOffset = members.bitOffset(index);
    take(spec, index, bitOffset);
    const type = members.type(index);
    const localType = readMembers(localTypes, local.type).type(local.index);
    const mismatch = fieldMismatch(localTypes, localType, targetTypes, type);
    const text = decodeText(name);
    detail?.({ step: 'member', name: text, type: frame.id, index, bitOffset, mismatch });
    if (mismatch === null) {
      spec.accessors.push({ type: frame.id, index, nameOff });
      return { outcome: 'match', type };
    }
    miss = { why: 'incompatible', type: frame.id, name: text, mismatch };
    for (const at of stack) at.clean = false;
    frame.index = members.count;
  }
  return missed();
}

function frameOf(t: TypeTable, id: TypeId): Frame {
  return { id, members: readMembers(t, id), index: 0, taken: 0, height: 0, clean: true };
}

function take(spec: SpecInProgress, index: number, bitOffset: number): void {
  spec.bitOffset = (spec.bitOffset + bitOffset) >>> 0;
  spec.raw.push(index);
}

/** Leaves an anonymous member: removes its steps and continues after it. */
function leave(stack: Frame[], spec: SpecInProgress, searchedHeights: Map<TypeId, number>): void {
  const left = stack.pop();
  const frame = stack.at(-1);
  if (left === undefined || frame === undefined) return;
  if (left.clean) searchedHeights.set(left.id, left.height);
  frame.height = Math.max(frame.height, 1 + left.height);
  spec.bitOffset = (spec.bitOffset - frame.taken) >>> 0;
  spec.raw.pop();
  frame.index += 1;
}

/** Returns the rule of libbpf's `bpf_core_fields_are_compat` that two types break, or null. */
function fieldMismatch(
  localTypes: TypeTable,
  localId: TypeId,
  targetTypes: TypeTable,
  targetId: TypeId,
): Mismatch | null {
  const guard = new LoopGuard();
  let local = skipModifiers(localTypes, localId);
  let target = skipModifiers(targetTypes, targetId);
  for (;;) {
    const no = (rule: Mismatch['rule']) => ({ local, target, rule, name: '', path: [] });
    const kind = kindOf(localTypes, local);
    const targetKind = kindOf(targetTypes, target);
    if (isComposite(kind) && isComposite(targetKind)) return null;
    if (kindClass(kind) !== kindClass(targetKind)) return no('kind');
    switch (kind) {
      case BtfKind.PTR:
      case BtfKind.FLOAT:
        return null;
      case BtfKind.FWD:
      case BtfKind.ENUM:
      case BtfKind.ENUM64: {
        const name = nameOffOf(localTypes, local);
        const targetName = nameOffOf(targetTypes, target);
        const isAnonymous = isNameless(localTypes, name) || isNameless(targetTypes, targetName);
        return isAnonymous || sameEssentialName(localTypes, name, targetTypes, targetName)
          ? null
          : no('name');
      }
      case BtfKind.INT:
        // libbpf rejects integers whose first bit is not bit 0.
        return intData(localTypes, local).bitOffset === 0 &&
          intData(targetTypes, target).bitOffset === 0
          ? null
          : no('int-bit-offset');
      case BtfKind.ARRAY:
        if (guard.cameRound(pairKey(local, target))) return no('endless');
        local = skipModifiers(localTypes, arrayData(localTypes, local).elemType);
        target = skipModifiers(targetTypes, arrayData(targetTypes, target).elemType);
        break;
      default:
        return no('unexpected-kind');
    }
  }
}
