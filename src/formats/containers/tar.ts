/**
 * Lists tar archives (POSIX ustar and pax, GNU, old tar) from their headers. Source: POSIX.1-2017,
 * pax; GNU tar manual, "Basic Tar Format", and src/list.c, `read_header`.
 */
import type { Signal } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { decodeName, decodeText } from '#bytes/text.ts';
import { MAX_NAME_LENGTH, MemberReader } from './member.ts';
import { BLOCK, parseTarHeader, SIZE_LENGTH, SIZE_OFFSET, type TarHeader } from './tar-header.ts';

/** Offset of the flag "another sparse block follows" in a GNU header, then in a sparse block. */
const SPARSE_MORE_OFFSET = 482;
const SPARSE_BLOCK_MORE_OFFSET = 504;

const MAX_PAX_LENGTH = 64 * 1024;

/** Fields from extended headers, which apply to the next member. */
type Extended = { name: string | null; size: number | null; isSparse: boolean };

const NO_EXTENDED: Extended = { name: null, size: null, isSparse: false };

/** Returns the regular files of a tar archive. A malformed header ends the list with an issue. */
export async function readTarMembers(source: ByteSource, signal?: Signal) {
  const reader = new MemberReader(source, 'tar', 'tar archive', signal);
  let extended = NO_EXTENDED;
  let zeroBlocks = 0;
  // Two blocks of zeros end the archive.
  for (let at = 0; at < source.size && zeroBlocks < 2; ) {
    const block = await reader.fetch(at, BLOCK);
    if (block.length === BLOCK && block.every((byte) => byte === 0)) {
      zeroBlocks++;
      at += BLOCK;
      continue;
    }
    zeroBlocks = 0;
    const header = readHeader(reader, block, at);
    if (header === null) break;
    const { type } = header;
    let contentOffset = at + BLOCK;
    const size = type === '1' ? 0 : ((isExtension(type) ? null : extended.size) ?? header.size);
    const content = (most: number) => reader.fetch(contentOffset, Math.min(size, most));
    if (type === 'L') {
      extended = { ...extended, name: decodeName(await content(MAX_NAME_LENGTH), 0) };
    } else if (type === 'x') {
      extended = { ...extended, ...paxHeader(await content(MAX_PAX_LENGTH)) };
    } else if (!isExtension(type)) {
      const name = extended.name ?? header.name;
      if (type === 'S') contentOffset = await afterSparseBlocks(reader, block, contentOffset);
      if (type === 'S' || extended.isSparse) {
        reader.issue('warning', 'sparse', `The sparse file ${name} is not listed`, {
          span: spanOf(at, BLOCK),
          advice: 'Unpack it yourself with "tar -xf" and open it.',
        });
      } else if (isFile(type)) {
        const sizeSpan = spanOf(at + SIZE_OFFSET, SIZE_LENGTH);
        const member = { name, fileOffset: contentOffset, size, sizeSpan };
        if (!(await reader.add(member))) break;
      }
      extended = NO_EXTENDED;
    }
    at = contentOffset + Math.ceil(size / BLOCK) * BLOCK;
  }
  return reader.finish();
}

/** Returns true for types of regular files. Type `7` is a contiguous file. */
function isFile(type: string): boolean {
  return type === '0' || type === '\0' || type === '7';
}

/** Returns true for headers about the next member: long names, long links and pax headers. */
function isExtension(type: string): boolean {
  return 'LKxgX'.includes(type);
}

/** Parses a header. A malformed header becomes an issue, and the result is null. */
function readHeader(reader: MemberReader, block: Uint8Array, at: number): TarHeader | null {
  const header = parseTarHeader(block);
  if (!('expected' in header)) return header;
  reader.badHeader(at, BLOCK, header.expected, header.found);
  return null;
}

/** Parses pax records of the form `LENGTH KEY=VALUE\n`, up to the first malformed record. */
function paxHeader(bytes: Uint8Array): Partial<Extended> {
  const extended: Partial<Extended> = {};
  for (let at = 0; at < bytes.length; ) {
    const stated = /^(\d{1,9}) /.exec(decodeText(bytes.subarray(at, at + 12)));
    if (stated === null) break;
    const [digits, length = ''] = stated;
    const end = at + Number.parseInt(length, 10);
    if (end <= at + digits.length) break;
    const record = decodeText(bytes.subarray(at + digits.length, Math.min(end, bytes.length)));
    const [, key = '', value = ''] = /^([^=]*)=([\s\S]*?)\n?$/.exec(record) ?? [];
    if (key === 'path') extended.name = value.slice(0, MAX_NAME_LENGTH);
    if (key === 'size' && /^\d{1,15}$/.test(value)) extended.size = Number.parseInt(value, 10);
    if (key.startsWith('GNU.sparse.')) extended.isSparse = true;
    at = end;
  }
  return extended;
}

async function afterSparseBlocks(reader: MemberReader, header: Uint8Array, start: number) {
  let at = start;
  let isMore = header[SPARSE_MORE_OFFSET] === 1;
  while (isMore && at < reader.source.size) {
    isMore = (await reader.fetch(at, BLOCK))[SPARSE_BLOCK_MORE_OFFSET] === 1;
    at += BLOCK;
  }
  return at;
}
