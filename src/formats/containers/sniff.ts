/** Detects the format of a file by its first bytes, never by its name. */
import { startsWith } from '#bytes/arrays.ts';
import { hexDigits } from '#bytes/text.ts';
import * as objectModules from '#formats/object-modules.ts';
import { type BootImage, bootImageKind } from './boot-image.ts';
import type { CompressedKind } from './decompress.ts';
import { DEFLATE } from './gzip.ts';
import { isTar } from './tar-header.ts';

/** Formats of files that are compressed as a whole. */
export type PackedKind = Exclude<CompressedKind, 'zlib' | 'deflate'>;

/** Object formats except ELF and BTF. */
export type ObjectFormat = keyof typeof objectModules;

const OBJECTS = Object.entries(objectModules) as [
  ObjectFormat,
  { begins: (head: Uint8Array) => boolean },
][];

/** Archive formats. A thin `ar` archive has only names. An RPM package is a compressed `cpio`. */
export type ArchiveKind = 'ar' | 'thin-ar' | 'tar' | 'zip' | 'cpio';

export type Sniffed =
  | 'elf'
  | 'btf'
  | ObjectFormat
  | ArchiveKind
  | 'atlas'
  | 'rpm'
  | 'unknown'
  | PackedKind
  | BootImage;

const MAGICS: readonly (readonly [Sniffed, string | readonly number[]])[] = [
  ['elf', '\x7fELF'],
  // BTF_MAGIC (0xeb9f) in both byte orders.
  ['btf', [0x9f, 0xeb]],
  ['btf', [0xeb, 0x9f]],
  ['gzip', [0x1f, 0x8b]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
  ['lz4', [0x02, 0x21, 0x4c, 0x18]],
  ['ar', '!<arch>\n'],
  ['thin-ar', '!<thin>\n'],
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['cpio', '070701'],
  ['cpio', '070702'],
  ['rpm', [0xed, 0xab, 0xee, 0xdb]],
  ['atlas', 'BTFATLAS'],
];

/** Returns the format of a file from its first 512 bytes (boot images: `BOOT_IMAGE_HEAD` bytes). */
export function sniff(head: Uint8Array): Sniffed {
  for (const [kind, magic] of MAGICS) if (startsWith(head, magic)) return kind;
  if (isTar(head)) return 'tar';
  const bootImage = bootImageKind(head);
  if (bootImage !== null) return bootImage;
  if (isSkippableFrame(head)) return afterSkippable(head) === 'lz4' ? 'lz4' : 'zstd';
  if (isBzip2(head)) return 'bzip2';
  const object = OBJECTS.find(([, { begins }]) => begins(head));
  if (object !== undefined) return object[0];
  if (isLzma(head)) return 'lzma';
  return 'unknown';
}

/** Returns true for a skippable frame (RFC 8878, 3.1.2), a possible start of zstd and lz4 files. */
function isSkippableFrame(head: Uint8Array): boolean {
  return ((head[0] ?? 0) & 0xf0) === 0x50 && startsWith(head, [0x2a, 0x4d, 0x18], 1);
}

/** Returns the format of the first frame after the skippable frames. */
function afterSkippable(head: Uint8Array): Sniffed {
  let rest = head;
  while (rest.length >= 8 && isSkippableFrame(rest)) {
    rest = rest.subarray(8 + new DataView(rest.buffer, rest.byteOffset).getUint32(4, true));
  }
  return MAGICS.find(([, magic]) => startsWith(rest, magic))?.[0] ?? 'unknown';
}

/** "BZh" may be the start of a text: also requires a level and a block or the end of the stream. */
function isBzip2(head: Uint8Array): boolean {
  const level = head[3] ?? 0;
  if (!startsWith(head, 'BZh') || level < 0x31 || level > 0x39) return false;
  if (head.length < 10) return true;
  return (
    startsWith(head, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59], 4) ||
    startsWith(head, [0x17, 0x72, 0x45, 0x38, 0x50, 0x90], 4)
  );
}

const LZMA_HEADER_LENGTH = 13;
/** Largest unpacked size of a .lzma file that XZ Utils detects. */
const MAX_LZMA_SIZE = 2n ** 38n;

/** Returns true if the properties and sizes are plausible for .lzma, by the rules of XZ Utils. */
function isLzma(head: Uint8Array): boolean {
  if (head.length <= LZMA_HEADER_LENGTH || head[LZMA_HEADER_LENGTH] !== 0) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const dictionarySize = view.getUint32(1, true);
  const size = view.getBigUint64(5, true);
  return (
    view.getUint8(0) <= 224 &&
    isDictionarySize(dictionarySize) &&
    (size === 2n ** 64n - 1n || size < MAX_LZMA_SIZE)
  );
}

function isDictionarySize(size: number): boolean {
  if (size === 0xffffffff) return true;
  if (size === 0) return false;
  const top = 2 ** (31 - Math.clz32(size));
  return size === top || size === top + top / 2;
}

/** Number of bytes that are enough to describe a file. */
const MAX_DESCRIBED = 4096;

/** Returns true for data that is neither text nor has a known magic number. */
export function isWithoutWords(head: Uint8Array): boolean {
  const start = head.subarray(0, MAX_DESCRIBED);
  return head.length > 0 && describeMagic(start) === null && describeText(start) === null;
}

/** Returns a noun phrase for an unknown file: 'a web page'. Quotes bytes only in hexadecimal. */
export function describeUnknown(head: Uint8Array): string {
  if (head.length === 0) return 'an empty file';
  const start = head.subarray(0, MAX_DESCRIBED);
  const known = describeMagic(start) ?? describeText(start);
  if (known !== null) return known;
  return `data of an unknown kind that begins with ${hexDigits(head.subarray(0, 8))}`;
}

type Known = {
  readonly magic: string | readonly number[];
  readonly words: string;
};

/** Descriptions by magic number. The first match is used, so specific entries come first. */
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

/** Magic numbers of supported formats, for files that end inside of the magic number. */
const CUT_MAGICS: readonly Known[] = [
  { magic: '\x7fELF', words: 'the first bytes of an ELF file' },
  { magic: [0x9f, 0xeb], words: 'the first byte of a BTF blob' },
];

/** Describes a file by a magic number, cut magic number or zeros; null for other files. */
export function describeMagic(head: Uint8Array): string | null {
  const known = KNOWN.find(({ magic }) => startsWith(head, magic));
  const cut = CUT_MAGICS.find(({ magic }) => startsWith(head, magic.slice(0, head.length)));
  const zeros = head.every((byte) => byte === 0);
  return known?.words ?? cut?.words ?? (zeros ? 'a file of zeros' : null);
}

/** Descriptions of texts. The first match is used. */
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

/** Describes a text; null for data that is not text. */
export function describeText(head: Uint8Array): string | null {
  if (startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff])) return 'text in UTF-16';
  const text = textOf(head);
  if (text === null) return null;
  return TEXTS.find(({ pattern }) => pattern.test(text))?.words ?? 'plain text';
}

/** Returns `head` as text without its indent; null if it is not UTF-8 or has control characters. */
function textOf(head: Uint8Array): string | null {
  try {
    // With `stream`, the head may end inside of a character. The decoder drops a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    const isControl = (c: string) => c < ' ' && !'\t\n\r\f\x1b'.includes(c);
    return Array.from(text).some(isControl) ? null : text.trimStart();
  } catch {
    return null;
  }
}

export type PackedPlace = { readonly kind: PackedKind; readonly byteOffset: number };

/** First two bytes of each format, the low byte first. For .lzma, the usual properties. */
const STARTS = Uint16Array.of(0x8b1f, 0x37fd, 0xb528, 0x2102, 0x2204, 0x5a42, 0x005d);

/** Number of bytes that `sniff` reads to detect a compressed file. */
const HEAD_LENGTH = 512;

const LZOP_MAGIC = [0x89, 0x4c, 0x5a, 0x4f, 0x00, 0x0d, 0x0a, 0x1a, 0x0a];

/** Yields the offsets in `bytes` where a compressed stream may start, in ascending order. */
export function* packedPlaces(bytes: Uint8Array): Generator<PackedPlace, void, undefined> {
  const isStart = new Uint8Array(0x10000);
  for (const start of STARTS) isStart[start] = 1;
  let pair = (bytes[0] ?? 0) << 8;
  for (let at = 0; at + 1 < bytes.length; at++) {
    pair = (pair >> 8) | ((bytes[at + 1] ?? 0) << 8);
    if (isStart[pair] !== 1) continue;
    const kind = sniff(bytes.subarray(at, at + HEAD_LENGTH));
    // The magic number of gzip has only two bytes, so checks the method as well.
    if (kind === 'gzip' && bytes[at + 2] !== DEFLATE) continue;
    if (isPackedKind(kind)) yield { kind, byteOffset: at };
  }
}

/** Returns true if `bytes` contains lzop data, which btfscope does not unpack. */
export function hasLzop(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x89); at >= 0; at = bytes.indexOf(0x89, at + 1)) {
    if (startsWith(bytes, LZOP_MAGIC, at)) return true;
  }
  return false;
}

const PACKED_KINDS: ReadonlySet<string> = new Set<PackedKind>([
  'gzip',
  'xz',
  'zstd',
  'lzma',
  'bzip2',
  'lz4',
]);

/** Returns true for formats of files that are compressed as a whole. */
export function isPackedKind(kind: string): kind is PackedKind {
  return PACKED_KINDS.has(kind);
}
