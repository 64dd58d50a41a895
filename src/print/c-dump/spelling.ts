/**
 * Names as C can spell them, for texts of ours that are to compile. bpftool writes a name
 * as the file has it, whatever it does to a compiler.
 */
import { decodeText, visible } from '#bytes/text.ts';
import { isSpellable } from '#print/needs-header-words.ts';

/** C23, 6.4.2.1; with what shows nothing taken out, which compilers warn of. */
const WIDE_IDENTIFIER = /^[\p{XIDS}_]\p{XIDC}*$/u;
const WORDS_OF_C = /^[A-Za-z_]\w*( [A-Za-z_]\w*)*$/;
const PLAIN = /^\w*$/;

/**
 * The name with these bytes as one identifier of C: null where it is one as it stands, else
 * with `_xNN` for each byte that is none of ASCII's letters, digits and `_`. `0x18` has a
 * `_` before it, `int` one behind it.
 */
export function spelledIdentifier(name: Uint8Array): string | null {
  const text = decodeText(name);
  if (text === '' || isSpellable(text)) return null;
  // What has no other characters is a number, or a word of C.
  if (PLAIN.test(text)) return /^\d/.test(text) ? `_${text}` : `${text}_`;
  if (WIDE_IDENTIFIER.test(text) && visible(text) === text && text.normalize() === text) {
    return null;
  }
  let spelled = '';
  for (const byte of name) {
    const character = String.fromCharCode(byte);
    spelled += byte < 0x80 && PLAIN.test(character) ? character : `_x${hex(byte)}`;
  }
  return /^\d/.test(spelled) ? `_${spelled}` : spelled;
}

/** Can the name of an INT or FLOAT stand where C has its types? Words and blanks: `long unsigned int`. */
export function areWords(name: Uint8Array): boolean {
  return WORDS_OF_C.test(decodeText(name));
}

/**
 * The bytes between the quotes of a string of C: null where they may stand as they are. What
 * shows nothing is there by its escape, as text: strings of attributes have no `\xNN`.
 */
export function spelledString(name: Uint8Array): string | null {
  const text = decodeText(name);
  const spelled = visible(text).replace(/["\\]|(?<=\?)\?/g, '\\$&');
  return spelled === text ? null : spelled;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
