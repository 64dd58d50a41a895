/** What a file is, by its first bytes and never by its name. */
import { hexDigits } from '#bytes/text.ts';
import * as objectModules from '#formats/object-modules.ts';
import { type BootImage, bootImageKind } from './boot-image.ts';
import type { CompressedKind } from './decompress.ts';
import { describeMagic, describeText } from './known-others.ts';
import { startsWith } from './starts-with.ts';
import { isTar } from './tar-header.ts';

/** A file that is compressed as a whole. */
export type PackedKind = Exclude<CompressedKind, 'zlib' | 'deflate'>;

/** A format of objects beside ELF and BTF. */
export type ObjectFormat = keyof typeof objectModules;

const OBJECTS = Object.entries(objectModules) as [
  ObjectFormat,
  { begins: (head: Uint8Array) => boolean },
][];

/** A file that holds others; of a thin `ar` archive only their names. An RPM package holds a packed one. */
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
  // BTF_MAGIC, 0xeb9f, in either byte order.
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

/**
 * The format that `head` begins. `head` is all of the file or at least its first
 * 512 bytes; boot images need `BOOT_IMAGE_HEAD` of them.
 */
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

/** zstd and lz4 may open with a frame to be skipped (RFC 8878, section 3.1.2); pzstd does. */
function isSkippableFrame(head: Uint8Array): boolean {
  return ((head[0] ?? 0) & 0xf0) === 0x50 && startsWith(head, [0x2a, 0x4d, 0x18], 1);
}

/** What stands behind the skippable frames that `head` opens with, as far as it reaches. */
function afterSkippable(head: Uint8Array): Sniffed {
  let rest = head;
  while (rest.length >= 8 && isSkippableFrame(rest)) {
    rest = rest.subarray(8 + new DataView(rest.buffer, rest.byteOffset).getUint32(4, true));
  }
  return MAGICS.find(([, magic]) => startsWith(rest, magic))?.[0] ?? 'unknown';
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

/** Is it neither text nor a file with a known magic number, but data that nothing can be said of? */
export function isWithoutWords(head: Uint8Array): boolean {
  const start = head.subarray(0, LOOKED_AT);
  return head.length > 0 && describeMagic(start) === null && describeText(start) === null;
}

/**
 * What an unknown file looks like, as a noun in words for a person: 'a web
 * page', 'plain text'. Never empty, and names nothing from the file but bytes in hexadecimal.
 */
export function describeUnknown(head: Uint8Array): string {
  if (head.length === 0) return 'an empty file';
  const start = head.subarray(0, LOOKED_AT);
  const known = describeMagic(start) ?? describeText(start);
  if (known !== null) return known;
  return `data of an unknown kind that begins with ${hexDigits(head.subarray(0, 8))}`;
}
