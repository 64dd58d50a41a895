/** Single values as C writes them: numbers, enumerators, strings, what a pointer points at. */
import type { PointerTarget, Value } from '#analysis/values/decode.ts';

/** More of a string is not written; a comment says how much is left. */
const MAX_STRING = 4096;

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

/** Bytes as a string literal; those that are no ASCII in octal, which no digit behind them changes. */
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

/** `&counter`, `(void *)&numbers + 20`, `first`, `"text"`. Raw names in it. */
export function targetText({ name, what, delta, text }: PointerTarget): string {
  if (text !== null) return stringLiteral(text);
  const isPlace = what === 'section' || what === 'string';
  const place = what === 'function' || isPlace ? name : `&${name}`;
  if (delta === 0n) return place;
  const sign = delta < 0n ? '-' : '+';
  return `${isPlace ? '' : '(void *)'}${place} ${sign} ${delta < 0n ? -delta : delta}`;
}

/** A value without parts, or a string, as C writes it; a comment where it has none. Raw names in it. */
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
