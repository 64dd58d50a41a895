/** Whole numbers in C: `1 << 3 | A`. */
import { type Cursor, Fault, shown, type Token } from './tokens.ts';

/** By precedence, weakest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*'],
];
/** What comes in between may be larger than what C has room for; the result is checked where it is used. */
const BITS = 128;

/** Reads an expression of numbers and `names`. Throws `Fault`. */
export function readConstant(cursor: Cursor, names: ReadonlyMap<string, bigint>): bigint {
  return readLevel(cursor, names, 0);
}

function readLevel(cursor: Cursor, names: ReadonlyMap<string, bigint>, level: number): bigint {
  const signs = LEVELS[level];
  if (signs === undefined) return readPrimary(cursor, names);
  let value = readLevel(cursor, names, level + 1);
  for (;;) {
    const sign = cursor.peek();
    if (sign.kind !== 'sign' || !signs.includes(sign.text)) return value;
    cursor.next();
    value = BigInt.asIntN(BITS, calculate(sign, value, readLevel(cursor, names, level + 1)));
  }
}

function readPrimary(cursor: Cursor, names: ReadonlyMap<string, bigint>): bigint {
  cursor.enter();
  const value = primary(cursor, names);
  cursor.leave();
  return value;
}

function primary(cursor: Cursor, names: ReadonlyMap<string, bigint>): bigint {
  const token = cursor.next();
  if (token.kind === 'number') return numberOf(token);
  switch (token.text) {
    case '-':
      return -readPrimary(cursor, names);
    case '+':
      return readPrimary(cursor, names);
    case '~':
      return ~readPrimary(cursor, names);
    case '(': {
      const value = readConstant(cursor, names);
      cursor.expect(')');
      return value;
    }
    default: {
      const known = names.get(token.text);
      if (known === undefined) throw new Fault(`a number was expected, not ${shown(token)}`, token);
      return known;
    }
  }
}

function numberOf(token: Token): bigint {
  const isOctal = /^0\d/.test(token.text);
  if (isOctal && /[89]/.test(token.text)) {
    throw new Fault('a number that begins with 0 is octal, and has no 8 and no 9', token);
  }
  const value = BigInt(isOctal ? `0o${token.text.slice(1)}` : token.text);
  if (value >= 1n << 64n) throw new Fault('64 bits cannot hold it', token);
  return value;
}

function calculate(sign: Token, a: bigint, b: bigint): bigint {
  switch (sign.text) {
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      if (b < 0n || b > 63n) throw new Fault('a shift is by 0 to 63 bits', sign);
      return sign.text === '<<' ? a << b : a >> b;
  }
}

/** `aligned` in bytes, 0 where nothing asks for it. */
export type Attributes = { readonly packed: boolean; readonly aligned: number };

const MAX_ALIGNMENT = 0x10000n;

/** Reads as many as come next. Throws `Fault` for one that is not known here. */
export function readAttributes(cursor: Cursor, names: ReadonlyMap<string, bigint>): Attributes {
  let packed = false;
  let aligned = 0;
  const add = (found: Attributes) => {
    packed ||= found.packed;
    aligned = Math.max(aligned, found.aligned);
  };
  for (;;) {
    if (cursor.take('__packed')) add({ packed: true, aligned: 0 });
    else if (cursor.take('__aligned')) {
      add({ packed: false, aligned: readAlignment(cursor, names) });
    } else if (cursor.take('__attribute__')) {
      cursor.expect('(');
      cursor.expect('(');
      do add(readAttribute(cursor, names));
      while (cursor.take(','));
      cursor.expect(')');
      cursor.expect(')');
    } else return { packed, aligned };
  }
}

function readAttribute(cursor: Cursor, names: ReadonlyMap<string, bigint>): Attributes {
  const word = cursor.next();
  switch (word.text.replace(/^__(.+)__$/, '$1')) {
    case 'packed':
      return { packed: true, aligned: 0 };
    case 'aligned':
      return { packed: false, aligned: readAlignment(cursor, names) };
    case 'preserve_access_index':
      // BTF is the same with and without it: clang adds a record to .BTF.ext for each access in code.
      return { packed: false, aligned: 0 };
    default:
      throw new Fault(
        `only packed, aligned and preserve_access_index are supported, not ${word.text}`,
        word,
      );
  }
}

function readAlignment(cursor: Cursor, names: ReadonlyMap<string, bigint>): number {
  cursor.expect('(');
  const token = cursor.peek();
  const value = readConstant(cursor, names);
  cursor.expect(')');
  if (value < 1n || value > MAX_ALIGNMENT || (value & (value - 1n)) !== 0n) {
    throw new Fault(`an alignment is a power of two, up to ${MAX_ALIGNMENT}`, token);
  }
  return Number(value);
}
