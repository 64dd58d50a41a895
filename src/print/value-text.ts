/** Writes variables as C initializers for display. Values that C cannot express are comments. */
import { declaratorText } from '#analysis/types/declarator.ts';
import { type PointerTarget, partAt, type Value } from '#analysis/values/decode.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

export type ValueTextOptions = {
  /** Limit of printed array elements; a comment states the number of the rest. */
  readonly maxElements?: number;
  /** True: a struct or array of zeros is printed as `{}`. */
  readonly foldZeros?: boolean;
};

const MAX_ELEMENTS = 1024;
const MAX_DEPTH = 64;
const MAX_LINES = 1 << 17;
const MAX_DECLARATION = 400;
const WIDTH = 96;

/** Returns a declaration of at most 400 characters; unnamed types are `struct {…}`. Not escaped. */
export function declarationText(t: TypeTable, id: TypeId, name: string): string {
  return declaratorText(t, id, name, MAX_DECLARATION);
}

type Frame = { readonly value: Value; next: number; row: string };

/** Yields the lines of a declaration `before` with its value. Names are not escaped. */
export function* valueLines(
  before: string,
  value: Value,
  options: ValueTextOptions = {},
): Generator<string> {
  const folds = options.foldZeros === true ? zeroFinder() : () => false;
  const isEmpty = (at: Value) => at.partCount === 0 || folds(at);
  const wordOf = (at: Value) => (!hasParts(at) ? valueWord(at) : isEmpty(at) ? '{}' : null);
  const whole = wordOf(value);
  if (whole !== null) {
    yield `${before}${whole};`;
    return;
  }
  yield `${before}{`;
  const stack: Frame[] = [{ value, next: 0, row: '' }];
  for (let frame = stack.at(-1), lines = 0; frame !== undefined; frame = stack.at(-1), lines++) {
    const indent = '\t'.repeat(stack.length);
    const isFull = lines > MAX_LINES || frame.next >= maxParts(frame.value, options);
    const part = isFull ? null : partAt(frame.value, frame.next);
    if (part === null) {
      yield* rowEnd(frame, indent);
      const left = frame.value.partCount - frame.next;
      if (left > 0) yield `${indent}/* … ${left} more */`;
      stack.pop();
      yield `${indent.slice(1)}}${stack.length === 0 ? ';' : ','}`;
      continue;
    }
    frame.next++;
    const label = labelOf(frame.value, part);
    const word = wordOf(part) ?? (stack.length < MAX_DEPTH ? null : '/* … */');
    if (word === null) {
      yield* rowEnd(frame, indent);
      yield `${indent}${label}{`;
      stack.push({ value: part, next: 0, row: '' });
    } else if (label !== '') {
      yield `${indent}${label}${word},`;
    } else {
      if (frame.row.length + word.length >= WIDTH) yield* rowEnd(frame, indent);
      frame.row += frame.row === '' ? `${word},` : ` ${word},`;
    }
  }
}

/** Yields the current line of array elements. Elements without parts share lines. */
function* rowEnd(frame: Frame, indent: string): Generator<string> {
  if (frame.row !== '') yield `${indent}${frame.row}`;
  frame.row = '';
}

function maxParts({ content, partCount }: Value, options: ValueTextOptions): number {
  return content.kind === 'array'
    ? Math.min(partCount, options.maxElements ?? MAX_ELEMENTS)
    : partCount;
}

function hasParts({ content }: Value): boolean {
  const { kind } = content;
  return kind === 'struct' || kind === 'union' || kind === 'array' || kind === 'section';
}

/** Returns the label of a part: `.member = `, or a comment; empty for an array element. */
function labelOf({ content }: Value, part: Value): string {
  if (content.kind === 'array') return '';
  return part.name === '' ? '/* anonymous */ ' : `.${part.name} = `;
}

/** Limit of bytes that are compared with zero: a hostile type may repeat the same bytes. */
const MAX_COMPARED = 1 << 26;

/** Returns a function that tests for zeros without missing bytes and relocated pointers. */
function zeroFinder(): (value: Value) => boolean {
  let left = MAX_COMPARED;
  return ({ scope, bitOffset, bitSize }) => {
    const start = Math.floor(bitOffset / 8);
    const end = Math.ceil((bitOffset + bitSize) / 8);
    const bytes = scope.bytes.subarray(start, end);
    left -= bytes.length;
    return (
      left >= 0 &&
      end <= scope.byteLength &&
      bytes.every((byte) => byte === 0) &&
      !scope.pointers.areIn(start, end)
    );
  };
}

/** Limit of printed bytes of a string; a comment states the number of the rest. */
const MAX_STRING = 4096;

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

/** Returns a string literal. Bytes outside of ASCII are octal escapes of three digits. */
export function stringLiteral(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes.subarray(0, MAX_STRING)) {
    const isShown = byte >= 0x20 && byte < 0x7f;
    text +=
      ESCAPES.get(byte) ??
      (isShown ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`);
  }
  const left = bytes.length - MAX_STRING;
  return `"${text}"${left > 0 ? ` /* … ${left} more bytes */` : ''}`;
}

/** Returns a pointer's target in C: `&counter`, `(void *)&numbers + 20`, `first`, `"text"`. */
export function targetText({ name, what, delta, text }: PointerTarget): string {
  if (text !== null) return stringLiteral(text);
  const isPlace = what === 'section' || what === 'string';
  const place = what === 'function' || isPlace ? name : `&${name}`;
  if (delta === 0n) return place;
  const sign = delta < 0n ? '-' : '+';
  return `${isPlace ? '' : '(void *)'}${place} ${sign} ${delta < 0n ? -delta : delta}`;
}

/** Returns a value without parts, or a string, in C; otherwise a comment. Not escaped. */
export function valueWord({ content, bitSize }: Value): string {
  switch (content.kind) {
    case 'int':
      return bitSize > 64
        ? `0x${BigInt.asUintN(bitSize, content.value).toString(16)}`
        : `${content.value}`;
    case 'char':
      return charWord(content.value);
    case 'bool':
      return content.value === 0n ? 'false' : 'true';
    case 'enum':
      return content.names.length === 0 ? `${content.value}` : content.names.join(' | ');
    case 'float':
      if (content.number === null) return `/* 0x${content.value.toString(16)} */`;
      return Object.is(content.number, -0) ? '-0.0' : `${content.number}`;
    case 'pointer':
      if (content.target !== null) return targetText(content.target);
      return content.value === 0n ? 'NULL' : `0x${content.value.toString(16)}`;
    case 'string':
      return `${stringLiteral(content.bytes)}${content.isCut ? ' /* … */' : ''}`;
    case 'truncated':
      return '/* … */';
    default:
      return '/* no value */';
  }
}

function charWord(value: bigint): string {
  const byte = Number(BigInt.asUintN(8, value));
  return byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
    ? `'${String.fromCharCode(byte)}'`
    : `${value}`;
}
