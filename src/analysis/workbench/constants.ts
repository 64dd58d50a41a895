/** Whole numbers in C: `1 << 3 | A`, `sizeof(struct s) == 16 ? 1 : 2`. */
import { append } from '#bytes/append.ts';
import { type Cursor, Fault, shown, type Token } from './tokens.ts';

/** Binary operators by precedence, weakest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
/** What comes in between may be larger than what C has room for; the result is checked where it is used. */
const BITS = 128;

/**
 * Reads what only the caller knows, with the cursor before `token`: a name, `sizeof`, a cast.
 * Null, and the cursor where it was, when it is none.
 */
export type ReadOperand = (token: Token) => bigint | null;

/** Reads an expression without a comma. Throws `Fault`. */
export function readConstant(cursor: Cursor, readOperand: ReadOperand): bigint {
  return new Reader(cursor, readOperand).choice();
}

/** Reads what stands behind a cast, `sizeof` or a sign. Throws `Fault`. */
export function readUnary(cursor: Cursor, readOperand: ReadOperand): bigint {
  return new Reader(cursor, readOperand).unary();
}

class Reader {
  readonly #cursor: Cursor;
  readonly #readOperand: ReadOperand;

  constructor(cursor: Cursor, readOperand: ReadOperand) {
    this.#cursor = cursor;
    this.#readOperand = readOperand;
  }

  choice(): bigint {
    const condition = this.#level(0);
    if (!this.#cursor.take('?')) return condition;
    this.#cursor.enter();
    const yes = this.choice();
    this.#cursor.expect(':');
    const no = this.choice();
    this.#cursor.leave();
    return condition !== 0n ? yes : no;
  }

  #level(level: number): bigint {
    const signs = LEVELS[level];
    if (signs === undefined) return this.unary();
    let value = this.#level(level + 1);
    for (;;) {
      const sign = this.#cursor.peek();
      if (sign.kind !== 'sign' || !signs.includes(sign.text)) return value;
      this.#cursor.next();
      value = BigInt.asIntN(BITS, calculate(sign, value, this.#level(level + 1)));
    }
  }

  unary(): bigint {
    this.#cursor.enter();
    const value = this.#primary();
    this.#cursor.leave();
    return value;
  }

  #primary(): bigint {
    const token = this.#cursor.peek();
    const known = this.#readOperand(token);
    if (known !== null) return known;
    this.#cursor.next();
    if (token.kind === 'number') return numberOf(token);
    if (token.kind === 'char') return BigInt(charCode(token));
    switch (token.text) {
      case '-':
        return -this.unary();
      case '+':
        return this.unary();
      case '~':
        return ~this.unary();
      case '!':
        return this.unary() === 0n ? 1n : 0n;
      case '(': {
        const value = this.choice();
        this.#cursor.expect(')');
        return value;
      }
      default:
        throw new Fault(`a number was expected, not ${shown(token)}`, token);
    }
  }
}

function numberOf(token: Token): bigint {
  if (/^[\d.]*[.eE]/.test(token.text) && !/^0[xX]/.test(token.text)) {
    throw new Fault('a whole number was expected', token);
  }
  const isOctal = /^0\d/.test(token.text);
  if (isOctal && /[89]/.test(token.text)) {
    throw new Fault('a number that begins with 0 is octal, and has no 8 and no 9', token);
  }
  const value = BigInt(isOctal ? `0o${token.text.slice(1)}` : token.text);
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

/** The bytes of a string or character constant, without quotes. */
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

/** `char` is signed. */
function charCode(token: Token): number {
  const [byte = 0, ...more] = literalBytes(token);
  if (more.length > 0) throw new Fault('a character constant has one character here', token);
  return (byte << 24) >> 24;
}

function calculate(sign: Token, a: bigint, b: bigint): bigint {
  const truth = (holds: boolean) => (holds ? 1n : 0n);
  switch (sign.text) {
    case '||':
      return truth(a !== 0n || b !== 0n);
    case '&&':
      return truth(a !== 0n && b !== 0n);
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '==':
      return truth(a === b);
    case '!=':
      return truth(a !== b);
    case '<':
      return truth(a < b);
    case '>':
      return truth(a > b);
    case '<=':
      return truth(a <= b);
    case '>=':
      return truth(a >= b);
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
    case '%':
      if (b === 0n) throw new Fault('a division by 0', sign);
      return sign.text === '/' ? a / b : a % b;
    default:
      if (b < 0n || b > 63n) throw new Fault('a shift is by 0 to 63 bits', sign);
      return sign.text === '<<' ? a << b : a >> b;
  }
}
