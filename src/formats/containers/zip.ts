/** Lists and unpacks zip and zip64 files. Source: PKWARE APPNOTE.TXT 6.3.10, 4.3 to 4.5. */
import { startsWith } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Signal } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { decodeText, hexDigits, visible } from '#bytes/text.ts';
import { crc32 } from './checksums.ts';
import { type CompressedKind, type DecompressOptions, decompress } from './decompress.ts';
import { type ArchiveMember, MemberReader, memberKind } from './member.ts';

const REGION = 'zip archive';
const LOCAL = 'PK\x03\x04';
const LOCAL_LENGTH = 30;
const CENTRAL = 'PK\x01\x02';
const CENTRAL_LENGTH = 46;
const END = 'PK\x05\x06';
const END_LENGTH = 22;
const MAX_COMMENT = 0xffff;
const LOCATOR = 'PK\x06\x07';
const LOCATOR_LENGTH = 20;
const END64 = 'PK\x06\x06';
const END64_LENGTH = 56;
/** Value of a 32-bit field whose number is in the zip64 field. */
const IN_ZIP64 = 0xffffffff;
const ZIP64_EXTRA = 1;
const ENCRYPTED = 1;

/** Compression methods (4.4.5). null means stored. */
const METHODS: ReadonlyMap<number, CompressedKind | null> = new Map([
  [0, null],
  [8, 'deflate'],
  [12, 'bzip2'],
  [93, 'zstd'],
  [95, 'xz'],
]);

/** Returns the files of a zip archive. A malformed entry ends the list. Throws `Malformed`. */
export async function readZipMembers(source: ByteSource, signal?: Signal) {
  const reader = new MemberReader(source, 'zip', REGION, signal);
  const { directory, count } = await findDirectory(source);
  let entries = 0;
  for (let at = directory.start; at < directory.end; entries++) {
    const header = await reader.fetch(at, CENTRAL_LENGTH);
    if (header.length < CENTRAL_LENGTH || !startsWith(header, CENTRAL)) {
      const expected = 'an entry of the central directory, 504b0102';
      reader.badHeader(at, CENTRAL_LENGTH, expected, hexDigits(header.subarray(0, 4)));
      break;
    }
    const r = new ByteReader(header, REGION, 'little', at);
    const [nameLength, extraLength, commentLength] = [r.u16(28), r.u16(30), r.u16(32)];
    const rest = await reader.fetch(at + CENTRAL_LENGTH, nameLength + extraLength);
    const name = decodeText(rest.subarray(0, nameLength));
    const sizes = sizesOf(r, rest.subarray(nameLength));
    at += CENTRAL_LENGTH + nameLength + extraLength + commentLength;
    if (name.endsWith('/') && sizes.size === 0) continue;
    const fits = reader.push({
      name,
      kind: memberKind(name, null),
      fileOffset: directory.before + sizes.offset,
      size: sizes.size,
      packing: {
        kind: 'zip',
        method: r.u16(10),
        isEncrypted: (r.u16(8) & ENCRYPTED) !== 0,
        byteLength: sizes.byteLength,
        crc32: r.u32(16),
      },
    });
    if (!fits) break;
  }
  checkOverlap(source, reader.members);
  // Without zip64, the count of entries has 16 bits and may have wrapped.
  if (reader.issues.length === 0 && entries % 0x10000 !== count % 0x10000) {
    reader.issue('warning', 'wrong-count', 'The central directory has another number of entries', {
      span: directory,
      expected: `${count}`,
      found: `${entries}`,
    });
  }
  return reader.finish();
}

/** Throws `Malformed` if two members share bytes: a small file could then unpack to any size. */
function checkOverlap(source: ByteSource, members: readonly ArchiveMember[]): void {
  let end = 0;
  for (const member of members.toSorted((a, b) => a.fileOffset - b.fileOffset)) {
    const { name, fileOffset, packing } = member;
    if (packing?.kind !== 'zip') continue;
    if (fileOffset < end) {
      throw new Malformed({
        code: 'zip.overlap',
        region: REGION,
        message: `${source.name}: ${visible(name.slice(0, 100))} shares bytes with another member`,
        span: spanOf(fileOffset, LOCAL_LENGTH),
        expected: `a member from offset ${end}`,
        found: `${fileOffset}`,
        advice: 'The archive is damaged or hostile. Pack its files again.',
      });
    }
    end = fileOffset + LOCAL_LENGTH + packing.byteLength;
  }
}

/** Span of the central directory. `before` is the number of bytes before the archive. */
type Directory = Span & { readonly before: number };

/** Finds the central directory through the end record at the end of the file. */
async function findDirectory(
  source: ByteSource,
): Promise<{ readonly directory: Directory; readonly count: number }> {
  const tailStart = Math.max(0, source.size - END_LENGTH - MAX_COMMENT - LOCATOR_LENGTH);
  const tail = new ByteReader(
    await source.read(tailStart, source.size),
    REGION,
    'little',
    tailStart,
  );
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    if (!startsWith(tail.bytes, END, at)) continue;
    // Skips a signature in the comment: the end record must reach the end of the file.
    if (at + END_LENGTH + tail.u16(at + 20) > tail.length) continue;
    const end64 = await zip64End(source, tail, at - LOCATOR_LENGTH);
    const end = end64?.at ?? tailStart + at;
    const size = end64?.size ?? tail.u32(at + 12);
    const offset = end64?.offset ?? tail.u32(at + 16);
    if (size > end) break;
    const before = Math.max(0, end - size - offset);
    return {
      directory: { start: end - size, end, before },
      count: end64?.count ?? tail.u16(at + 10),
    };
  }
  throw new Malformed({
    code: 'zip.no-directory',
    region: REGION,
    message: `${source.name}: the zip archive has no central directory`,
    span: { start: tailStart, end: source.size },
    expected: 'an end of central directory record, 504b0506',
    found: 'none',
    advice: 'The archive is cut or damaged. Copy or download the whole file again.',
  });
}

/** Returns the end record of zip64, whose locator is at `at` of `tail`; null if there is none. */
async function zip64End(source: ByteSource, tail: ByteReader, at: number) {
  if (at < 0 || !startsWith(tail.bytes, LOCATOR, at)) return null;
  const place = safe(tail.u64(at + 8));
  const bytes = await source.read(place, place + END64_LENGTH);
  if (bytes.length < END64_LENGTH || !startsWith(bytes, END64)) return null;
  const r = new ByteReader(bytes, REGION, 'little', place);
  return { at: place, count: safe(r.u64(32)), size: safe(r.u64(40)), offset: safe(r.u64(48)) };
}

/** Returns the sizes and the offset of an entry. Uses the zip64 field in `extra` if necessary. */
function sizesOf(r: ByteReader, extra: Uint8Array) {
  const stated = [r.u32(24), r.u32(20), r.u32(42)];
  const [size = 0, byteLength = 0, offset = 0] = zip64Values(extra, stated);
  return { size, byteLength, offset };
}

/** Returns `stated`, but takes each value that is `IN_ZIP64` from the zip64 field. */
function zip64Values(extra: Uint8Array, stated: readonly number[]): readonly number[] {
  if (!stated.includes(IN_ZIP64)) return stated;
  const r = new ByteReader(extra, REGION);
  for (let at = 0; at + 4 <= r.length; ) {
    const [id, length] = [r.u16(at), r.u16(at + 2)];
    at += 4;
    if (id === ZIP64_EXTRA) {
      const end = Math.min(at + length, r.length);
      return stated.map((value) => {
        if (value !== IN_ZIP64 || at + 8 > end) return value;
        at += 8;
        return safe(r.u64(at - 8));
      });
    }
    at += length;
  }
  return stated;
}

/** Converts a 64-bit number to a file offset. Too large numbers become the largest safe integer. */
function safe(value: bigint): number {
  return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
}

/** Returns the bytes of a member. Throws `Malformed` (`zip.…`), and errors of `decompress`. */
export async function unpackZipMember(
  source: ByteSource,
  { name, fileOffset, packing }: ArchiveMember,
  options: Omit<DecompressOptions, 'region' | 'fileOffset'>,
): Promise<Uint8Array> {
  if (packing?.kind !== 'zip') throw new Error('no member of a zip archive');
  const fail = (code: string, message: string, span: Span, expected: string, found: string) =>
    new Malformed({
      code: `zip.${code}`,
      region: REGION,
      message: `${name}: ${message}`,
      span,
      expected,
      found,
      advice: 'Unpack it yourself with "unzip" and open the result.',
    });
  const headerSpan = spanOf(fileOffset, LOCAL_LENGTH);
  const header = await source.read(fileOffset, headerSpan.end);
  if (header.length < LOCAL_LENGTH || !startsWith(header, LOCAL)) {
    const found = hexDigits(header.subarray(0, 4)) || 'the end of the file';
    throw fail('bad-local-header', 'no local header', headerSpan, '504b0304', found);
  }
  const method = METHODS.get(packing.method);
  if (packing.isEncrypted) {
    throw fail('unsupported', 'it is encrypted', headerSpan, 'no encryption', 'bit 0 of the flags');
  }
  if (method === undefined) {
    const found = `method ${packing.method}`;
    throw fail('unsupported', 'its compression is not supported', headerSpan, 'deflate', found);
  }
  const r = new ByteReader(header, REGION, 'little', fileOffset);
  const start = headerSpan.end + r.u16(26) + r.u16(28);
  const stored = Math.min(packing.byteLength, Math.max(0, source.size - start));
  if (stored < packing.byteLength || stored > options.limit) {
    const expected = `${packing.byteLength} bytes, at most ${options.limit}`;
    throw fail('truncated', 'its data is cut', spanOf(start, stored), expected, `${stored} bytes`);
  }
  const packed = await source.read(start, start + stored);
  const bytes = method === null ? packed : await unpacked(method, name, packed, start, options);
  const crc = crc32(0, bytes);
  if (crc !== packing.crc32) {
    const [expected, found] = [packing.crc32, crc].map((sum) => sum.toString(16).padStart(8, '0'));
    throw fail(
      'checksum',
      'its CRC-32 is wrong',
      spanOf(start, stored),
      expected ?? '',
      found ?? '',
    );
  }
  return bytes;
}

/** Unpacks like `decompress`, but throws an error if the data is damaged. */
async function unpacked(
  method: CompressedKind,
  region: string,
  packed: Uint8Array,
  fileOffset: number,
  options: Omit<DecompressOptions, 'region' | 'fileOffset'>,
): Promise<Uint8Array> {
  const { bytes, issues } = await decompress(method, packed, { ...options, region, fileOffset });
  const damage = issues.find(({ severity }) => severity === 'error');
  if (damage !== undefined) throw new Malformed(damage);
  return bytes;
}
