/** The members that can be named on a struct or union: its own, and those of its anonymous ones. */
import type { TypeId } from '#model/ids.ts';
import { isComposite, type Member, membersOf } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';

export type InnerMember = {
  /** Member numbers from the struct that was asked. */
  readonly path: readonly number[];
  readonly member: Member;
  /** Bits from the start of the struct that was asked. */
  readonly bitOffset: number;
};

const MAX_MEMBERS = 100_000;
const MAX_DEPTH = 32;

/** All of them in the order of declaration; at most 100,000. */
export function innerMembers(types: TypeTable, id: TypeId): InnerMember[] {
  const found: InnerMember[] = [];
  const stack = [{ members: membersOf(types, id), next: 0, path: [] as number[], start: 0 }];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const member = level.members[level.next++];
    if (member === undefined || found.length >= MAX_MEMBERS) {
      stack.pop();
      continue;
    }
    const path = [...level.path, member.index];
    const bitOffset = level.start + member.bitOffset;
    if (member.nameOff !== 0) {
      found.push({ path, member, bitOffset });
      continue;
    }
    const inner = skipModifiers(types, member.type);
    if (stack.length < MAX_DEPTH && isComposite(kindOf(types, inner))) {
      stack.push({ members: membersOf(types, inner), next: 0, path, start: bitOffset });
    }
  }
  return found;
}
