/**
 * Collects facts about a function's body from its tokens, since bodies are not compiled: names it
 * uses, variables it changes or passes on by address, its static variables, its strings.
 */
import type { Token } from '#analysis/c/tokens.ts';
import { append } from '#bytes/arrays.ts';
import { literalBytes } from './constants.ts';
import { Cursor } from './cursor.ts';
import type { DeclaredFunction } from './declared-places.ts';

export type Body = {
  /** Possible names, strings, and the tokens of `static` and `extern` declarations, in order. */
  readonly parts: readonly (string | { readonly bytes: readonly number[] } | readonly Token[])[];
  /** Names that the body reads; names that it only assigns to are left out. */
  readonly reads: readonly string[];
  /** Variables that the body assigns to, or whose address it takes. */
  readonly changes: readonly string[];
  /** Variables whose address the body passes on to other code. */
  readonly escapes: readonly string[];
  /** Names that alone are an argument of a call: functions and arrays are passed by address. */
  readonly passed: readonly string[];
  /** Names that the body uses as values: neither called nor in `escapes` or `passed`. */
  readonly values: readonly string[];
  /** Names that the body calls, once for each call. */
  readonly calls: readonly string[];
  /** Names that the body calls where code rarely runs: clang inlines less there. */
  readonly lateCalls: readonly string[];
  /** Measure of the code's size: the tokens that are evaluated, more with loops. */
  readonly size: number;
  /** Number of `parts` before the first condition: the optimizer can find others never to run. */
  readonly unconditional: number;
  /** True for initialized local structs and arrays, of which clang may make constants with names. */
  readonly hasConstants: boolean;
};

/** Tokens that a loop counts for: clang unrolls short ones, and inlines functions with long ones less. */
const LOOP_SIZE = 100;

const CONDITION = /^(if|switch|while|for|\?|&&|\|\|)$/;

/** Names that are those of types by the conventions of the kernel and of C. */
const TYPE_NAME = /^(_*[us](8|16|32|64)|\w+_t|char|short|int|long|signed|unsigned|bool|_Bool)$/;

const JUMP = /^(return|goto|break|continue)$/;

/** Jumps and blocks after which a call is taken to run rarely: each may halve how often code runs. */
const RARE = 4;

/** Limits the parentheses that are looked at between `&` and its operand. */
const MAX_PARENTHESES = 8;

/** Returns the facts about a body. `body` has the tokens between its braces. */
export function readBody(body: readonly Token[]): Body {
  const tokens = evaluated(body);
  const parts: (string | { bytes: number[] } | Token[])[] = [];
  const locals = localsIn(tokens);
  const words = new Set<string>();
  let unconditional: number | null = null;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    if (CONDITION.test(token.text)) unconditional ??= parts.length;
    if (token.text === 'static' || token.text === 'extern') {
      const end = endOfDeclaration(tokens, i);
      parts.push(tokens.slice(i, end));
      i = end;
    } else if (token.kind === 'string') {
      const bytes = literalBytes(token);
      const isArray = tokens[i - 1]?.text === '=' && tokens[i - 2]?.text === ']';
      for (; tokens[i + 1]?.kind === 'string'; i++)
        append(bytes, literalBytes(tokens[i + 1] ?? token));
      if (!isArray) parts.push({ bytes });
    } else if (isName(tokens, i) && !words.has(token.text)) {
      if (locals.has(token.text) && tokens[i + 1]?.text !== '(') continue;
      words.add(token.text);
      parts.push(token.text);
    }
  }
  const ofOthers = (names: readonly string[]) => names.filter((name) => !locals.has(name));
  const ends = endsOfPaths(tokens);
  const arrows = arrowsBefore(tokens);
  const reads = ofOthers(
    wordsIn(tokens.filter((_, i) => !isOnlyAssigned(tokens, i, ends, arrows))),
  );
  const escapes = ofOthers(
    uniqueTexts(tokens.filter(({ kind }, i) => kind === 'word' && isAddressTaken(tokens, i))),
  );
  const passed = ofOthers(argumentsIn(tokens));
  const uncalled = ofOthers(wordsIn(tokens.filter((_, i) => tokens[i + 1]?.text !== '(')));
  const others = new Set([...escapes, ...passed]);
  const values = uncalled.filter((word) => !others.has(word));
  const calls = tokens
    .filter((_, i) => isName(tokens, i) && tokens[i + 1]?.text === '(')
    .map(({ text }) => text);
  const loops = tokens.filter(({ text }) => text === 'for' || text === 'while').length;
  const size = tokens.length + LOOP_SIZE * loops;
  const changes = ofOthers(changedIn(tokens, ends));
  return {
    parts,
    reads,
    changes,
    escapes,
    passed,
    values,
    calls,
    lateCalls: lateCallsIn(tokens),
    size,
    unconditional: unconditional ?? parts.length,
    hasConstants: hasConstants(tokens),
  };
}

/** Returns true if a variable or compound literal has values in braces that are not just 0. */
function hasConstants(tokens: readonly Token[]): boolean {
  /** Indexes of the `(` that are open. */
  const open: number[] = [];
  let closed = -1;
  let isSymbol = false;
  return tokens.some(({ text }, i) => {
    if (text === 'static' || text === 'extern') isSymbol = true;
    if (text === ';') isSymbol = false;
    if (text === '(') open.push(i);
    if (text === ')') closed = open.pop() ?? -1;
    if (text !== '{' || isSymbol) return false;
    const before = tokens[i - 1]?.text;
    const isValue =
      before === '=' ||
      (before === ')' && /^[=,&(]$|^return$/.test(tokens[closed - 1]?.text ?? ''));
    const first = tokens[i + 1]?.text === '0' ? i + 2 : i + 1;
    return isValue && tokens[first]?.text !== '}';
  });
}

/** Words that precede an expression. Other words before a name declare it. */
const BEFORE_EXPRESSION = new Set(['return', 'else', 'case', 'do', 'goto', 'sizeof']);

/** Returns the names of variables that the body declares without storage, so that they hide others. */
function localsIn(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  let isSymbol = false;
  for (const [i, { kind, text }] of tokens.entries()) {
    if (text === 'static' || text === 'extern') isSymbol = true;
    if (text === ';') isSymbol = false;
    if (isSymbol || kind !== 'word' || !/^[=;,[]$/.test(tokens[i + 1]?.text ?? '')) continue;
    let type = i - 1;
    while (/^(\*|const|volatile|restrict)$/.test(tokens[type]?.text ?? '')) type--;
    if (tokens[type]?.kind !== 'word' || BEFORE_EXPRESSION.has(tokens[type]?.text ?? '')) continue;
    // `; a *b` and `struct a *b` declare b, `x = a * b` does not.
    const before = tokens[type - 1];
    const isType = before === undefined || /^[;{}]$/.test(before.text) || before.kind === 'word';
    const isProduct = !isType || BEFORE_EXPRESSION.has(before?.text ?? '');
    if (type === i - 1 || !isProduct) names.add(text);
  }
  return names;
}

/** Returns the names that are called where code rarely runs: in blocks, and after jumps. */
function lateCallsIn(tokens: readonly Token[]): string[] {
  let jumps = 0;
  let depth = 0;
  const late = tokens.filter((token, i) => {
    if (JUMP.test(token.text)) jumps++;
    if (token.text === '{' && tokens[i - 1]?.text !== '(') depth++;
    if (token.text === '}' && tokens[i + 1]?.text !== ')') depth--;
    return jumps + depth > RARE && isName(tokens, i) && tokens[i + 1]?.text === '(';
  });
  return uniqueTexts(late);
}

/** Returns the words that can be names of variables or functions, in code or in an initializer. */
export function wordsIn(tokens: readonly Token[]): string[] {
  return uniqueTexts(tokens.filter((_, i) => isName(tokens, i)));
}

function uniqueTexts(tokens: readonly Token[]): string[] {
  return [...new Set(tokens.map(({ text }) => text))];
}

function isName(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]?.text;
  return tokens[i]?.kind === 'word' && before !== '.' && before !== '->';
}

/** Operators that do not evaluate their operand. */
const UNEVALUATED = new Set(
  `sizeof typeof __typeof__ __typeof _Alignof __alignof__ asm __asm__ __asm _Static_assert
  __builtin_offsetof __builtin_types_compatible_p`.split(/\s+/),
);
const ATTRIBUTE = /^__attribute(__)?$/;

/**
 * Returns the tokens except for operands that are not evaluated. Of attributes, declarations of
 * symbols keep all, others the call that `cleanup` makes.
 */
function evaluated(body: readonly Token[]): readonly Token[] {
  const tokens: Token[] = [];
  const cursor = new Cursor(body);
  let isSymbol = false;
  while (cursor.peek().kind !== 'end') {
    const token = cursor.next();
    if (token.text === 'static' || token.text === 'extern') isSymbol = true;
    if (token.text === ';') isSymbol = false;
    if (ATTRIBUTE.test(token.text) && !isSymbol) {
      if (cursor.take('(')) append(tokens, cleanupCalls(cursor.skipGroup()));
      continue;
    }
    tokens.push(token);
    if (!UNEVALUATED.has(token.text)) continue;
    while (/^(__)?(volatile|goto|inline)(__)?$/.test(cursor.peek().text)) cursor.next();
    if (cursor.take('(')) cursor.skipGroup();
  }
  return tokens;
}

/** Returns `f()` for each `cleanup(f)` in the tokens of an attribute list. */
function cleanupCalls(list: readonly Token[]): Token[] {
  return list.flatMap(({ text }, i) => {
    const [open, name] = [list[i + 1], list[i + 2]];
    const isCleanup = /^(__)?cleanup(__)?$/.test(text) && open?.text === '(';
    return isCleanup && name !== undefined ? [name, open, { ...open, text: ')' }] : [];
  });
}

/** Returns the index of the `;` at the end of the declaration that begins at `from`. */
function endOfDeclaration(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const { text, kind } = tokens[i] ?? { text: ';', kind: 'sign' };
    if (kind !== 'sign') continue;
    if ('([{'.includes(text)) depth++;
    if (')]}'.includes(text)) depth--;
    if ((text === ';' && depth === 0) || depth < 0) return i;
  }
  return tokens.length;
}

/** Returns names that are assigned, incremented or decremented, or that follow a `&`. */
function changedIn(body: readonly Token[], ends: Int32Array): string[] {
  const words = body.filter(({ kind }, i) => {
    if (kind !== 'word') return false;
    const [before2, before] = [body[i - 2], body[i - 1]];
    const end = ends[i + 1] ?? i + 1;
    const [after, after2] = [body[end], body[end + 1]];
    const isStep = (a: Token | undefined, b: Token | undefined) =>
      a !== undefined && a.text === b?.text && (a.text === '+' || a.text === '-');
    const isAssigned =
      after?.text === '=' ||
      (after2?.text === '=' && /^([-+*/%&|^]|<<|>>)$/.test(after?.text ?? ''));
    return (
      isAssigned || isAddressTaken(body, i) || isStep(before, before2) || isStep(after, after2)
    );
  });
  return uniqueTexts(words);
}

function isOnlyAssigned(
  body: readonly Token[],
  i: number,
  ends: Int32Array,
  arrows: Int32Array,
): boolean {
  const at = ends[i + 1] ?? i + 1;
  if (body[at]?.text !== '=' || !isName(body, i) || body[i - 1]?.text === '*') return false;
  return arrows[i + 1] === arrows[at];
}

/** Returns, for each index of a body, the number of `->` before it. */
function arrowsBefore(body: readonly Token[]): Int32Array {
  const counts = new Int32Array(body.length + 1);
  for (const [i, { text }] of body.entries())
    counts[i + 1] = (counts[i] ?? 0) + (text === '->' ? 1 : 0);
  return counts;
}

/** Returns, for each index of a body, the index after the `.a`, `->b` and `[…]` that begin there. */
function endsOfPaths(body: readonly Token[]): Int32Array {
  const { length } = body;
  const ends = new Int32Array(length + 2).fill(length);
  /** Indexes of the `]` that have no `[` yet. */
  const closing: number[] = [];
  for (let i = length - 1; i >= 0; i--) {
    const text = body[i]?.text;
    if (text === ']') closing.push(i);
    const isMember = text === '.' || text === '->';
    const next = isMember ? i + 2 : text === '[' ? (closing.pop() ?? length) + 1 : null;
    ends[i] = next === null ? i : (ends[next] ?? length);
  }
  return ends;
}

/** Returns true if the word at `i` follows a unary `&`. */
function isAddressTaken(body: readonly Token[], i: number): boolean {
  let at = i - 1;
  while (body[at]?.text === '(' && at > i - MAX_PARENTHESES) at--;
  const before = body[at - 1];
  const isOperand =
    before?.kind === 'word' ||
    before?.kind === 'number' ||
    (')]'.includes(before?.text ?? ' ') && !isCastBefore(body, at));
  // In `&f(x)->y` the operand of `&` is what `f` returns.
  return body[at]?.text === '&' && !isOperand && body[i + 1]?.text !== '(';
}

/** Returns true if the `)` before index `at` ends a cast: to a pointer, or to a type by its name. */
function isCastBefore(body: readonly Token[], at: number): boolean {
  const [before2, before] = [body[at - 3]?.text ?? '', body[at - 2]?.text ?? ''];
  if (body[at - 1]?.text !== ')') return false;
  return before === '*' || TYPE_NAME.test(before) || /^(struct|union|enum)$/.test(before2);
}

/** Returns names that alone are an argument of a call. */
function argumentsIn(body: readonly Token[]): string[] {
  const words = body.filter(({ kind }, i) => {
    if (kind !== 'word') return false;
    const [before2, before, after] = [body[i - 2], body[i - 1], body[i + 1]];
    const begins = before?.text === ',' || (before?.text === '(' && before2?.kind === 'word');
    return begins && (after?.text === ',' || after?.text === ')');
  });
  return uniqueTexts(words);
}

/** Symbols that a body mentions, changes, passes on by address and reads. */
export type BodyUses = Pick<
  DeclaredFunction,
  | 'mentions'
  | 'changes'
  | 'escapes'
  | 'passed'
  | 'reads'
  | 'values'
  | 'calls'
  | 'lateCalls'
  | 'size'
  | 'hasConstants'
>;
export const NO_BODY: BodyUses = {
  mentions: [],
  changes: [],
  escapes: [],
  passed: [],
  reads: [],
  values: [],
  calls: [],
  lateCalls: [],
  size: 0,
  hasConstants: false,
};
