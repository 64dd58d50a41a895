/** Reads literals of C, and computes with integers. */
import type { Token } from '#analysis/c/tokens.ts';
import { append } from '#bytes/arrays.ts';
import { Fault } from './cursor.ts';

/** Returns true for a floating-point constant. */
export function isReal({ text }: Token): boolean {
  return /^0x/i.test(text) ? /[.p]/i.test(text) : /[.e]/i.test(text);
}

/** Returns the value of an integer constant. Throws `Fault` for an invalid constant. */
export function numberOf(token: Token): bigint {
  if (isReal(token)) throw new Fault('a whole number was expected', token);
  const text = token.text.replace(/[ulUL]+$/, '');
  const isOctal = /^0\d/.test(text);
  if (isOctal && /[89]/.test(text)) {
    throw new Fault('a number that begins with 0 is octal, and has no 8 and no 9', token);
  }
  const value = BigInt(isOctal ? `0o${text.slice(1)}` : text);
  if (value >= 1n << 64n) throw new Fault('64 bits cannot hold it', token);
  return value;
}

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
};

/** Returns the bytes in a string or character constant, without its quotes. */
export function literalBytes({ text }: Token): number[] {
  const bytes: number[] = [];
  const inside = text.slice(1, -1);
  const parts = inside.match(/\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|[\s\S])|[^\\]+/g) ?? [];
  for (const part of parts) {
    const [slash, letter = ''] = part;
    if (slash !== '\\') append(bytes, new TextEncoder().encode(part));
    else if (letter === 'x') bytes.push(Number.parseInt(part.slice(2), 16) & 0xff);
    else if (/[0-7]/.test(letter)) bytes.push(Number.parseInt(part.slice(1), 8) & 0xff);
    else if (letter !== '\n') bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
  }
  return bytes;
}

/** Returns the value of a character constant; `char` is signed. Throws `Fault` if invalid. */
export function charCode(token: Token): number {
  const [byte = 0, ...more] = literalBytes(token);
  if (more.length > 0) throw new Fault('a character constant has one character here', token);
  return (byte << 24) >> 24;
}

const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '==': (a, b) => BigInt(a === b),
  '!=': (a, b) => BigInt(a !== b),
  '<': (a, b) => BigInt(a < b),
  '>': (a, b) => BigInt(a > b),
  '<=': (a, b) => BigInt(a <= b),
  '>=': (a, b) => BigInt(a >= b),
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
};

/** Returns the result of an operator, not yet converted. Throws `Fault` for an undefined result. */
export function calculate(sign: Token, a: bigint, b: bigint): bigint {
  if (/^[/%]$/.test(sign.text) && b === 0n) throw new Fault('a division by 0', sign);
  if (/^(<<|>>)$/.test(sign.text) && (b < 0n || b > 127n)) {
    throw new Fault('a shift is not by less than 0 bits', sign);
  }
  return OPERATIONS[sign.text]?.(a, b) ?? 0n;
}

/** Returns true for a comparison operator, such as `<`. */
export function isComparison(text: string): boolean {
  return /^([<>]=?|[=!]=)$/.test(text);
}
