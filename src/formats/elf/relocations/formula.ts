/**
 * Parses and evaluates formulas of relocation tables, such as `Page(S+A)-Page(P)`. Operators and
 * their order are those of C; numbers are whole and have no limit, and a division rounds down.
 */
import { getOrCreate } from '#bytes/cache.ts';
import { signedHex } from '#bytes/text.ts';

/** Returns the value of a term such as `S`, or null if it is not known. */
export type TermValue = (term: string) => bigint | null;

type Node =
  | { readonly what: 'number'; readonly value: bigint }
  | { readonly what: 'term'; readonly name: string }
  | { readonly what: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly what: 'unary'; readonly operator: string; readonly of: Node }
  | {
      readonly what: 'binary';
      readonly operator: string;
      readonly left: Node;
      readonly right: Node;
    };

/** A formula with the terms in the order in which it names them. */
export type Formula = {
  readonly text: string;
  readonly terms: readonly string[];
  readonly root: Node;
};

const parsed = new Map<string, Formula>();

/** Returns the parsed formula. `text` is a formula of a table, not of a file. */
export function formulaOf(text: string): Formula {
  return getOrCreate(parsed, text, () => new Parser(text).formula());
}

const LEVELS: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/'],
];

class Parser {
  readonly #text: string;
  readonly #tokens: readonly string[];
  readonly #terms = new Set<string>();
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(/0x[0-9a-f]+|\d+|[A-Za-z]\w*|<<|>>|[-+*/&|^~(),]/g) ?? [];
  }

  formula(): Formula {
    const root = this.#level(0);
    return { text: this.#text, terms: [...this.#terms], root };
  }

  #level(level: number): Node {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#operand();
    let left = this.#level(level + 1);
    for (;;) {
      const operator = this.#tokens[this.#next] ?? '';
      if (!operators.includes(operator)) return left;
      this.#next++;
      left = { what: 'binary', operator, left, right: this.#level(level + 1) };
    }
  }

  #operand(): Node {
    const token = this.#tokens[this.#next++] ?? '';
    if (token === '~' || token === '-')
      return { what: 'unary', operator: token, of: this.#operand() };
    if (token === '(') {
      const inner = this.#level(0);
      this.#next++;
      return inner;
    }
    if (/^\d/.test(token)) return { what: 'number', value: BigInt(token) };
    if (this.#tokens[this.#next] !== '(') {
      this.#terms.add(token);
      return { what: 'term', name: token };
    }
    const args: Node[] = [];
    do {
      this.#next++;
      args.push(this.#level(0));
    } while (this.#tokens[this.#next] === ',');
    this.#next++;
    return { what: 'call', name: token, args };
  }
}

const PAGE = ~0xfffn;

/** Functions of formulas. `PageDelta` is from lld, `getLoongArchPageDelta`. */
const FUNCTIONS: Readonly<Record<string, (...args: bigint[]) => bigint>> = {
  Page: (x = 0n) => x & PAGE,
  HiPage: (x = 0n) => (x + 0x800n) & PAGE,
  PageDelta: (target = 0n, pc = 0n) => {
    const low = (target & 0x800n) === 0n ? 0n : 0x1000n - 0x1_0000_0000n;
    const delta = (target & PAGE) - (pc & PAGE) + low;
    return (delta & 0x8000_0000n) === 0n ? delta : delta + 0x1_0000_0000n;
  },
};

/** Returns the value of a formula, or null if a term is not known. */
export function evaluateFormula({ root }: Formula, of: TermValue): bigint | null {
  return valueOfNode(root, of);
}

function valueOfNode(node: Node, of: TermValue): bigint | null {
  switch (node.what) {
    case 'number':
      return node.value;
    case 'term':
      return of(node.name);
    case 'call': {
      const args = node.args.map((arg) => valueOfNode(arg, of));
      const apply = FUNCTIONS[node.name];
      return apply === undefined || args.includes(null) ? null : apply(...(args as bigint[]));
    }
    case 'unary': {
      const operand = valueOfNode(node.of, of);
      if (operand === null) return null;
      return node.operator === '~' ? ~operand : -operand;
    }
    default: {
      const left = valueOfNode(node.left, of);
      const right = valueOfNode(node.right, of);
      return left === null || right === null ? null : binary(node.operator, left, right);
    }
  }
}

function binary(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '*':
      return left * right;
    case '/':
      return dividedDown(left, right);
    case '<<':
      return left << right;
    default:
      return left >> right;
  }
}

/** Returns a formula as text with a number for each term: `0x401020 + (-0x4) - 0x401002`. */
export function formulaNumbers(formula: string, of: TermValue): string {
  return formulaText(formula).replace(/\b[A-Za-z]\w*\b(?!\()/g, (term) => {
    const value = of(term);
    if (value === null) return term;
    return value < 0n ? `(${signedHex(value)})` : signedHex(value);
  });
}

/** Returns `left / right`, rounded down; `right` is a positive number of the formula. */
function dividedDown(left: bigint, right: bigint): bigint {
  const quotient = left / right;
  return left < 0n && quotient * right !== left ? quotient - 1n : quotient;
}

const texts = new Map<string, string>();

/** Returns a table's formula as text with spaces: `Page(S + A) - Page(P)`. */
export function formulaText(formula: string): string {
  return getOrCreate(texts, formula, () =>
    formula.replace(/(<<|>>|(?<=[\w)])[-+&|^])/g, ' $1 ').replace(/,/g, ', '),
  );
}
