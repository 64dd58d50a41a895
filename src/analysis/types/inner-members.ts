/** Lists the members that C can name on a struct or union, even inside anonymous members. */
import type { TypeId } from '#model/ids.ts';
import { isComposite, type Member, membersFrom } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { memberBits } from './member-bits.ts';

type InnerMember = {
  /** Member numbers from the outermost struct down to this member. */
  readonly path: readonly number[];
  readonly member: Member;
  /** Offset of the member in bits, from the start of the outermost struct. */
  readonly bitOffset: number;
};

const MAX_DEPTH = 32;

/** Number of members that may still be visited. A few bytes can describe any number of members. */
export type MemberBudget = { left: number };

/** Returns the members in declaration order, up to the budget, and reduces `budget.left`. */
export function innerMembers(types: TypeTable, id: TypeId, budget: MemberBudget): InnerMember[] {
  const found: InnerMember[] = [];
  const stack = [{ id, members: membersFrom(types, id), path: [] as number[], start: 0 }];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const next = level.members.next();
    if (next.done === true || budget.left <= 0) {
      stack.pop();
      continue;
    }
    budget.left--;
    const member = next.value;
    const path = [...level.path, member.index];
    if (member.nameOff !== 0) {
      const { bitOffset } = memberBits(types, level.id, member);
      found.push({ path, member, bitOffset: level.start + bitOffset });
      continue;
    }
    const inner = skipModifiers(types, member.type);
    const isOpen = stack.some((outer) => outer.id === inner);
    if (!isOpen && stack.length < MAX_DEPTH && isComposite(kindOf(types, inner))) {
      stack.push({
        id: inner,
        members: membersFrom(types, inner),
        path,
        start: level.start + member.bitOffset,
      });
    }
  }
  return found;
}
