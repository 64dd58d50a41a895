/**
 * `ar` archives: object files one after the other, each behind a header of 60
 * bytes of text. Only headers and names are read, so that size does not matter.
 *
 * Source: ar(5) of GNU binutils, FreeBSD and LLVM's Archive.cpp for the three
 * ways in which a name that does not fit in its 16 bytes is stored.
 */
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { decodeText, stringEnd } from '#bytes/text.ts';
import { startsWith } from './starts-with.ts';

export type ArMember = {
  /** As stored, without padding and terminator; raw text. */
  readonly name: string;
  readonly headerOffset: number;
  /** Where the content begins. */
  readonly fileOffset: number;
  /** Bytes of content that are in the file. */
  readonly size: number;
};

const MAGIC = '!<arch>\n';
const THIN_MAGIC = '!<thin>\n';
const REGION = 'ar archive';

// struct ar_hdr.
const HEADER_LENGTH = 60;
const NAME_LENGTH = 16;
const SIZE_OFFSET = 48;
const SIZE_LENGTH = 10;
const END_OFFSET = 58;
const HEADER_END = '`\n';

/** Names of members that hold an index of symbols, and of the one that holds long names. */
const INDEX_NAME = /^(\/|\/SYM64\/|\/<ECSYMBOLS>\/|__\.SYMDEF(_64)?( SORTED)?)$/;
const NAME_TABLE = '//';

/** More than any archive needs: a longer table or name is not read whole. */
const MAX_NAME_TABLE_LENGTH = 16 * 1024 * 1024;
const MAX_NAME_LENGTH = 4096;

/** Bytes fetched at once: small members then share a read. */
const FETCH_LENGTH = 16 * 1024;

/**
 * The members of an archive, in their order; indexes and the table of names are
 * left out. A member that runs past the end is clipped, a header that is none
 * ends the list, each with an issue. Throws `Malformed` when `source` is no
 * archive, or a thin one (`ar.thin`), whose members are files elsewhere.
 */
export async function readArMembers(
  source: ByteSource,
): Promise<{ members: ArMember[]; issues: Issue[] }> {
  const fetch = fetcher(source);
  requireMagic(await fetch(0, MAGIC.length));
  const members: ArMember[] = [];
  const issues: Issue[] = [];
  let names: Uint8Array = new Uint8Array(0);
  for (let headerOffset = MAGIC.length; headerOffset < source.size; ) {
    const header = parseHeader(await fetch(headerOffset, HEADER_LENGTH), headerOffset);
    if ('issue' in header) {
      issues.push(header.issue);
      break;
    }
    const contentOffset = headerOffset + HEADER_LENGTH;
    const size = Math.min(header.size, source.size - contentOffset);
    let shownName = header.name;
    if (header.name === NAME_TABLE) {
      names = await fetch(contentOffset, Math.min(size, MAX_NAME_TABLE_LENGTH));
    } else if (!INDEX_NAME.test(header.name)) {
      const { name, length } = await memberName(header.name, names, (most) =>
        fetch(contentOffset, Math.min(size, most)),
      );
      shownName = name;
      if (!INDEX_NAME.test(name)) {
        const fileOffset = contentOffset + Math.min(length, size);
        members.push({ name, headerOffset, fileOffset, size: contentOffset + size - fileOffset });
      }
    }
    if (header.size > size)
      issues.push({
        severity: 'error',
        code: 'ar.member-past-end',
        region: REGION,
        message: `The member ${shownName} runs past the end of the archive`,
        span: spanOf(headerOffset + SIZE_OFFSET, SIZE_LENGTH),
        expected: `${header.size} bytes`,
        found: `${size} bytes`,
        advice:
          'The archive is cut or its header is wrong; the part of the member that exists is used.',
      });
    headerOffset = contentOffset + header.size + (header.size & 1);
  }
  if (members.length === 0 && issues.length === 0)
    issues.push({
      severity: 'warning',
      code: 'ar.empty',
      region: REGION,
      message: 'The archive has no members',
      span: spanOf(0, source.size),
    });
  return { members, issues };
}

type Header = { readonly name: string; readonly size: number };

function parseHeader(bytes: Uint8Array, headerOffset: number): Header | { readonly issue: Issue } {
  if (bytes.length < HEADER_LENGTH) {
    const found = `${bytes.length} bytes`;
    return { issue: badHeader('ar.truncated', headerOffset, `${HEADER_LENGTH} bytes`, found) };
  }
  const sizeText = decodeText(bytes.subarray(SIZE_OFFSET, SIZE_OFFSET + SIZE_LENGTH));
  if (!startsWith(bytes, HEADER_END, END_OFFSET) || !/^\d+ *$/.test(sizeText)) {
    const found = JSON.stringify(decodeText(bytes.subarray(SIZE_OFFSET)));
    const expected = 'a size in decimal digits and the end of a header';
    return { issue: badHeader('ar.bad-header', headerOffset, expected, found) };
  }
  const name = decodeText(bytes.subarray(0, NAME_LENGTH)).replace(/ +$/, '');
  return { name, size: Number.parseInt(sizeText, 10) };
}

/**
 * The name that `field` stands for: GNU's `name/` and `/offset` into the table
 * of names, BSD's `#1/length` for a name before the content (`length` is then
 * not 0), or the name itself.
 */
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
  // Names end with "/\n" (GNU) or NUL (COFF); a thin archive's may hold slashes.
  const rest = names.subarray(start, start + MAX_NAME_LENGTH);
  const end = rest.findIndex((byte) => byte === 0x0a || byte === 0);
  const name = decodeText(end < 0 ? rest : rest.subarray(0, end));
  return { name: name.replace(/\/$/, ''), length: 0 };
}

/** Reads through one buffer, so that neighbouring headers cost one read of the source. */
function fetcher(source: ByteSource): (start: number, length: number) => Promise<Uint8Array> {
  let bufferStart = 0;
  let buffer: Uint8Array = new Uint8Array(0);
  return async (start, length) => {
    const end = Math.min(start + length, source.size);
    if (start < bufferStart || end > bufferStart + buffer.length) {
      bufferStart = start;
      buffer = await source.read(start, Math.max(end, start + FETCH_LENGTH));
    }
    return buffer.subarray(start - bufferStart, end - bufferStart);
  };
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

function badHeader(code: string, headerOffset: number, expected: string, found: string): Issue {
  return {
    severity: 'error',
    code,
    region: REGION,
    message: 'A member header of the archive cannot be read; the members after it are not shown',
    span: spanOf(headerOffset, HEADER_LENGTH),
    expected,
    found,
  };
}
