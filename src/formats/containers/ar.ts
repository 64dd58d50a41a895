/** Lists members of `ar` archives. Source: ar(5) of GNU binutils, FreeBSD; LLVM's Archive.cpp. */
import { startsWith } from '#bytes/arrays.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Signal } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { decodeText, stringEnd } from '#bytes/text.ts';
import { MAX_NAME_LENGTH, MemberReader } from './member.ts';

const MAGIC = '!<arch>\n';
const THIN_MAGIC = '!<thin>\n';
const REGION = 'ar archive';

// Size of `struct ar_hdr` in bytes.
const HEADER_LENGTH = 60;
const NAME_LENGTH = 16;
const SIZE_OFFSET = 48;
const SIZE_LENGTH = 10;
const END_OFFSET = 58;
const HEADER_END = '`\n';

/** Names of the members that contain an index of symbols. The table of long names is `//`. */
const INDEX_NAME = /^(\/|\/SYM64\/|\/<ECSYMBOLS>\/|__\.SYMDEF(_64)?( SORTED)?)$/;
const NAME_TABLE = '//';

/** More bytes than the long names of any archive need. The rest of a longer table is not read. */
const MAX_NAME_TABLE_LENGTH = 16 * 1024 * 1024;

/**
 * Returns the members, except symbol indexes and the table of names. Cuts a member at the end of
 * the file and ends the list at a malformed header, each with an issue. Throws `Malformed` for
 * other files and for thin archives (`ar.thin`).
 */
export async function readArMembers(source: ByteSource, signal?: Signal) {
  const reader = new MemberReader(source, 'ar', REGION, signal);
  requireMagic(await reader.fetch(0, MAGIC.length));
  let names: Uint8Array = new Uint8Array(0);
  for (let headerOffset = MAGIC.length; headerOffset < source.size; ) {
    const header = parseHeader(await reader.fetch(headerOffset, HEADER_LENGTH));
    if ('expected' in header) {
      reader.badHeader(headerOffset, HEADER_LENGTH, header.expected, header.found);
      break;
    }
    const contentOffset = headerOffset + HEADER_LENGTH;
    const sizeSpan = spanOf(headerOffset + SIZE_OFFSET, SIZE_LENGTH);
    const present = Math.min(header.size, source.size - contentOffset);
    const isNameTable = header.name === NAME_TABLE;
    if (isNameTable) {
      names = await reader.fetch(contentOffset, Math.min(present, MAX_NAME_TABLE_LENGTH));
    }
    const isIndex = isNameTable || INDEX_NAME.test(header.name);
    const { name, length } = isIndex
      ? { name: header.name, length: 0 }
      : await memberName(header.name, names, (most) =>
          reader.fetch(contentOffset, Math.min(present, most)),
        );
    if (isIndex || INDEX_NAME.test(name)) {
      if (present < header.size) reader.pastEnd(name, sizeSpan, header.size, present);
    } else {
      const fileOffset = contentOffset + Math.min(length, present);
      const size = header.size - Math.min(length, header.size);
      if (!(await reader.add({ name, fileOffset, size, sizeSpan }))) break;
    }
    headerOffset = contentOffset + header.size + (header.size & 1);
  }
  return reader.finish();
}

type Header = { readonly name: string; readonly size: number };

function parseHeader(
  bytes: Uint8Array,
): Header | { readonly expected: string; readonly found: string } {
  if (bytes.length < HEADER_LENGTH) {
    return { expected: `${HEADER_LENGTH} bytes`, found: `${bytes.length} bytes` };
  }
  const sizeText = decodeText(bytes.subarray(SIZE_OFFSET, SIZE_OFFSET + SIZE_LENGTH));
  if (!startsWith(bytes, HEADER_END, END_OFFSET) || !/^\d+ *$/.test(sizeText)) {
    const found = JSON.stringify(decodeText(bytes.subarray(SIZE_OFFSET)));
    const expected = 'a size in decimal digits and the end of a header';
    return { expected, found };
  }
  const name = decodeText(bytes.subarray(0, NAME_LENGTH)).replace(/ +$/, '');
  return { name, size: Number.parseInt(sizeText, 10) };
}

/** Returns the name of a member, stored as `name/` or `/offset` (GNU) or `#1/length` (BSD). */
async function memberName(
  field: string,
  names: Uint8Array,
  contentHead: (length: number) => Promise<Uint8Array>,
): Promise<{ readonly name: string; readonly length: number }> {
  const bsdLength = /^#1\/(\d+)$/.exec(field)?.[1];
  if (bsdLength !== undefined) {
    const length = Number.parseInt(bsdLength, 10);
    const bytes = await contentHead(Math.min(length, MAX_NAME_LENGTH));
    return { name: decodeText(bytes.subarray(0, stringEnd(bytes, 0))), length };
  }
  const gnuOffset = /^\/(\d+)$/.exec(field)?.[1];
  if (gnuOffset === undefined) return { name: field.replace(/\/$/, ''), length: 0 };
  const start = Number.parseInt(gnuOffset, 10);
  if (start >= names.length) return { name: field, length: 0 };
  // A long name ends with "/\n" (GNU) or NUL (COFF). A name in a thin archive may contain "/".
  const rest = names.subarray(start, start + MAX_NAME_LENGTH);
  const end = rest.findIndex((byte) => byte === 0x0a || byte === 0);
  const name = decodeText(end < 0 ? rest : rest.subarray(0, end));
  return { name: name.replace(/\/$/, ''), length: 0 };
}

function requireMagic(bytes: Uint8Array): void {
  if (startsWith(bytes, MAGIC)) return;
  const span = spanOf(0, MAGIC.length);
  if (startsWith(bytes, THIN_MAGIC)) {
    throw new Malformed({
      code: 'ar.thin',
      region: REGION,
      message: 'This is a thin archive: it names its members, but does not contain them',
      span,
      advice: 'Open the object files themselves, or make a full archive with "ar rcs".',
    });
  }
  throw new Malformed({
    code: 'ar.bad-magic',
    region: REGION,
    message: 'This is not an ar archive',
    span,
    expected: JSON.stringify(MAGIC),
    found: JSON.stringify(decodeText(bytes)),
  });
}
