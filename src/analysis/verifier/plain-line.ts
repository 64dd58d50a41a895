/** Lines of a log without line end, colours, and the escapes of a logger. */
import { decodeText } from '#bytes/text.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const windows1252 = new TextDecoder('latin1');

/** Returns bytes as text of one character a byte, so that offsets in both are equal. */
export function oneCharacterPerByte(bytes: Uint8Array): string {
  // The decoder of UTF-8 is several times faster. Text that is only ASCII has the same length.
  const text = utf8.decode(bytes);
  return text.length === bytes.length ? text : windows1252.decode(bytes);
}

/**
 * Returns a line without colours. `isEscaped` means that a logger wrote quotes, tabs and other
 * characters of the line as `\"`, `\t` and `\u003e`.
 */
export function plainLine(line: string, isEscaped: boolean): string {
  const text = unescaped(withoutReturn(line), isEscaped);
  return text.includes(ESCAPE) ? text.replace(COLOUR, '') : text;
}

/** Returns the text of a line's bytes, with its line end, after the first `skip` characters. */
export function textOfLine(bytes: Uint8Array, isEscaped: boolean, skip: number): string {
  const text = plainLine(withoutEnd(oneCharacterPerByte(bytes), isEscaped), isEscaped).slice(skip);
  if (!/[\u0080-\uffff]/.test(text)) return text;
  // Windows-1252 has characters beyond U+00FF, and invalid UTF-8 is U+FFFD.
  let raw = '';
  for (const byte of bytes) raw += String.fromCharCode(byte);
  const line = plainLine(withoutEnd(raw, isEscaped), isEscaped).slice(skip);
  return decodeText(Uint8Array.from(line, (char) => char.charCodeAt(0)));
}

/** Returns a line without its end, which a logger may have escaped. */
function withoutEnd(text: string, isEscaped: boolean): string {
  if (text.endsWith('\n')) return text.slice(0, -1);
  return isEscaped && text.endsWith('\\n') ? text.slice(0, -2) : text;
}

function withoutReturn(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x0d) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

const ESCAPE = String.fromCharCode(0x1b);
/** Colours and links of terminals. Source: ECMA-48, control sequences and OSC. */
const COLOUR = new RegExp(
  `${ESCAPE}(?:\\[[0-9;:?]{0,32}[A-Za-z]|\\][^${ESCAPE}\\u0007]{0,256}(?:\\u0007|${ESCAPE}\\\\))`,
  'g',
);

const ESCAPED = /\\(?:u00([0-9a-f]{2})|x([0-9a-f]{2})|(["'\\/tr]))/gi;

function unescaped(text: string, isEscaped: boolean): string {
  if (!isEscaped) return text;
  return text.replace(ESCAPED, (_, wide?: string, byte?: string, char?: string) => {
    const code = wide ?? byte;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return char === 't' ? '\t' : char === 'r' ? '' : (char ?? '');
  });
}
