/** The way from a reference to the node of the graph that it means. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import {
  arrayData,
  isModifier,
  kindOf,
  nameOf,
  refOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { LoopGuard } from './loop-guard.ts';

export type Followed = {
  /** Null where the way ends in a scalar, void, a loop, or nowhere. */
  readonly to: TypeId | null;
  readonly via: string;
  readonly behindPointer: boolean;
};

/** Passes pointers, arrays and modifiers until it meets a node. */
export function follow(t: TypeTable, id: TypeId): Followed {
  const guard = new LoopGuard();
  const passed: string[] = [];
  let behindPointer = false;
  // What modifiers lead to is looked up once for each run of them: chains may be long.
  let namesAnonymous: boolean | null = null;
  for (let at = id; !guard.cameRound(at); ) {
    const kind = kindOf(t, at);
    if (kind === BtfKind.TYPEDEF) namesAnonymous ??= isNameless(t, skipModifiers(t, at));
    if (isThing(kind) || (kind === BtfKind.TYPEDEF && namesAnonymous === true)) {
      return { to: at, via: spell(passed), behindPointer };
    }
    const word = passedWord(t, at, kind);
    if (word === null) break;
    if (word !== '') passed.push(word);
    if (!isModifier(kind)) namesAnonymous = null;
    behindPointer ||= kind === BtfKind.PTR;
    at = kind === BtfKind.ARRAY ? arrayData(t, at).elemType : (refOf(t, at) ?? VOID);
  }
  return { to: null, via: '', behindPointer };
}

/** Is this a struct, union or enum that only a typedef can name? */
function isNameless(t: TypeTable, id: TypeId): boolean {
  const kind = kindOf(t, id);
  const named = kind === BtfKind.FWD || kind === BtfKind.FUNC || kind === BtfKind.FUNC_PROTO;
  return isThing(kind) && !named && nameOf(t, id) === '';
}

/** Longer chains are cut; only hostile files have them. */
const MAX_WORDS = 12;

/** In C's order, the innermost first: an array of pointers is `* [4]`. */
function spell(passed: readonly string[]): string {
  const words = passed.slice(0, MAX_WORDS).reverse();
  if (passed.length > MAX_WORDS) words.unshift('…');
  return words.length === 0 ? '' : `${words.join(' ')} `;
}

function isThing(kind: number): boolean {
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
    case BtfKind.FWD:
    case BtfKind.FUNC:
    case BtfKind.FUNC_PROTO:
      return true;
    default:
      return false;
  }
}

/** What an edge says about a type that it passes; null for a type that ends the way. */
function passedWord(t: TypeTable, id: TypeId, kind: number): string | null {
  switch (kind) {
    case BtfKind.PTR:
      return '*';
    case BtfKind.ARRAY:
      return `[${arrayData(t, id).nelems}]`;
    case BtfKind.CONST:
      return 'const';
    case BtfKind.VOLATILE:
      return 'volatile';
    case BtfKind.RESTRICT:
      return 'restrict';
    case BtfKind.TYPEDEF:
    case BtfKind.TYPE_TAG:
    case BtfKind.VAR:
      return '';
    default:
      return null;
  }
}
