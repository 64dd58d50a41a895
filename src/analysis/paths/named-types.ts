/** Finds the types that the user's text names at one end of a path question. */
import { findTypeKey } from '#analysis/types/type-key.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { nameMatcher } from '#model/names.ts';
import { kindOf, nameOffOf, skipModifiers } from '#model/type-table.ts';
import { idOfSlot, nodeOf, type PathIndex, typeOfNode } from './path-index.ts';
import type { PlaceText } from './place-text.ts';

/** Maximum number of types with one name; a kernel has a few dozen at most. */
const MAX_NAMED = 64;

const KEYWORD_KINDS: Readonly<Record<string, readonly number[]>> = {
  struct: [BtfKind.STRUCT, BtfKind.FWD],
  union: [BtfKind.UNION, BtfKind.FWD],
  enum: [BtfKind.ENUM, BtfKind.ENUM64],
  typedef: [BtfKind.TYPEDEF],
};

const NAMED_KINDS = [...Object.values(KEYWORD_KINDS).flat(), BtfKind.INT, BtfKind.FLOAT];

/** Returns at most MAX_NAMED types named by the text `place`, in the order of their ids. */
export function typesAskedFor(index: PathIndex, place: NonNullable<PlaceText['type']>): TypeId[] {
  const { types } = index;
  if (place.by === 'key') {
    const id = findTypeKey(types, place.key);
    return id === null || id === 0 ? [] : [id];
  }
  const kinds = place.keyword === null ? NAMED_KINDS : (KEYWORD_KINDS[place.keyword] ?? []);
  const isNamed = nameMatcher(types, place.name);
  const ids: TypeId[] = [];
  index.nameOffs.forEach((nameOff, slot) => {
    if (nameOff === 0 || !isNamed(nameOff) || ids.length === MAX_NAMED) return;
    const id = idOfSlot(index.slots, slot);
    if (kinds.includes(kindOf(types, id))) ids.push(id);
  });
  return ids;
}

/** A struct or union in a path question, named directly or by a typedef. */
export type AskedNode = {
  readonly node: number;
  /** Type of the node, or the typedef if the type is anonymous. */
  readonly type: TypeId;
};

/** Returns the nodes of the types, without duplicates. */
export function nodesAskedFor(index: PathIndex, ids: readonly TypeId[]): AskedNode[] {
  const { types } = index;
  const nodes = new Map<number, AskedNode>();
  for (const id of ids) {
    const node = nodeOf(index, skipModifiers(types, id));
    if (node < 0 || nodes.has(node)) continue;
    const type = typeOfNode(index, node);
    nodes.set(node, { node, type: nameOffOf(types, type) === 0 ? id : type });
  }
  return [...nodes.values()];
}

const INET: readonly string[] = ['daddr', 'rcv_saddr', 'dport', 'num'];

/**
 * A macro that programs use like a field: `sk->sk_family` is `sk->__sk_common.skc_family`. Source:
 * the kernel's include/net/sock.h and include/net/inet_sock.h.
 */
type MacroName = {
  /** The member that the macro stands for. */
  readonly member: string;
  /** Path to the member from the struct on which programs use the macro. */
  readonly access: string;
};

/** Returns the macro with this name, or null. */
export function macroName(name: string): MacroName | null {
  const [, sock] = /^sk_([a-z]\w*)$/.exec(name) ?? [];
  if (sock !== undefined) {
    return { member: `skc_${sock}`, access: `__sk_common.skc_${sock}` };
  }
  const [, inet] = /^inet_(\w+)$/.exec(name) ?? [];
  if (inet === undefined || !INET.includes(inet)) return null;
  return { member: `skc_${inet}`, access: `sk.__sk_common.skc_${inet}` };
}

/** Returns the macro that stands for a member (`sk_family` for `skc_family`), or null. */
export function macroOf(member: string): string | null {
  const [, sock] = /^skc_([a-z]\w*)$/.exec(member) ?? [];
  return sock === undefined ? null : `sk_${sock}`;
}
