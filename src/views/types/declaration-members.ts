/** The members that a header can be cut down to. */
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberAt, memberCount } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';

/** More are not offered one by one. */
const MAX_NAMES = 10_000;
/** Members that are looked at; anonymous members can lead through a hostile file for ever. */
const MAX_LOOKS = 100_000;

/**
 * Names of the members of a struct or union in their order, each once; those of
 * anonymous members in their place. Raw names.
 */
export function choosableMembers(types: TypeTable, composite: TypeId): string[] {
  const names = new Set<string>();
  const stack = [{ type: composite, next: 0 }];
  for (let looks = 0; looks < MAX_LOOKS && names.size < MAX_NAMES; looks++) {
    const level = stack.at(-1);
    if (level === undefined) break;
    const member =
      level.next < memberCount(types, level.type)
        ? memberAt(types, level.type, level.next++)
        : null;
    if (member === null) {
      stack.pop();
      continue;
    }
    const inner = skipModifiers(types, member.type);
    if (member.name !== '') names.add(member.name);
    else if (isComposite(kindOf(types, inner))) stack.push({ type: inner, next: 0 });
  }
  return [...names];
}
