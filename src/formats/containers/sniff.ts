/** What a file is, by its first bytes and never by its name. */
import { hexBytes } from './hex.ts';
import { describeMagic, describeText } from './known-others.ts';
import { startsWith } from './starts-with.ts';

export type Sniffed =
  | 'elf'
  | 'btf'
  | 'gzip'
  | 'xz'
  | 'zstd'
  | 'lzma'
  | 'bzip2'
  | 'ar'
  | 'thin-ar'
  | 'unknown';

const MAGICS: readonly (readonly [Sniffed, string | readonly number[]])[] = [
  ['elf', '\x7fELF'],
  // BTF_MAGIC, 0xeb9f, in either byte order.
  ['btf', [0x9f, 0xeb]],
  ['btf', [0xeb, 0x9f]],
  ['gzip', [0x1f, 0x8b]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['ar', '!<arch>\n'],
  ['thin-ar', '!<thin>\n'],
];

/** The format that `head` begins; `head` is at least the first 512 bytes of a file, or all of it. */
export function sniff(head: Uint8Array): Sniffed {
  for (const [kind, magic] of MAGICS) if (startsWith(head, magic)) return kind;
  if (isSkippableFrame(head)) return 'zstd';
  if (isBzip2(head)) return 'bzip2';
  if (isLzma(head)) return 'lzma';
  return 'unknown';
}

/** zstd may open with a frame to be skipped (RFC 8878, section 3.1.2); pzstd does. */
function isSkippableFrame(head: Uint8Array): boolean {
  return ((head[0] ?? 0) & 0xf0) === 0x50 && startsWith(head, [0x2a, 0x4d, 0x18], 1);
}

/** "BZh" alone could be text: a level must follow, and a block or the end of the stream. */
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
/** Nobody packs more than this in a .lzma file; XZ Utils uses the same bound to tell. */
const LZMA_MAX_SIZE = 2n ** 38n;

/**
 * A .lzma file has no magic. As in XZ Utils: properties that exist, a dictionary
 * of 2^n or 2^n + 2^(n-1) bytes, a size that is unknown or not absurd, and the
 * zero that opens range coded data.
 */
function isLzma(head: Uint8Array): boolean {
  if (head.length <= LZMA_HEADER_LENGTH || head[LZMA_HEADER_LENGTH] !== 0) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const dictionarySize = view.getUint32(1, true);
  const size = view.getBigUint64(5, true);
  return (
    view.getUint8(0) <= 224 &&
    isDictionarySize(dictionarySize) &&
    (size === 2n ** 64n - 1n || size < LZMA_MAX_SIZE)
  );
}

function isDictionarySize(size: number): boolean {
  if (size === 0xffffffff) return true;
  if (size === 0) return false;
  const top = 2 ** (31 - Math.clz32(size));
  return size === top || size === top + top / 2;
}

/** Bytes that are enough to tell what a file looks like. */
const LOOKED_AT = 4096;

/**
 * What an unknown file looks like, as a noun in words for a person: 'a web
 * page', 'plain text'. Never empty, and names nothing from the file but bytes in hexadecimal.
 */
export function describeUnknown(head: Uint8Array): string {
  if (head.length === 0) return 'an empty file';
  const start = head.subarray(0, LOOKED_AT);
  const known = describeMagic(start) ?? describeText(start);
  if (known !== null) return known;
  return `data of an unknown kind that begins with ${hexBytes(head.subarray(0, 8))}`;
}
