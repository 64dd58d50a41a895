/**
 * Matches a line of the verifier's log with the format that printed it. The kernel's `printf` formats
 * have texts in the place of `%s`, so that a line may fit several: the one with the most literal
 * characters is the line's.
 */
import { MESSAGES, type MessageFormat } from './message-table.ts';

/** A line and its format. */
export type Message = {
  readonly format: string;
  /** Class of messages, and rule: the name of its card. */
  readonly class: string;
  readonly rule: string;
  /**
   * Texts in the place of the conversions. The key is the name before `=`, `size` of `size %d`, `R` for the number of a
   * register (`R2` for a second one), else the index of the conversion: `0`, `1` …
   */
  readonly values: Readonly<Record<string, string>>;
  /** First register that the line names, `R0` … `R10`. */
  readonly register: string | null;
  /** Text after a format that the kernel continues with other formats. */
  readonly rest: string;
};

type Conversion = { readonly key: string; readonly isText: boolean };

/** A format, as literals with a conversion between each two. */
type Pattern = {
  readonly message: MessageFormat;
  readonly literals: readonly string[];
  readonly conversions: readonly Conversion[];
  /** The line ends with the format. */
  readonly isWhole: boolean;
  readonly literalLength: number;
};

const CONVERSION = /%[-+#0]*\d*(?:ll|l|z)?([a-zA-Z])/;

function compile(message: MessageFormat): Pattern {
  // A format of several lines is matched by its first one.
  const isWhole = message.format.includes('\\n');
  const line = message.format.replace(/\\n.*$/, '').replaceAll('\\t', '\t');
  const pieces = line.split(CONVERSION);
  const literals = pieces.filter((_, i) => i % 2 === 0);
  const used = new Set<string>();
  const conversions = pieces
    .filter((_, i) => i % 2 === 1)
    .map((letter, i) => {
      const literal = literals[i] ?? '';
      const name =
        /(\w+)=$|(?<= )(size) $/
          .exec(literal)
          ?.slice(1)
          .find((word) => word) ?? (/\bR$/.test(literal) ? 'R' : `${i}`);
      const key = used.has(name) ? `${name}2` : name;
      used.add(key);
      return { key, isText: letter === 's' };
    });
  const literalLength = literals.join('').length;
  return { message, literals, conversions, isWhole, literalLength };
}

/** Patterns by `keyOf` of the lines that they may match, the one with the most literals first. */
const BUCKETS: ReadonlyMap<string, readonly Pattern[]> = buckets();

function buckets(): Map<string, Pattern[]> {
  const map = new Map<string, Pattern[]>();
  for (const pattern of MESSAGES.map(compile)) {
    const [first = '', second = ''] = pattern.literals;
    const { isText } = pattern.conversions[0] ?? { isText: true };
    const key = keyOf(first === 'R' && !isText ? `R0${second}` : first);
    const bucket = map.get(key) ?? [];
    bucket.push(pattern);
    map.set(key, bucket);
  }
  const order = (a: Pattern, b: Pattern) =>
    b.literalLength - a.literalLength || Number(b.isWhole) - Number(a.isWhole);
  const shared = [...map].map(([key, bucket]): [string, Pattern[]] => {
    const others = wider(key).flatMap((other) => map.get(other) ?? []);
    return [key, [...bucket, ...others].sort(order)];
  });
  return new Map(shared);
}

/** Returns the keys of formats that begin with a text or a register, which fit other lines, too. */
function wider(key: string): string[] {
  if (key === '') return [];
  return key.startsWith('R ') ? ['R', ''] : [''];
}

/** Returns the word that a line begins with; of a line about a register `R` and the word after it. */
function keyOf(text: string): string {
  const [word = ''] = /^[A-Za-z_]{0,40}/.exec(text) ?? [];
  if (word !== 'R') return word;
  const [, next] = /^R\d{1,2} ([A-Za-z_]{1,40})/.exec(text) ?? [];
  return next === undefined ? 'R' : `R ${next}`;
}

/** Returns the format of a line and the values in it; null if no kernel that was read prints it. */
export function matchMessage(line: string): Message | null {
  const key = keyOf(line);
  const bucket = [key, ...wider(key)].map((one) => BUCKETS.get(one)).find((one) => one);
  for (const pattern of bucket ?? []) {
    const message = matchPattern(pattern, line);
    if (message !== null) return message;
  }
  return null;
}

function matchPattern(pattern: Pattern, line: string): Message | null {
  const { literals, conversions, isWhole } = pattern;
  const [first = ''] = literals;
  if (!line.startsWith(first)) return null;
  let at = first.length;
  const values: Record<string, string> = {};
  const texts: string[] = [];
  for (const [i, { key, isText }] of conversions.entries()) {
    const literal = literals[i + 1] ?? '';
    const isLast = i === conversions.length - 1;
    const end = isText ? textEnd(line, at, literal, isLast && isWhole) : numberEnd(line, at);
    if (end < 0 || !line.startsWith(literal, end)) return null;
    const text = line.slice(at, end);
    values[key] = text;
    texts.push(text);
    at = end + literal.length;
  }
  if (isWhole && line.slice(at).trimEnd() !== '') return null;
  const { format, class: cls, rule } = pattern.message;
  return {
    format,
    class: cls,
    rule,
    values,
    register: registerOf(texts, literals),
    rest: line.slice(at),
  };
}

/** Returns where the text of a `%s` ends, -1 if the literal after it does not follow. */
function textEnd(line: string, from: number, literal: string, toEnd: boolean): number {
  if (!toEnd) return literal === '' ? from : line.indexOf(literal, from);
  const end = line.trimEnd().length - literal.length;
  return end >= from ? end : -1;
}

/** Returns where a number ends: decimal with a sign, or hexadecimal; -1 if there is none. */
function numberEnd(line: string, from: number): number {
  NUMBER.lastIndex = from;
  return NUMBER.test(line) ? NUMBER.lastIndex : -1;
}

const NUMBER = /[-+]?(?:0x)?[0-9a-f]{1,20}/y;

/** Returns the register that a message names by number, or as the argument that it holds. */
function registerOf(values: readonly string[], literals: readonly string[]): string | null {
  for (const [i, literal] of literals.entries()) {
    const value = values[i] ?? '';
    if (/\bR$/.test(literal)) return registerNamed(value);
    if (/^R\d{1,2}$/.test(value)) return registerNamed(value.slice(1));
    const [, named] = /\bR(\d{1,2})\b/.exec(literal) ?? [];
    if (named !== undefined) return registerNamed(named);
    const [, argument] = /\barg#(\d)\b/.exec(literal) ?? [];
    if (argument !== undefined) return registerNamed(`${Number(argument) + 1}`);
    // check_reg_type counts a helper's arguments from 1; the others count from 0.
    if (/ helper arg$/.test(literal) || /^arg $/.test(literal)) return registerNamed(value);
    if (/\barg ?#$|\bargs#$| trusted arg$/.test(literal) || /^arg$/.test(literal)) {
      return registerNamed(`${Number(value) + 1}`);
    }
  }
  return null;
}

function registerNamed(number: string): string | null {
  return /^(?:\d|10)$/.test(number) ? `R${number}` : null;
}
