/**
 * Functions in place of those of squirreling 0.12.11 that have no bound. Its LIKE searches by a regular
 * expression with `.*` for each `%`: its time grows with a power of the length of the text, and no
 * signal ends it. Its REPLACE in itself makes texts of gigabytes.
 */
import {
  derivedAlias,
  type ExprNode,
  type SqlPrimitive,
  type Statement,
  type UserDefinedFunction,
} from 'squirreling';
import { QueryError } from './query-error.ts';

/** Names of the functions. Users cannot write them. */
const LIKE = '\ue000LIKE';
const REPLACE = '\ue000REPLACE';
/** Maximum characters that REPLACE can make, if it replaces every character. */
const MAX_TEXT = 1 << 24;

let recent: { readonly pattern: string; readonly matches: (text: string) => boolean } | null = null;

export const BOUNDED_FUNCTIONS: Readonly<Record<string, UserDefinedFunction>> = {
  [LIKE]: {
    apply: (text: SqlPrimitive, pattern: SqlPrimitive) => {
      if (text == null || pattern == null) return false;
      const written = String(pattern);
      if (recent?.pattern !== written) recent = { pattern: written, matches: likePattern(written) };
      return recent.matches(String(text));
    },
    arguments: { min: 2, max: 2 },
  },
  [REPLACE]: {
    apply: (value: SqlPrimitive, search: SqlPrimitive, replacement: SqlPrimitive) => {
      if (value == null) return null;
      if (typeof value === 'object' && !(value instanceof Date)) {
        throw new QueryError('REPLACE takes a text, no list or object', { start: 0, end: 0 });
      }
      if (search == null || replacement == null) return null;
      const [text, part] = [String(value), String(replacement)];
      if ((text.length + 1) * (part.length + 1) > MAX_TEXT) {
        const message = `REPLACE can make a text of more than ${MAX_TEXT} characters`;
        throw new QueryError(message, { start: 0, end: 0 });
      }
      // `$&` of a replacement is text, as in SQL.
      return text.replaceAll(String(search), () => part);
    },
    arguments: { min: 3, max: 3 },
  },
};

/** Replaces `LIKE` and `REPLACE` by calls of `BOUNDED_FUNCTIONS`. Names of columns remain. */
export function withBoundedFunctions(statement: Statement): Statement {
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
  const { type, funcName: name } = made;
  if (type === 'function' && typeof name === 'string' && name.toUpperCase() === 'REPLACE') {
    return { ...made, funcName: REPLACE };
  }
  if (made.type !== 'binary' || made.op !== 'LIKE') return made;
  const { left, right, positionStart, positionEnd } = made;
  return { type: 'function', funcName: LIKE, args: [left, right], positionStart, positionEnd };
}

/** Returns the operands of a call of LIKE, or null. */
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
