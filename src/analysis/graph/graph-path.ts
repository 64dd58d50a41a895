/** Finds the node of the graph that a reference leads to. */
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import {
  arrayData,
  isModifier,
  kindOf,
  nameOf,
  refOf,
  skipModifiers,
  skipQualifiers,
  type TypeTable,
} from '#model/type-table.ts';

export type Followed = {
  /** Node that the reference leads to; null for a scalar, void, a loop or a missing type. */
  readonly to: TypeId | null;
  /** Types between the reference and the node, outermost first; at most 64. */
  readonly chain: readonly TypeId[];
  readonly behindPointer: boolean;
};

/** Maximum length of `chain`; only hostile files have longer chains. */
const MAX_CHAIN = 64;
const MAX_WORDS = 12;
/** Maximum number of steps to a node. A run of modifiers after MAX_CHAIN is one step. */
const MAX_FOLLOWED = 1024;

/** Follows pointers, arrays, modifiers and typedefs to a node or to a type in `stops`. */
export function follow(t: TypeTable, id: TypeId, stops: ReadonlySet<TypeId> = new Set()): Followed {
  const guard = new LoopGuard();
  const chain: TypeId[] = [];
  let behindPointer = false;
  // Each run of modifiers is resolved only once, since runs can be long.
  let namesAnonymous: boolean | null = null;
  let at = id;
  for (let steps = 0; steps < MAX_FOLLOWED && !guard.cameRound(at); steps++) {
    const kind = kindOf(t, at);
    if (stops.has(at)) return { to: at, chain, behindPointer };
    if (kind === BtfKind.TYPEDEF) namesAnonymous ??= isNameless(t, skipModifiers(t, at));
    if (NODE_KINDS.has(kind) || (kind === BtfKind.TYPEDEF && namesAnonymous === true)) {
      return { to: at, chain, behindPointer };
    }
    if (!isPassed(kind)) break;
    if (chain.length < MAX_CHAIN) chain.push(at);
    if (!isModifier(kind)) namesAnonymous = null;
    behindPointer ||= kind === BtfKind.PTR;
    if (kind === BtfKind.ARRAY) at = arrayData(t, at).elemType;
    else if (chain.length < MAX_CHAIN || stops.size > 0) at = refOf(t, at) ?? VOID;
    else if (kind === BtfKind.TYPEDEF) at = skipModifiers(t, at);
    else at = isModifier(kind) ? skipQualifiers(t, at) : (refOf(t, at) ?? VOID);
  }
  return { to: null, chain: [], behindPointer };
}

/** Returns an edge's label for `chain` as raw text, innermost type first: `const *`, `list_t *`. */
export function chainText(t: TypeTable, chain: readonly TypeId[]): string {
  const words: string[] = [];
  for (const id of chain) {
    const word = wordOf(t, id);
    if (word === '') continue;
    if (words.length === MAX_WORDS) {
      words.push('…');
      break;
    }
    words.push(word);
  }
  return words.reverse().join(' ');
}

/** Returns true for a struct, union or enum without a name. */
function isNameless(t: TypeTable, id: TypeId): boolean {
  const kind = kindOf(t, id);
  const named = kind === BtfKind.FWD || kind === BtfKind.FUNC || kind === BtfKind.FUNC_PROTO;
  return NODE_KINDS.has(kind) && !named && nameOf(t, id) === '';
}

const NODE_KINDS: ReadonlySet<number> = new Set([
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.ENUM64,
  BtfKind.FWD,
  BtfKind.FUNC,
  BtfKind.FUNC_PROTO,
]);

/** Returns true for kinds of types that edges pass through; edges end at types of other kinds. */
export function isPassed(kind: number): boolean {
  return kind === BtfKind.PTR || kind === BtfKind.ARRAY || kind === BtfKind.VAR || isModifier(kind);
}

const KIND_WORDS: Readonly<Record<number, string>> = {
  [BtfKind.PTR]: '*',
  [BtfKind.CONST]: 'const',
  [BtfKind.VOLATILE]: 'volatile',
  [BtfKind.RESTRICT]: 'restrict',
};

function wordOf(t: TypeTable, id: TypeId): string {
  const kind = kindOf(t, id);
  if (kind === BtfKind.ARRAY) return `[${arrayData(t, id).nelems}]`;
  return kind === BtfKind.TYPEDEF ? nameOf(t, id) : (KIND_WORDS[kind] ?? '');
}
