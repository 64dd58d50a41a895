/** Descriptions of unsupported files by their first bytes, for error messages. */
import { startsWith } from './starts-with.ts';

type Known = {
  readonly magic: string | readonly number[];
  readonly words: string;
};

/** The first match counts: specific entries come before general ones. */
const KNOWN: readonly Known[] = [
  { magic: 'BC\xc0\xde', words: 'LLVM bitcode: compile it to an object with llc or clang -c' },
  {
    magic: [0xde, 0xc0, 0x17, 0x0b],
    words: 'LLVM bitcode: compile it to an object with llc or clang -c',
  },
  { magic: [0xef, 0xbb, 0xbf, 0x7f, 0x45, 0x4c, 0x46], words: 'ELF behind a byte order mark' },
  { magic: [0xff, 0xfe, 0x7f, 0x00, 0x45, 0x00], words: 'ELF in UTF-16' },
  { magic: [0xfe, 0xff, 0x00, 0x7f, 0x00, 0x45], words: 'ELF in UTF-16' },
  { magic: [0x7f, 0x00, 0x45, 0x00, 0x4c, 0x00], words: 'ELF in UTF-16' },
  { magic: 'f0VMRg', words: 'ELF in base64 text' },
  { magic: '7f454c46', words: 'ELF in hexadecimal text' },
  { magic: '00000000: 7f45 4c46', words: 'a hex dump of an ELF file' },
  { magic: [0xfe, 0xed, 0xfa, 0xce], words: 'a Mach-O file' },
  { magic: [0xfe, 0xed, 0xfa, 0xcf], words: 'a Mach-O file' },
  { magic: [0xce, 0xfa, 0xed, 0xfe], words: 'a Mach-O file' },
  { magic: [0xcf, 0xfa, 0xed, 0xfe], words: 'a Mach-O file' },
  { magic: [0xca, 0xfe, 0xba, 0xbe], words: 'a Mach-O file for several machines, or a Java class' },
  { magic: '\0asm', words: 'a WebAssembly module' },
  { magic: 'MZ', words: 'a PE file (Windows or EFI)' },
  { magic: [0x64, 0x86], words: 'a COFF object (Windows)' },
  { magic: '7z\xbc\xaf\x27\x1c', words: 'a 7z archive: unpack it first' },
  { magic: '070707', words: 'a cpio archive of the old form: convert it to newc' },
  { magic: 'hsqs', words: 'a squashfs image' },
  { magic: [0x89, 0x4c, 0x5a, 0x4f, 0x00], words: 'an lzop file: unpack it with lzop -d' },
  { magic: 'LZIP', words: 'an lzip file: unpack it with lzip -d' },
  { magic: [0x1f, 0x9d], words: 'a file packed by compress: unpack it with gzip -d' },
  { magic: [0xd4, 0xc3, 0xb2, 0xa1], words: 'a packet capture' },
  { magic: [0xa1, 0xb2, 0xc3, 0xd4], words: 'a packet capture' },
  { magic: [0x0a, 0x0d, 0x0d, 0x0a], words: 'a packet capture' },
  { magic: '%PDF-', words: 'a PDF document' },
  { magic: '\x89PNG', words: 'an image' },
  { magic: [0xff, 0xd8, 0xff], words: 'an image' },
  { magic: 'GIF8', words: 'an image' },
  {
    magic: 'version https://git-lfs',
    words: 'a pointer of Git LFS: fetch the file itself with git lfs pull',
  },
];

/** Supported magic numbers, for files that end inside them. */
const CUT_MAGICS: readonly Known[] = [
  { magic: '\x7fELF', words: 'the first bytes of an ELF file' },
  { magic: [0x9f, 0xeb], words: 'the first byte of a BTF blob' },
];

/** Describes a file by its magic number, a cut one of a supported format, or zeros; null for others. */
export function describeMagic(head: Uint8Array): string | null {
  const known = KNOWN.find(({ magic }) => startsWith(head, magic));
  const cut = CUT_MAGICS.find(({ magic }) => startsWith(head, magic.slice(0, head.length)));
  const zeros = head.every((byte) => byte === 0);
  return known?.words ?? cut?.words ?? (zeros ? 'a file of zeros' : null);
}

/** The first match counts. */
const TEXTS: readonly { readonly pattern: RegExp; readonly words: string }[] = [
  { pattern: /^<(!doctype html|html|head|body|script)\b/i, words: 'a web page' },
  { pattern: /^<(\?xml|svg)\b/i, words: 'XML' },
  { pattern: /^\[\d+\] [A-Z_]+ '/, words: 'the printed text of a BTF dump, not the BTF itself' },
  { pattern: /^(\{\s*["}]|\[\s*(["[{\]\d-]|true|false|null))/, words: 'JSON' },
  { pattern: /^#!/, words: 'a script' },
  { pattern: /^(\/\*|\/\/|#\s*(include|define|ifn?def|pragma)\b)/, words: 'C source text' },
  {
    pattern: /^(?=[\s\S]*\d)(?=[\s\S]*[a-z])(?=[\s\S]*[A-Z])[A-Za-z\d+/\r\n]{40,}={0,2}\s*$/,
    words: 'base64 text',
  },
];

/** Describes any text; null for data that is not text. */
export function describeText(head: Uint8Array): string | null {
  if (startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff])) return 'text in UTF-16';
  const text = textOf(head);
  if (text === null) return null;
  return TEXTS.find(({ pattern }) => pattern.test(text))?.words ?? 'plain text';
}

/** Returns `head` as text without its indent; null if it has control characters or is not UTF-8. */
function textOf(head: Uint8Array): string | null {
  try {
    // As a stream: the head may end inside a character. The decoder drops a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    const isControl = (c: string) => c < ' ' && !'\t\n\r\f\x1b'.includes(c);
    return Array.from(text).some(isControl) ? null : text.trimStart();
  } catch {
    return null;
  }
}
