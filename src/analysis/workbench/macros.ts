/** Macros of C: their arguments, and the tokens that `##` makes. Source: ISO C, 6.10.3. */
import { type Token, tokensOf } from '#analysis/c/tokens.ts';
import { Fault } from './cursor.ts';

export type Macro = {
  /** Names of the parameters; null for a macro without parentheses. */
  readonly params: readonly string[] | null;
  readonly isVariadic: boolean;
  readonly body: readonly Token[];
};

/** A token, and the names of the macros it results from, which must not be expanded again. */
export type Hidden = { readonly token: Token; readonly hidden: ReadonlySet<string> };
export const NO_MACROS: ReadonlySet<string> = new Set();

/** Reads a macro's arguments from `(` to `)`. Throws `Fault` if there is no `)`. */
export function argumentsOf(waiting: Hidden[], name: Token): { args: Token[][]; end: number } {
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
