/** The types that one end of a question names. */
import { findTypeKey } from '#analysis/types/type-key.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { nameMatcher } from '#model/names.ts';
import { kindOf, nameOffOf, skipModifiers } from '#model/type-table.ts';
import { idOfSlot, nodeOf, type PathIndex, typeOfNode } from './path-index.ts';
import type { PlaceText } from './place-text.ts';

/** Types of one name that are taken; a kernel has at most some dozen. */
const MAX_NAMED = 64;

const KEYWORD_KINDS: Readonly<Record<string, readonly number[]>> = {
  struct: [BtfKind.STRUCT, BtfKind.FWD],
  union: [BtfKind.UNION, BtfKind.FWD],
  enum: [BtfKind.ENUM, BtfKind.ENUM64],
  typedef: [BtfKind.TYPEDEF],
};

const NAMED_KINDS = [...Object.values(KEYWORD_KINDS).flat(), BtfKind.INT, BtfKind.FLOAT];

/** The types that `place` names, at most 64 of them, in the order of their ids. */
export function typesAskedFor(index: PathIndex, place: NonNullable<PlaceText['type']>): TypeId[] {
  const { types } = index;
  if (place.by === 'key') {
    const id = findTypeKey(types, place.key);
    return id === null || id === 0 ? [] : [id];
  }
  const kinds = place.keyword === null ? NAMED_KINDS : (KEYWORD_KINDS[place.keyword] ?? []);
  const isNamed = nameMatcher(types, place.name);
  const found: TypeId[] = [];
  index.nameOffs.forEach((nameOff, slot) => {
    if (nameOff === 0 || !isNamed(nameOff) || found.length === MAX_NAMED) return;
    const id = idOfSlot(index.slots, slot);
    if (kinds.includes(kindOf(types, id))) found.push(id);
  });
  return found;
}

/** A struct or union that was asked for, by itself or by a typedef. */
export type AskedNode = {
  readonly node: number;
  /** What to call it: the typedef where it has no name of its own. */
  readonly type: TypeId;
};

/** The nodes that these types are, or stand for, each once. */
export function nodesAskedFor(index: PathIndex, ids: readonly TypeId[]): AskedNode[] {
  const { types } = index;
  const found = new Map<number, AskedNode>();
  for (const id of ids) {
    const node = nodeOf(index, skipModifiers(types, id));
    if (node < 0 || found.has(node)) continue;
    const own = typeOfNode(index, node);
    found.set(node, { node, type: nameOffOf(types, own) === 0 ? id : own });
  }
  return [...found.values()];
}

/**
 * Names that people write for fields of the kernel and that no BTF has, since they are
 * macros: `sk->sk_family` is `sk->__sk_common.skc_family`.
 *
 * Source: the kernel's include/net/sock.h and include/net/inet_sock.h.
 */

const INET: readonly string[] = ['daddr', 'rcv_saddr', 'dport', 'num'];

type MacroName = {
  /** The member that it stands for. */
  readonly member: string;
  /** How it is reached from the struct that people take it for a member of. */
  readonly access: string;
};

/** What `name` would be a macro for; null where it is none that is known. */
export function macroName(name: string): MacroName | null {
  const [, sock] = /^sk_([a-z]\w*)$/.exec(name) ?? [];
  if (sock !== undefined) {
    return { member: `skc_${sock}`, access: `__sk_common.skc_${sock}` };
  }
  const [, inet] = /^inet_(\w+)$/.exec(name) ?? [];
  if (inet === undefined || !INET.includes(inet)) return null;
  return { member: `skc_${inet}`, access: `sk.__sk_common.skc_${inet}` };
}

/** The macro that people know a member by: `sk_family` of `skc_family`; null for all others. */
export function macroOf(member: string): string | null {
  const [, sock] = /^skc_([a-z]\w*)$/.exec(member) ?? [];
  return sock === undefined ? null : `sk_${sock}`;
}
