/** Detects the format of a file by its first bytes, never by its name. */
import { hexDigits } from '#bytes/text.ts';
import * as objectModules from '#formats/object-modules.ts';
import { type BootImage, bootImageKind } from './boot-image.ts';
import type { CompressedKind } from './decompress.ts';
import { describeMagic, describeText } from './known-others.ts';
import { startsWith } from './starts-with.ts';
import { isTar } from './tar-header.ts';

/** Formats of a file that is compressed as a whole. */
export type PackedKind = Exclude<CompressedKind, 'zlib' | 'deflate'>;

/** Object formats other than ELF and BTF. */
export type ObjectFormat = keyof typeof objectModules;

const OBJECTS = Object.entries(objectModules) as [
  ObjectFormat,
  { begins: (head: Uint8Array) => boolean },
][];

/** Files with members; a thin `ar` archive has only their names. An RPM package is a packed archive. */
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

/** Returns the format of a file by its first 512 bytes; boot images need `BOOT_IMAGE_HEAD` bytes. */
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

/** True for a skippable frame, with which zstd and lz4 may begin (RFC 8878, section 3.1.2); pzstd writes one. */
function isSkippableFrame(head: Uint8Array): boolean {
  return ((head[0] ?? 0) & 0xf0) === 0x50 && startsWith(head, [0x2a, 0x4d, 0x18], 1);
}

/** Returns the format after the skippable frames at the start of `head`. */
function afterSkippable(head: Uint8Array): Sniffed {
  let rest = head;
  while (rest.length >= 8 && isSkippableFrame(rest)) {
    rest = rest.subarray(8 + new DataView(rest.buffer, rest.byteOffset).getUint32(4, true));
  }
  return MAGICS.find(([, magic]) => startsWith(rest, magic))?.[0] ?? 'unknown';
}

/** "BZh" alone may be text: a level and a block or the end of the stream must follow. */
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
/** Limit of the unpacked size of a .lzma file, as in XZ Utils' detection. */
const MAX_LZMA_SIZE = 2n ** 38n;

/**
 * Detects a .lzma file, which has no magic number, as XZ Utils does: valid properties, a dictionary
 * of 2^n or 2^n + 2^(n-1) bytes, an unknown or plausible size, and the zero byte that begins range
 * coded data.
 */
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

/** Bytes that suffice to describe a file. */
const MAX_DESCRIBED = 4096;

/** True for data that is neither text nor a file with a known magic number. */
export function isWithoutWords(head: Uint8Array): boolean {
  const start = head.subarray(0, MAX_DESCRIBED);
  return head.length > 0 && describeMagic(start) === null && describeText(start) === null;
}

/** Describes an unknown file as a noun phrase: 'a web page'. Never empty; quotes the file only as hexadecimal bytes. */
export function describeUnknown(head: Uint8Array): string {
  if (head.length === 0) return 'an empty file';
  const start = head.subarray(0, MAX_DESCRIBED);
  const known = describeMagic(start) ?? describeText(start);
  if (known !== null) return known;
  return `data of an unknown kind that begins with ${hexDigits(head.subarray(0, 8))}`;
}
