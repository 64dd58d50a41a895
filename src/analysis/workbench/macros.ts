/** Macros of C: their arguments, and the tokens that `##` makes. Source: ISO C, 6.10.3. */
import { type Token, tokensOf } from '#analysis/c/tokens.ts';
import { Fault, shown } from './cursor.ts';

export type Macro = {
  /** Index of each parameter by its name; null for a macro without parentheses. */
  readonly params: ReadonlyMap<string, number> | null;
  readonly isVariadic: boolean;
  readonly body: readonly Token[];
};

/** A macro in whose expansion a token is; `outer` is the one around it. */
type Expansion = {
  readonly macro: string;
  readonly outer: Expansion | null;
  readonly depth: number;
};

/** A token, and the innermost expansion it results from. */
export type Expanded = { readonly token: Token; readonly within: Expansion | null };

/** Limits macros that expand to each other: a lookup in the list of expansions is linear. */
const MAX_EXPANSIONS = 1000;

/** Returns true inside of an expansion of `macro`, which must not be expanded there again. */
export function isWithin(expansion: Expansion | null, macro: string): boolean {
  for (let at = expansion; at !== null; at = at.outer) if (at.macro === macro) return true;
  return false;
}

/** Returns the expansion of a macro. Throws `Fault` if it is in too many others. */
export function expansionOf(name: Token, outer: Expansion | null): Expansion {
  const depth = (outer?.depth ?? 0) + 1;
  if (depth > MAX_EXPANSIONS) throw new Fault('macros are nested too deep', name);
  return { macro: name.text, outer, depth };
}

/** Returns the macro that a `#define` defines. Throws `Fault` for a syntax error. */
export function macroOf(directive: Token, rest: readonly Token[]): [name: string, Macro] {
  const [name, open] = rest;
  if (name?.kind !== 'word') throw new Fault('#define needs a name', directive);
  if (open?.text !== '(' || open.before !== '') {
    return [name.text, { params: null, isVariadic: false, body: rest.slice(1) }];
  }
  const params = new Map<string, number>();
  const add = (param: string) => {
    if (!params.has(param)) params.set(param, params.size);
  };
  let isVariadic = false;
  let at = 2;
  for (; rest[at]?.text !== ')'; at++) {
    const token = rest[at];
    if (token === undefined) throw new Fault('the parameters of this macro have no )', name);
    if (token.text === '...') {
      // GNU extension: in `args...` the name before the dots replaces `__VA_ARGS__`.
      if (rest[at - 1]?.kind !== 'word') add('__VA_ARGS__');
      isVariadic = true;
    } else if (token.kind === 'word') add(token.text);
    else if (token.text !== ',')
      throw new Fault(`a parameter was expected, not ${shown(token)}`, token);
  }
  return [name.text, { params, isVariadic, body: rest.slice(at + 1) }];
}

/** Reads a macro's arguments from `(` to `)`. Throws `Fault` if there is no `)`. */
export function argumentsOf(waiting: Expanded[], name: Token): { args: Token[][]; end: number } {
  waiting.pop();
  let arg: Token[] = [];
  const args = [arg];
  // Count only parentheses: a comma in brackets or braces separates arguments.
  for (let depth = 0; ; ) {
    const token = waiting.pop()?.token;
    if (token === undefined) throw new Fault(`the arguments of ${name.text} have no )`, name);
    if (token.text === ')' && depth === 0) return { args, end: token.end };
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (token.text === ',' && depth === 0) {
      arg = [];
      args.push(arg);
    } else arg.push(token);
  }
}

/** Returns the text of the string that `#` makes of an argument. */
export function quoted(tokens: readonly Token[]): string {
  const text = tokens.map((part, i) => (i > 0 && part.before !== '' ? ' ' : '') + part.text);
  return `"${text.join('').replace(/["\\]/g, '\\$&')}"`;
}

/** Returns the token that `##` makes of two tokens. Throws `Fault` if the text is not one token. */
export function pasted(left: Token, right: Token, name: Token): Token {
  const text = left.text + right.text;
  const [token, end] = tokensOf(text);
  if (token === undefined || end?.kind !== 'end') {
    throw new Fault(`${text} is not one token, and ${name.text} pastes it with ##`, name);
  }
  return { ...left, kind: token.kind, text };
}

/** Returns the macros without parameters that are one other name. */
export function renamedBy(macros: ReadonlyMap<string, Macro>): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [name, { params, body }] of macros) {
    const [word] = body;
    if (params === null && body.length === 1 && word?.kind === 'word' && word.text !== name)
      renamed.set(name, word.text);
  }
  return renamed;
}
