/**
 * Preprocesses C as far as headers and BPF programs need: `#define`, `#undef`, conditions, `#pragma
 * pack`, `#include` of the headers in `headers.ts`. Never throws: a line with an error is reported
 * and left out. Source: ISO C, section 6.10.
 */
import { type Token, tokensOf } from '#analysis/c/tokens.ts';
import { append, upperBound } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { Endian } from '#bytes/span.ts';
import { literalBytes } from './constants.ts';
import { Cursor, END, Fault } from './cursor.ts';
import type { Problem } from './declared-places.ts';
import { readConstant } from './expressions.ts';
import { HAS, type Header, headerOf, PREDEFINED, VMLINUX, VMLINUX_MACROS } from './headers.ts';
import {
  argumentsOf,
  type Expanded,
  expansionOf,
  isWithin,
  type Macro,
  macroOf,
  pasted,
  quoted,
  renamedBy,
} from './macros.ts';
import { includedSource, type SourceFile, sourcePlace, sourceStarts } from './sources.ts';

/** Limits the tokens that macros read and make, and eighths of the characters that they join. */
const MAX_TOKENS = 300_000;
/** Limits the tokens of local headers: a header that is included twice is read twice. */
const MAX_INCLUDED = 500_000;
/** Work of including a header, in tokens. */
const INCLUSION_WORK = 16;
/** Limits nested macros in arguments, and nested headers. */
const MAX_DEPTH = 32;
/** Name of the program, which `__FILE__` gives. */
const PROGRAM_NAME = 'a.c';

export type Preprocessed = {
  /** Tokens, the last of kind `end`. The text of a `#pragma pack` is its limit in bytes, or 0. */
  readonly tokens: readonly Token[];
  readonly problems: readonly Problem[];
  /** Notes about parts that are left out, although the text compiles. */
  readonly notes: readonly Problem[];
  /** Names that macros replace in `vmlinux.h`; null if the text does not include it. */
  readonly renamed: ReadonlyMap<string, string> | null;
};

/**
 * Preprocesses a program for BPF in one byte order. `headers` are its local headers, `kernelName` is
 * the file behind `vmlinux.h`.
 */
export function preprocess(
  text: string,
  endian: Endian = 'little',
  kernelName: string | null = null,
  headers: readonly SourceFile[] = [],
): Preprocessed {
  const run = new Preprocessor(text, headers, kernelName);
  const order = endian === 'big' ? 'BIG' : 'LITTLE';
  run.read(
    tokensOf(`#define __BYTE_ORDER__ __ORDER_${order}_ENDIAN__\n#define __${order}_ENDIAN__ 1`),
    0,
  );
  run.read(PREDEFINED, 0);
  run.read(tokensOf(text), 0);
  const { out, problems, notes } = run;
  const end = text.length;
  out.push({ kind: 'end', text: '', start: end, end, before: '\n' });
  return { tokens: out, problems, notes, renamed: run.renamed };
}

type Condition = { readonly start: Token; active: boolean; taken: boolean; outer: boolean };

class Preprocessor {
  readonly out: Token[] = [];
  readonly problems: Problem[] = [];
  readonly notes: Problem[] = [];
  readonly #macros = new Map<string, Macro>();
  /** Headers that were read, and the paths of those that are missing. */
  readonly #included = new Set<Header | string>();
  /** Local headers with `#pragma once`, by index. */
  readonly #once = new Set<number>();
  #made = 0;
  #counter = 0;
  readonly #packs: string[] = [];
  #pack = '0';
  readonly #text: string;
  readonly #headers: readonly SourceFile[];
  /** Offset of each local header. */
  readonly #starts: readonly number[];
  /** Tokens of the local headers that were included, by index. */
  readonly #tokens = new Map<number, readonly Token[]>();
  /** Work of reading local headers, in tokens. */
  #read = 0;
  /** Offsets of the lines, by the file that `__LINE__` was in. */
  readonly #lines = new Map<number, readonly number[]>();
  readonly #kernelName: string | null;
  renamed: ReadonlyMap<string, string> | null = null;
  /** True after the note about `__FILE__`. */
  #notesFile = false;

  constructor(text: string, headers: readonly SourceFile[], kernelName: string | null) {
    this.#text = text;
    this.#headers = headers;
    this.#starts = sourceStarts(text.length, headers);
    this.#kernelName = kernelName;
  }

  read(tokens: readonly Token[], depth: number): void {
    const conditions: Condition[] = [];
    let run: Token[] = [];
    const flush = () => {
      this.#attempt(() => {
        this.#put(this.#expand(run, 0));
      });
      run = [];
    };
    for (let i = 0; i < tokens.length; ) {
      const token = tokens[i];
      if (token === undefined || token.kind === 'end') break;
      const isActive = conditions.at(-1)?.active ?? true;
      if (token.text !== '#' || token.before !== '\n') {
        if (isActive) run.push(token);
        i++;
        continue;
      }
      let end = i + 1;
      while (end < tokens.length && tokens[end]?.before !== '\n') end++;
      const line = tokens.slice(i + 1, end);
      flush();
      this.#attempt(() => this.#directive(token, line, conditions, depth));
      i = end;
    }
    flush();
    for (const { start } of conditions) this.#report('this condition has no #endif', start);
  }

  /** Adds expanded tokens to the output, and follows the `_Pragma` among them. */
  #put(tokens: readonly Token[]): void {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] ?? END;
      const string = tokens[i + 2];
      const isPragma = token.text === '_Pragma' && token.kind === 'word';
      if (!isPragma || string?.kind !== 'string' || tokens[i + 3]?.text !== ')') {
        this.out.push(token);
        continue;
      }
      const text = new TextDecoder().decode(Uint8Array.from(literalBytes(string)));
      const { start, end } = token;
      this.#pragma(
        tokensOf(text)
          .slice(0, -1)
          .map((each) => ({ ...each, start, end })),
      );
      i += 3;
    }
  }

  #report(message: string, { start, end }: Token, list = this.problems): void {
    list.push({ message, start, end: Math.max(end, start + 1) });
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#report(error.message, error.token);
    }
  }

  #directive(hash: Token, line: readonly Token[], conditions: Condition[], depth: number): void {
    const [name, ...rest] = line;
    const top = conditions.at(-1);
    const isActive = top?.active ?? true;
    switch (name?.text) {
      case 'if':
      case 'ifdef':
      case 'ifndef': {
        const active = isActive && this.#holds(name, rest);
        conditions.push({ start: name, active, taken: active, outer: isActive });
        return;
      }
      case 'elif':
      case 'elifdef':
      case 'elifndef':
      case 'else':
        if (top === undefined) throw new Fault(`#${name.text} without #if`, name);
        top.active = top.outer && !top.taken && (name.text === 'else' || this.#holds(name, rest));
        top.taken ||= top.active;
        return;
      case 'endif':
        if (top === undefined) throw new Fault('#endif without #if', name);
        conditions.pop();
        return;
    }
    if (!isActive || name === undefined) return;
    switch (name.text) {
      case 'define':
        this.#macros.set(...macroOf(name, rest));
        return;
      case 'undef':
        this.#macros.delete(rest[0]?.text ?? '');
        return;
      case 'include':
        this.#include(name, rest, depth);
        return;
      case 'pragma':
        this.#pragma(rest);
        return;
      case 'error':
        throw new Fault(`#error ${rest.map(({ text }) => text).join(' ')}`, hash);
      case 'warning':
      case 'line':
        return;
      default:
        throw new Fault(`#${name.text} is not supported`, name);
    }
  }

  #holds(name: Token, rest: readonly Token[]): boolean {
    const [first] = rest;
    if (first === undefined) throw new Fault(`#${name.text} needs a condition`, name);
    if (name.text.endsWith('ifdef')) return this.#macros.has(first.text);
    if (name.text.endsWith('ifndef')) return !this.#macros.has(first.text);
    const condition: Token[] = [];
    for (let i = 0; i < rest.length; i++) {
      const token = rest[i] ?? first;
      const isQuestion = token.text === 'defined' || token.text.startsWith('__has_');
      if (!isQuestion) {
        condition.push(token);
        continue;
      }
      const isGroup = rest[i + 1]?.text === '(';
      const what = rest[i + (isGroup ? 2 : 1)]?.text ?? '';
      const answer = token.text === 'defined' ? this.#macros.has(what) : this.#has(token, what);
      condition.push({ ...token, kind: 'number', text: answer ? '1' : '0' });
      i += isGroup ? 3 : 1;
    }
    const numbers = this.#expand(condition, 0).map(
      (token): Token => (token.kind === 'word' ? { ...token, kind: 'number', text: '0' } : token),
    );
    const cursor = new Cursor(numbers);
    const value = readConstant(cursor, null);
    if (cursor.peek().kind !== 'end') throw cursor.expected('an operator');
    return value !== 0n;
  }

  /** Returns the value of `__has_attribute`, `__has_builtin` and similar operators. */
  #has(question: Token, what: string): boolean {
    const name = what.replace(/^__(.+)__$/, '$1');
    if (HAS.has(name)) return true;
    this.#report(`${question.text} of ${what} is not known here: taken as 0`, question, this.notes);
    return false;
  }

  #include(directive: Token, rest: readonly Token[], depth: number): void {
    const isPath = rest[0]?.kind === 'string' || rest[0]?.text === '<';
    const path = (isPath ? rest : this.#expand(rest, 0))
      .map(({ text }) => text)
      .join('')
      .replace(/^["<]|[">]$/g, '');
    const last = rest.at(-1) ?? directive;
    const place = { ...directive, end: last.end };
    if (depth >= MAX_DEPTH) throw new Fault('headers are nested too deep', place);
    if (this.#includeLocal(place, path, depth)) return;
    const known = headerOf(path);
    if (this.#included.has(known ?? path)) return;
    this.#included.add(known ?? path);
    if (known === null) {
      const message = `${path} is not included here: add it as a file, or declare what you use of it`;
      this.#report(message, place, this.notes);
      return;
    }
    let { text, note } = known;
    if (known === VMLINUX && this.#kernelName !== null) {
      this.renamed = renamedBy(this.#macros);
      text = VMLINUX_MACROS;
      note = `vmlinux.h has the types of ${this.#kernelName}`;
    }
    if (note !== null) this.#report(note, place, this.notes);
    const header = { start: place.start, end: place.end, isHeader: true } as const;
    this.read(
      tokensOf(text).map((token) => ({ ...token, ...header })),
      depth + 1,
    );
  }

  /** Reads the local header of this path. Returns false if there is none. */
  #includeLocal(place: Token, path: string, depth: number): boolean {
    const { file } = sourcePlace(this.#starts, place.start);
    const from = this.#headers[file]?.name ?? '';
    const found = includedSource(this.#headers, path, from);
    const header = this.#headers[found];
    if (header === undefined) return false;
    if (this.#once.has(found)) return true;
    const shift = this.#starts[found] ?? 0;
    const tokens = getOrCreate(this.#tokens, found, () =>
      tokensOf(header.text).map((token) => ({
        ...token,
        start: token.start + shift,
        end: token.end + shift,
      })),
    );
    this.#read += tokens.length + INCLUSION_WORK;
    if (this.#read > MAX_INCLUDED) throw new Fault('headers make too much of this text', place);
    this.read(tokens, depth + 1);
    return true;
  }

  #pragma(rest: readonly Token[]): void {
    const words = rest.map(({ text }) => text).filter((text) => !'(),'.includes(text));
    const [first, second] = rest;
    const isAttribute = second?.text === 'attribute' && words.includes('push');
    const isLayout = ['ms_struct', 'options'].includes(first?.text ?? '');
    if (
      first !== undefined &&
      (isLayout || (first.text === 'clang' && second?.text === 'section'))
    ) {
      throw new Fault('this #pragma is not supported', first);
    }
    if (first?.text === 'clang' && isAttribute && !words.includes('preserve_access_index')) {
      throw new Fault('#pragma clang attribute is supported for preserve_access_index', first);
    }
    if (first?.text === 'once') this.#once.add(sourcePlace(this.#starts, first.start).file);
    if (first?.text !== 'pack') return;
    const bytes = words.findLast((word) => /^\d+$/.test(word));
    if (words.includes('push')) this.#packs.push(this.#pack);
    if (words.includes('pop')) this.#pack = this.#packs.pop() ?? '0';
    else if (bytes !== undefined || words.length === 1) this.#pack = bytes ?? '0';
    this.out.push({ ...first, kind: 'pack', text: this.#pack });
  }

  /** Expands macros until none is left. Throws `Fault` for nesting that is too deep. */
  #expand(tokens: readonly Token[], depth: number): Token[] {
    if (depth > MAX_DEPTH) throw new Fault('macros are nested too deep', tokens[0] ?? END);
    const out: Token[] = [];
    // Tokens to expand, in reverse order: the next token is the last element.
    const waiting: Expanded[] = tokens.map((token) => ({ token, within: null })).reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { token, within } = next;
      if (token.text === '__COUNTER__' || token.text === '__LINE__') {
        const text = `${token.text === '__LINE__' ? this.#lineOf(token) : this.#counter++}`;
        out.push({ ...token, kind: 'number', text });
        continue;
      }
      if (token.text === '__FILE__') {
        out.push({ ...token, kind: 'string', text: JSON.stringify(this.#nameOfFile(token)) });
        continue;
      }
      const macro = token.kind === 'word' ? this.#macros.get(token.text) : undefined;
      const isCall = waiting.at(-1)?.token.text === '(';
      if (
        macro === undefined ||
        (macro.params !== null && !isCall) ||
        isWithin(within, token.text)
      ) {
        out.push(token);
        continue;
      }
      let made: readonly Token[] = [];
      let inner = within;
      let end = token.end;
      try {
        const call = macro.params === null ? NO_CALL : argumentsOf(waiting, token);
        end = Math.max(end, call.end);
        inner = expansionOf(token, within);
        made = this.#substitute(token, macro, call.args, depth);
      } catch (error) {
        if (depth > 0 || !(error instanceof Fault)) throw error;
        this.#report(error.message, error.token);
      }
      const { start, isHeader } = token;
      for (let i = made.length - 1; i >= 0; i--) {
        const { kind, text, before } = made[i] ?? END;
        // A token that results from a macro has the place of the macro's use.
        const placed: Token = { kind, text, start, end, before: i === 0 ? token.before : before };
        waiting.push({ token: isHeader ? { ...placed, isHeader } : placed, within: inner });
      }
    }
    return out;
  }

  /** Returns the name of the file that the token is in. Notes that clang writes a path. */
  #nameOfFile(token: Token): string {
    const { file } = sourcePlace(this.#starts, token.start);
    const name = this.#headers[file]?.name ?? PROGRAM_NAME;
    if (!this.#notesFile) {
      this.#notesFile = true;
      this.#report(
        `__FILE__ is "${name}" here: clang writes the path of its argument`,
        token,
        this.notes,
      );
    }
    return name;
  }

  /** Returns the number of the line that the token is on, in its file. */
  #lineOf({ start }: Token): number {
    const { file, offset } = sourcePlace(this.#starts, start);
    const starts = getOrCreate(this.#lines, file, () => {
      const text = this.#headers[file]?.text ?? this.#text;
      return Array.from(text.matchAll(/\n/g), ({ index }) => index + 1);
    });
    return upperBound(starts, offset) + 1;
  }

  /** Counts work of macros. Throws `Fault` if it is too much. */
  #count(work: number, name: Token): void {
    this.#made += work;
    if (this.#made <= MAX_TOKENS) return;
    // Drop all macros, so that the time for the rest of the text is linear.
    this.#macros.clear();
    throw new Fault('macros make too much of this text', name);
  }

  #substitute(
    name: Token,
    { params, isVariadic, body }: Macro,
    args: readonly (readonly Token[])[],
    depth: number,
  ): Token[] {
    const count = params?.size ?? 0;
    const fits = isVariadic ? args.length >= count - 1 : args.length === count;
    const isEmptyCall = count === 0 && args.length === 1 && args[0]?.length === 0;
    const isOneEmpty = count === 1 && args.length === 0;
    if (params !== null && !fits && !isEmptyCall && !isOneEmpty) {
      throw new Fault(`${name.text} takes ${count} arguments, not ${args.length}`, name);
    }
    const rawOf = (word: string): readonly Token[] | null => {
      const index = params?.get(word);
      if (index === undefined) return null;
      const raw =
        !isVariadic || index < count - 1
          ? (args[index] ?? [])
          : args.slice(index).flatMap((arg, i) => (i === 0 ? arg : [COMMA, ...arg]));
      this.#count(raw.length, name);
      return raw;
    };
    /** Returns the argument for an operand of `#` or `##`, without expanding it. */
    const operand = (token: Token) => (token.kind === 'word' ? rawOf(token.text) : null) ?? [token];
    const out: Token[] = [];
    for (let i = 0; i < body.length; i++) {
      const token = body[i] ?? END;
      const next = body[i + 1];
      this.#count(1, name);
      const raw = token.kind === 'word' ? rawOf(token.text) : null;
      if (token.text === '#' && params !== null && next?.kind === 'word') {
        const text = quoted(operand(next));
        this.#count(text.length >> 3, name);
        out.push({ ...token, kind: 'string', text });
        i++;
      } else if (token.text === '##' && next !== undefined && out.length > 0) {
        const right = operand(next);
        const left = out.pop() ?? END;
        i++;
        // GNU extension: the comma in `, ## __VA_ARGS__` is dropped if there are no arguments.
        if (left.text === ',') {
          if (right.length > 0) append(out, [left, ...this.#expand(right, depth + 1)]);
        } else if (right.length === 0) out.push(left);
        else {
          this.#count(left.text.length >> 3, name);
          append(out, [pasted(left, right[0] ?? END, name), ...right.slice(1)]);
        }
      } else if (raw === null) out.push(token);
      else if (next?.text === '##') {
        const right = body[i + 2];
        append(out, raw);
        if (raw.length > 0) continue;
        // If the left operand of `##` is an empty argument, the right operand remains.
        if (right !== undefined) append(out, operand(right));
        i += right === undefined ? 1 : 2;
      } else append(out, this.#expand(raw, depth + 1));
    }
    return out;
  }
}

const NO_CALL = { args: [], end: 0 };
const COMMA: Token = { kind: 'sign', text: ',', start: 0, end: 0, before: '' };
