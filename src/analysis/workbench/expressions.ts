/**
 * Computes the types and values of C expressions in declarations: `1 << 3 | A`, `sizeof(p->name) ==
 * 16 ? 1 : 2`, `((struct s *)0)->member`. Sources: ISO C, 6.3.1.8 (conversions), 6.4.4.1 (types of
 * constants), 6.5.
 */
import type { Token } from '#analysis/c/tokens.ts';
import {
  type Basic,
  bare,
  basicOf,
  type CType,
  enumShape,
  type Interned,
  isComplete,
  type Layouts,
} from './c-types.ts';
import { calculate, charCode, isComparison, isReal, literalBytes, numberOf } from './constants.ts';
import { type Cursor, Fault, shown } from './cursor.ts';

/** Type of an expression, and its value if known. */
export type Value = {
  readonly type: CType;
  /** Value if constant and a whole number, else null. 3.0 is a whole number, -0.0 is not. */
  readonly value: bigint | null;
  /** Address of the object; null if unknown, undefined if the value is not in memory. */
  readonly address?: bigint | null;
};

/** Gives the values, types and members of names in a text. */
export type Scope = {
  readonly types: Interned;
  readonly layouts: Layouts;
  /** Returns the value of a name, or null for an unknown name. */
  valueOf(name: string): Value | null;
  startsType(token: Token): boolean;
  typeName(): CType;
  /** Returns the member with this name. Throws `Fault` if there is none. */
  memberOf(type: CType, name: Token): { readonly bitOffset: number; readonly type: CType };
};

const basic = (words: string): Basic => {
  const type = basicOf(words.split(' '));
  if (type === null) throw new Error(`${words} is not a type`);
  return type;
};
const INT = basic('int');
/** Values of `true` and `false`, which a text may declare differently. */
export const BOOLEANS: ReadonlyMap<string, Value> = new Map([
  ['true', { type: INT, value: 1n }],
  ['false', { type: INT, value: 0n }],
]);
const UNSIGNED = basic('unsigned int');
const LONG = basic('long');
const UNSIGNED_LONG = basic('unsigned long');
const LONG_LONG = basic('long long');
const UNSIGNED_LONG_LONG = basic('unsigned long long');
const CHAR = basic('char');
const FLOAT = basic('float');
const DOUBLE = basic('double');
/** Integer types by rank, lowest first. */
const RANKS = ['int', 'long', 'long long', '__int128'].flatMap((name) => [
  name,
  `unsigned ${name}`,
]);

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

/**
 * Reads an expression without a comma. In a condition of the preprocessor, which has no `scope`,
 * all numbers have 64 bits. Throws `Fault` for an invalid expression.
 */
export function readExpression(cursor: Cursor, scope: Scope | null): Value {
  return new Reader(cursor, scope).choice();
}

/** Returns the value of an integer constant expression. Throws `Fault` for other expressions. */
export function readConstant(cursor: Cursor, scope: Scope | null): bigint {
  const first = cursor.peek();
  const { type, value } = readExpression(cursor, scope);
  const at = bare(type);
  if (at?.kind === 'basic' && at.encoding === 'float') {
    throw new Fault('a whole number was expected', first);
  }
  if (value === null) throw new Fault(`${shown(first)} is not a constant here`, first);
  return value;
}

class Reader {
  readonly #cursor: Cursor;
  readonly #scope: Scope | null;

  constructor(cursor: Cursor, scope: Scope | null) {
    this.#cursor = cursor;
    this.#scope = scope;
  }

  choice(): Value {
    const condition = this.#level(0);
    const sign = this.#cursor.peek();
    if (!this.#cursor.take('?')) return condition;
    this.#cursor.enter();
    // GNU extension `a ?: b`: an omitted operand is the condition itself.
    const yes = this.#cursor.peek().text === ':' ? condition : this.choice();
    this.#cursor.expect(':');
    const no = this.choice();
    this.#cursor.leave();
    const type = this.#choiceType(yes, no, sign);
    const { value } = condition;
    if (value === null) return { type, value: null };
    return converted(value !== 0n ? yes : no, type);
  }

  #choiceType(yes: Value, no: Value, sign: Token): CType {
    const [a, b] = [this.#decayed(yes).type, this.#decayed(no).type];
    if (bare(a)?.kind === 'pointer') return a;
    if (bare(b)?.kind === 'pointer') return b;
    return isArithmetic(a) && isArithmetic(b) ? common(a, b, sign) : a;
  }

  #level(level: number): Value {
    const signs = LEVELS[level];
    if (signs === undefined) return this.unary();
    let left = this.#level(level + 1);
    for (;;) {
      const sign = this.#cursor.peek();
      if (sign.kind !== 'sign' || !signs.includes(sign.text)) return left;
      this.#cursor.next();
      left = this.#binary(sign, this.#decayed(left), this.#decayed(this.#level(level + 1)));
    }
  }

  #binary(sign: Token, left: Value, right: Value): Value {
    const { text } = sign;
    if (text === '&&' || text === '||') {
      // If the left operand decides the result, the right operand is not evaluated.
      const decides = text === '||';
      if (left.value !== null && (left.value !== 0n) === decides) return this.#truth(decides);
      if (left.value === null || right.value === null) return { type: INT, value: null };
      return this.#truth(right.value !== 0n);
    }
    const pointers = [left, right].map(({ type }) => bare(type)?.kind === 'pointer');
    if (pointers.includes(true)) return this.#withPointer(sign, left, right);
    const isShift = text === '<<' || text === '>>';
    const operandType = isShift ? promoted(left.type, sign) : common(left.type, right.type, sign);
    const type = isComparison(text) ? this.#truthType() : operandType;
    const a = converted(left, operandType).value;
    const b = isShift ? right.value : converted(right, operandType).value;
    if (a === null || b === null) return { type, value: null };
    if (text === '/' && type.encoding === 'float' && (b === 0n || a % b !== 0n)) {
      return { type, value: null };
    }
    if (isShift && b >= BigInt(8 * type.size)) {
      throw new Fault(`a shift is by 0 to ${8 * type.size - 1} bits`, sign);
    }
    const value = fitted(calculate(sign, a, b), type);
    // A double cannot hold it: a long product would have as many digits as all factors.
    return { type, value: Number.isFinite(Number(value)) ? value : null };
  }

  /** Computes sums, differences and comparisons with addresses. */
  #withPointer(sign: Token, left: Value, right: Value): Value {
    const [a, b] = [bare(left.type), bare(right.type)];
    const [x, y] = [left.value, right.value];
    const step = (to: CType) => BigInt(Math.max(1, this.#scope?.layouts.sizeOf(to) ?? 1));
    const known = (type: CType, value: (x: bigint, y: bigint) => bigint): Value => ({
      type,
      value: x === null || y === null ? null : value(x, y),
    });
    if (sign.text === '+' && a?.kind === 'pointer') {
      return known(left.type, (x, y) => x + step(a.to) * y);
    }
    if (sign.text === '+' && b?.kind === 'pointer') {
      return known(right.type, (x, y) => y + step(b.to) * x);
    }
    if (sign.text === '-' && a?.kind === 'pointer') {
      return b?.kind === 'pointer'
        ? known(LONG, (x, y) => (x - y) / step(a.to))
        : known(left.type, (x, y) => x - step(a.to) * y);
    }
    if (!isComparison(sign.text)) throw new Fault(`${sign.text} is not for addresses`, sign);
    return known(INT, (x, y) => calculate(sign, x, y));
  }

  #truthType(): Basic {
    return this.#scope === null ? LONG_LONG : INT;
  }

  #truth(holds: boolean): Value {
    return { type: this.#truthType(), value: holds ? 1n : 0n };
  }

  unary(): Value {
    this.#cursor.enter();
    const value = this.#prefixed();
    this.#cursor.leave();
    return value;
  }

  #prefixed(): Value {
    const token = this.#cursor.peek();
    switch (token.kind === 'sign' || token.kind === 'word' ? token.text : '') {
      case '-':
      case '+':
      case '~': {
        this.#cursor.next();
        const operand = this.unary();
        const type = promoted(operand.type, token);
        const { value } = converted(operand, type);
        const isNegativeZero = type.encoding === 'float' && value === 0n && token.text === '-';
        if (value === null || isNegativeZero) return { type, value: null };
        const made = token.text === '-' ? -value : token.text === '~' ? ~value : value;
        return { type, value: fitted(made, type) };
      }
      case '!': {
        this.#cursor.next();
        const { value } = this.#decayed(this.unary());
        return value === null ? { type: INT, value } : this.#truth(value === 0n);
      }
      case '*':
        this.#cursor.next();
        return this.#pointedAt(this.unary(), token);
      case '&': {
        this.#cursor.next();
        const { type, address } = this.unary();
        return { type: this.#known(token).types.pointer(type), value: address ?? null };
      }
      case 'sizeof':
      case '_Alignof':
      case '__alignof__':
      case '__alignof': {
        this.#cursor.next();
        const { layouts } = this.#known(token);
        const [next, second] = [this.#cursor.peek(), this.#cursor.second()];
        const place = next.text === '(' ? second : next;
        const type = this.#operandType(token);
        if (type !== null && type.kind !== 'func' && !isComplete(type)) {
          throw new Fault('the type is not complete, so its size is not known', place);
        }
        const size = token.text === 'sizeof' ? layouts.sizeOf(type) : layouts.alignOf(type);
        // GNU extension: void and functions have size 1.
        const isVoid = bare(type) === null || bare(type)?.kind === 'func';
        return { type: UNSIGNED_LONG, value: BigInt(isVoid ? 1 : size) };
      }
      case '(':
        if (this.#scope?.startsType(this.#cursor.second()) === true) return this.#cast(this.#scope);
    }
    return this.#postfixed(this.#primary());
  }

  /** Returns the scope. Throws `Fault` in a condition of the preprocessor, which has no scope. */
  #known(token: Token): Scope {
    if (this.#scope === null)
      throw new Fault(`${shown(token)} is not allowed in a condition`, token);
    return this.#scope;
  }

  /** Reads a type in parentheses or an expression. Returns the type, as `sizeof` needs it. */
  #operandType(place: Token): CType {
    const scope = this.#known(place);
    if (this.#cursor.peek().text === '(' && scope.startsType(this.#cursor.second())) {
      this.#cursor.next();
      const type = scope.typeName();
      this.#cursor.expect(')');
      // A brace after the type begins a compound literal.
      if (this.#cursor.take('{')) this.#cursor.skipGroup();
      return type;
    }
    return this.unary().type;
  }

  #cast(scope: Scope): Value {
    this.#cursor.next();
    const token = this.#cursor.peek();
    const type = scope.typeName();
    this.#cursor.expect(')');
    if (this.#cursor.take('{')) {
      this.#cursor.skipGroup();
      return this.#postfixed({ type, value: null, address: null });
    }
    const operand = this.#decayed(this.unary());
    const at = bare(type);
    if (at === null) return { type, value: null };
    if (at.kind === 'pointer') {
      return { type, value: operand.value === null ? null : BigInt.asUintN(64, operand.value) };
    }
    if (!isArithmetic(type)) throw new Fault('a constant can be cast to a number here', token);
    return { type, value: converted(operand, type).value };
  }

  #postfixed(first: Value): Value {
    let value = first;
    for (;;) {
      const token = this.#cursor.peek();
      if (this.#cursor.take('.')) value = this.#member(value);
      else if (this.#cursor.take('->')) value = this.#member(this.#pointedAt(value, token));
      else if (this.#cursor.take('[')) {
        const index = this.choice();
        this.#cursor.expect(']');
        const sign: Token = { ...token, kind: 'sign', text: '+' };
        value = this.#pointedAt(
          this.#binary(sign, this.#decayed(value), this.#decayed(index)),
          token,
        );
      } else if (bare(value.type)?.kind === 'func' && this.#cursor.take('(')) {
        this.#cursor.skipGroup();
        const func = bare(value.type);
        value = { type: func?.kind === 'func' ? func.returns : null, value: null };
      } else return value;
    }
  }

  #member({ type, address }: Value): Value {
    const name = this.#cursor.next();
    const member = this.#known(name).memberOf(type, name);
    const isPlaced = typeof address === 'bigint' && member.bitOffset % 8 === 0;
    const at = isPlaced ? address + BigInt(member.bitOffset / 8) : null;
    return { type: member.type, value: null, address: at };
  }

  #pointedAt(value: Value, token: Token): Value {
    const { type, value: address } = this.#decayed(value);
    const at = bare(type);
    if (at?.kind !== 'pointer') throw new Fault('only a pointer leads to something', token);
    return { type: at.to, value: null, address };
  }

  /** Returns an array as the address of its first element, other values unchanged. */
  #decayed(value: Value): Value {
    const at = bare(value.type);
    if ((at?.kind !== 'array' && at?.kind !== 'func') || this.#scope === null) return value;
    return { type: this.#scope.types.decayed(value.type), value: value.address ?? null };
  }

  #primary(): Value {
    const token = this.#cursor.peek();
    const { text } = token;
    if (token.kind === 'word' && this.#scope !== null) {
      if (text === '__builtin_offsetof') return this.#offsetof(this.#scope);
      if (text === 'nullptr') throw new Fault('nullptr is C23, and C17 is compiled here', token);
      const known = this.#scope.valueOf(text);
      if (known === null) throw new Fault(`a number was expected, not ${shown(token)}`, token);
      this.#cursor.next();
      return known;
    }
    this.#cursor.next();
    if (token.kind === 'number') {
      if (isReal(token)) {
        if (this.#scope === null) throw new Fault('a whole number was expected', token);
        return realValue(text);
      }
      return numberValue(token, this.#scope === null);
    }
    if (token.kind === 'char') return { type: INT, value: BigInt(charCode(token)) };
    if (token.kind === 'string') {
      let length = literalBytes(token).length;
      while (this.#cursor.peek().kind === 'string')
        length += literalBytes(this.#cursor.next()).length;
      return { type: this.#known(token).types.array(CHAR, length + 1), value: null, address: null };
    }
    if (text !== '(') throw new Fault(`a number was expected, not ${shown(token)}`, token);
    if (this.#cursor.peek().text === '{') {
      throw new Fault('statements in an expression are not supported', token);
    }
    const value = this.choice();
    this.#cursor.expect(')');
    return value;
  }

  /** Reads `offsetof`. Returns the offset of the member in bytes. */
  #offsetof(scope: Scope): Value {
    const place = this.#cursor.next();
    this.#cursor.expect('(');
    let value: Value = { type: scope.typeName(), value: null, address: 0n };
    this.#cursor.expect(',');
    value = this.#postfixed(this.#member(value));
    this.#cursor.expect(')');
    if (typeof value.address !== 'bigint') throw new Fault('offsetof of a bit-field', place);
    return { type: UNSIGNED_LONG, value: value.address };
  }
}

function realValue(text: string): Value {
  const isHex = /^0x/i.test(text);
  const [digits = '', suffix = ''] = isHex ? [text] : text.split(/(?=[fl]+$)/i);
  const number = isHex ? (/^0x[0.]*p/i.test(text) ? 0 : Number.NaN) : Number(digits);
  const type = /f/i.test(suffix) ? FLOAT : DOUBLE;
  return { type, value: Number.isInteger(number) ? BigInt(number) : null };
}

/** Returns an integer constant with the first type that can hold its value. */
function numberValue(token: Token, isCondition: boolean): Value {
  const value = numberOf(token);
  const suffix = /^0x/i.test(token.text) ? /[ul]*$/i : /[ulf]*$/i;
  const [letters = ''] = suffix.exec(token.text.toLowerCase()) ?? [];
  const isUnsigned = letters.includes('u');
  if (isCondition) {
    return { type: isUnsigned || value >= 1n << 63n ? UNSIGNED_LONG_LONG : LONG_LONG, value };
  }
  const longs = letters.split('l').length - 1;
  const mayBeUnsigned = isUnsigned || /^0[0-9xb]/i.test(token.text);
  const holds = ({ size, encoding }: Basic) =>
    value < 1n << BigInt(8 * size - (encoding === 'signed' ? 1 : 0));
  const types = [INT, UNSIGNED, LONG, UNSIGNED_LONG, LONG_LONG, UNSIGNED_LONG_LONG];
  const candidates = types
    .slice(2 * longs)
    .filter(({ encoding }) => (encoding === 'signed' ? !isUnsigned : mayBeUnsigned));
  return { type: candidates.find(holds) ?? UNSIGNED_LONG_LONG, value };
}

function isArithmetic(type: CType): boolean {
  const at = bare(type);
  return at?.kind === 'basic' || at?.kind === 'enum' || at?.kind === 'atomic';
}

/** Returns the type that integer promotion gives. */
function promoted(type: CType, sign: Token): Basic {
  let at = bare(type);
  if (at?.kind === 'atomic') at = bare(at.of);
  if (at?.kind === 'enum') {
    const { signed, size } = enumShape(at);
    if (size === 8) return signed ? LONG : UNSIGNED_LONG;
    return size < 4 || signed ? INT : UNSIGNED;
  }
  if (at?.kind !== 'basic') throw new Fault(`${sign.text} is for numbers`, sign);
  return at.encoding !== 'float' && at.size < 4 ? INT : at;
}

function common(a: CType, b: CType, sign: Token): Basic {
  const [left, right] = [promoted(a, sign), promoted(b, sign)];
  if (left.encoding === 'float' || right.encoding === 'float') {
    if (left.encoding !== 'float') return right;
    return right.encoding === 'float' && right.size > left.size ? right : left;
  }
  const [low, high] =
    RANKS.indexOf(left.name) < RANKS.indexOf(right.name) ? [left, right] : [right, left];
  const isLost =
    low.encoding === 'unsigned' && high.encoding === 'signed' && low.size === high.size;
  return isLost ? UNSIGNED_LONG_LONG : high;
}

/** Wraps a value to the range of an integer type. */
function fitted(value: bigint, { size, encoding }: Pick<Basic, 'size' | 'encoding'>): bigint {
  if (encoding === 'float') return value;
  return encoding === 'signed' ? BigInt.asIntN(8 * size, value) : BigInt.asUintN(8 * size, value);
}

/** Returns a value converted to a type. */
export function converted({ value }: Value, type: CType): Value {
  const at = bare(type);
  if (value === null || at === null) return { type, value: null };
  if (at.kind === 'enum') {
    const { signed, size } = enumShape(at);
    return { type, value: fitted(value, { size, encoding: signed ? 'signed' : 'unsigned' }) };
  }
  if (at.kind !== 'basic') return { type, value };
  return { type, value: at.encoding === 'bool' ? BigInt(value !== 0n) : fitted(value, at) };
}
