/**
 * LIKE for squirreling 0.12.11, which searches by a regular expression with `.*` for each `%`: its time
 * grows with a power of the length of the text, and no signal ends it.
 */
import {
  derivedAlias,
  type ExprNode,
  type SqlPrimitive,
  type Statement,
  type UserDefinedFunction,
} from 'squirreling';

/** Function of the engine that computes LIKE. Users cannot write its name. */
const LIKE = '\ue000LIKE';

let recent: { readonly pattern: string; readonly matches: (text: string) => boolean } | null = null;

export const LIKE_FUNCTION: Readonly<Record<string, UserDefinedFunction>> = {
  [LIKE]: {
    apply: (text: SqlPrimitive, pattern: SqlPrimitive) => {
      if (text == null || pattern == null) return false;
      const written = String(pattern);
      if (recent?.pattern !== written) recent = { pattern: written, matches: likePattern(written) };
      return recent.matches(String(text));
    },
    arguments: { min: 2, max: 2 },
  },
};

/** Replaces `LIKE` by calls of `LIKE_FUNCTION`. Names of columns remain. */
export function withLikeCalls(statement: Statement): Statement {
  return replacedIn(statement) as Statement;
}

function replacedIn(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(replacedIn);
  const made: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, part]) => [key, replacedIn(part)]),
  );
  if (made.type === 'derived' && made.alias === undefined && 'expr' in node) {
    const name = derivedAlias(node.expr as ExprNode);
    return name === derivedAlias(made.expr as ExprNode) ? made : { ...made, alias: name };
  }
  if (made.type !== 'binary' || made.op !== 'LIKE') return made;
  const { left, right, positionStart, positionEnd } = made;
  return { type: 'function', funcName: LIKE, args: [left, right], positionStart, positionEnd };
}

/** Returns the operands of a call of `LIKE_FUNCTION`, or null. */
export function likeOperands(node: ExprNode): readonly [ExprNode, ExprNode] | null {
  if (node.type !== 'function' || node.funcName !== LIKE) return null;
  const [text, pattern] = node.args;
  return text && pattern ? [text, pattern] : null;
}

/** Compiles a pattern of LIKE, ignoring case. Searches a text once for each part between `%`. */
export function likePattern(pattern: string): (text: string) => boolean {
  const parts = pattern.toLowerCase().split('%');
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  return (written) => {
    const text = written.toLowerCase();
    if (last === undefined) return text.length === first.length && isAt(text, first, 0);
    if (text.length < first.length + last.length || !isAt(text, first, 0)) return false;
    let at = first.length;
    const end = text.length - last.length;
    for (const part of rest) {
      at = placeOf(text, part, at, end);
      if (at < 0) return false;
      at += part.length;
    }
    return isAt(text, last, end);
  };
}

/** Returns the first index of `part` between `from` and `end`, or -1. */
function placeOf(text: string, part: string, from: number, end: number): number {
  if (!part.includes('_')) {
    const found = text.indexOf(part, from);
    return found >= 0 && found + part.length <= end ? found : -1;
  }
  for (let at = from; at + part.length <= end; at++) if (isAt(text, part, at)) return at;
  return -1;
}

function isAt(text: string, part: string, at: number): boolean {
  for (let i = 0; i < part.length; i++) {
    if (part[i] !== '_' && part[i] !== text[at + i]) return false;
  }
  return true;
}
