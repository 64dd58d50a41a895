/**
 * Compiles conditions of a query to functions of a row. The engine evaluates expressions, too, but
 * awaits every cell. Values are compared as in squirreling's `applyBinaryOp`.
 */
import type { ExprNode, SelectStatement, Statement } from 'squirreling';
import { likeOperands, likePattern } from './bounded-functions.ts';
import type { SqlValue } from './table.ts';

export type Identifier = Extract<ExprNode, { type: 'identifier' }>;

export type Getter<Row> = (row: Row) => SqlValue;

/** A compiled condition, which a scan applies to its rows. */
export type Condition<Row> = {
  readonly keeps: Getter<Row>;
  /** Names of the columns that the condition uses. */
  readonly columns: readonly string[];
  /** The column and the text if the condition is `column = 'text'`, else null. */
  readonly equals: { readonly column: string; readonly text: string } | null;
};

/** Compiles `node` to a condition, or returns null if `node` has an unsupported part. */
export function conditionOf<Row>(
  node: ExprNode,
  columnOf: (identifier: Identifier) => Getter<Row> | null,
): Condition<Row> | null {
  const keeps = compiled(node, columnOf);
  const columns = identifiers(node).map(({ name }) => name);
  return keeps && { keeps, columns, equals: equalText(node) };
}

function equalText(node: ExprNode): Condition<never>['equals'] {
  if (node.type !== 'binary' || (node.op !== '=' && node.op !== '==')) return null;
  const sides = [node.left, node.right];
  const named = sides.find((side) => side.type === 'identifier');
  const literal = sides.find((side) => side.type === 'literal');
  return named !== undefined && typeof literal?.value === 'string'
    ? { column: named.name, text: literal.value }
    : null;
}

/** Compiles `node` to a function of a row, or returns null if `node` has an unsupported part. */
function compiled<Row>(
  node: ExprNode,
  columnOf: (identifier: Identifier) => Getter<Row> | null,
): Getter<Row> | null {
  const inner = (child: ExprNode) => compiled(child, columnOf);
  switch (node.type) {
    case 'literal': {
      const { value } = node;
      return isPlain(value) ? () => value : null;
    }
    case 'identifier':
      return columnOf(node);
    case 'unary': {
      const argument = inner(node.argument);
      return argument && unary(node.op, argument);
    }
    case 'binary': {
      const [left, right] = [inner(node.left), inner(node.right)];
      if (left === null || right === null) return null;
      if (node.op === 'LIKE' && node.right.type === 'literal') {
        return like(left, String(node.right.value));
      }
      return binary(node.op, left, right);
    }
    case 'in valuelist': {
      const operand = inner(node.expr);
      if (operand !== null && node.values.every(isLiteral)) return isIn(operand, node.values);
      const values = node.values.map(inner);
      if (operand === null || values.includes(null)) return null;
      return (row) => values.some((value) => looselyEqual(operand(row), value?.(row) ?? null));
    }
    case 'function': {
      const [left, right] = likeOperands(node) ?? [];
      const text = left && inner(left);
      return text && right?.type === 'literal' ? like(text, String(right.value)) : null;
    }
    default:
      return null;
  }
}

function like<Row>(left: Getter<Row>, pattern: string): Getter<Row> {
  const matches = likePattern(pattern);
  return (row) => {
    const value = left(row);
    return value !== null && matches(String(value));
  };
}

/** Returns the columns named in an expression or statement, but not in nested queries. */
export function identifiers(node: ExprNode | Statement): Identifier[] {
  const columns: Identifier[] = [];
  const open: unknown[] = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    if ('type' in at && at.type === 'identifier') columns.push(at as Identifier);
    else {
      for (const [key, value] of Object.entries(at)) {
        if (key !== 'subquery' && typeof value === 'object') open.push(value);
      }
    }
  }
  return columns.reverse();
}

/** Returns the nested queries in the expressions of a SELECT, but not those inside of them. */
export function nestedIn(select: SelectStatement): Statement[] {
  const { from, ...expressions } = select;
  const statements: Statement[] = [];
  const open: unknown[] = [expressions];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    for (const [key, value] of Object.entries(at)) {
      if (key === 'subquery') statements.push(value);
      else if (typeof value === 'object') open.push(value);
    }
  }
  return statements.reverse();
}

/** Splits a condition at its top-level ANDs. */
export function conjuncts(condition: ExprNode | undefined): ExprNode[] {
  const parts: ExprNode[] = [];
  const open = condition === undefined ? [] : [condition];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'binary' && node.op === 'AND') open.push(node.right, node.left);
    else parts.push(node);
  }
  return parts;
}

type Literal = Extract<ExprNode, { type: 'literal' }>;

const isLiteral = (node: ExprNode): node is Literal =>
  node.type === 'literal' && isPlain(node.value);

function isIn<Row>(operand: Getter<Row>, list: readonly Literal[]): Getter<Row> {
  const values = new Set(list.map(({ value }) => value));
  const types = new Set(list.map(({ value }) => typeof value));
  return (row) => {
    const value = operand(row);
    if (values.has(value)) return true;
    // `==` treats 1 and '1' as equal. A set does not, so use a set only for values of one type.
    const isSure = types.size === 1 && types.has(typeof value);
    return !isSure && list.some((literal) => looselyEqual(value, literal.value));
  };
}

export function isPlain(value: unknown): value is SqlValue {
  return value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function unary<Row>(op: string, argument: Getter<Row>): Getter<Row> | null {
  switch (op) {
    case 'NOT':
      return (row) => !argument(row);
    case 'IS NULL':
      return (row) => argument(row) === null;
    case 'IS NOT NULL':
      return (row) => argument(row) !== null;
    case '-':
      return (row) => {
        const value = argument(row);
        return value === null ? null : typeof value === 'bigint' ? -value : -Number(value);
      };
    default:
      return null;
  }
}

type Compare = (a: never, b: never) => boolean;

const COMPARISONS: Readonly<Record<string, Compare>> = {
  '=': looselyEqual,
  '==': looselyEqual,
  '!=': (a, b) => !looselyEqual(a, b),
  '<>': (a, b) => !looselyEqual(a, b),
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function binary<Row>(op: string, left: Getter<Row>, right: Getter<Row>): Getter<Row> | null {
  if (op === 'AND') return (row) => Boolean(left(row)) && Boolean(right(row));
  if (op === 'OR') return (row) => Boolean(left(row)) || Boolean(right(row));
  const compare = COMPARISONS[op];
  if (compare !== undefined) {
    return (row) => {
      const [a, b] = [left(row), right(row)];
      return a !== null && b !== null && compare(a as never, b as never);
    };
  }
  const operate = ARITHMETIC[op];
  if (operate === undefined) return null;
  return (row) => {
    const [a, b] = [left(row), right(row)];
    return a === null || b === null ? null : operate(Number(a), Number(b));
  };
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number | null>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? null : a / b),
  '%': (a, b) => (b === 0 ? null : a % b),
};

function looselyEqual(a: unknown, b: unknown): boolean {
  // As in squirreling, 1 = '1'. null equals null only in the list of IN.
  // biome-ignore lint/suspicious/noDoubleEquals: the comparison of the engine
  return a == b;
}
