/**
 * Lists the files of cpio archives (form "newc") from their headers. Source:
 * Documentation/driver-api/early-userspace/buffer-format.rst of the kernel.
 */
import { startsWith } from '#bytes/arrays.ts';
import type { Signal } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { decodeName, decodeText } from '#bytes/text.ts';
import { MAX_NAME_LENGTH, MemberReader } from './member.ts';

/** Magic numbers without and with checksums. */
const MAGICS = ['070701', '070702'];
const HEADER_LENGTH = 110;
const FIELD_LENGTH = 8;
const MODE_OFFSET = 14;
const SIZE_OFFSET = 54;
const NAME_SIZE_OFFSET = 94;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const LAST_NAME = 'TRAILER!!!';

/** Returns the regular files, and the data after the archive. A malformed header ends the list. */
export async function readCpioMembers(source: ByteSource, signal?: Signal) {
  const reader = new MemberReader(source, 'cpio', 'cpio archive', signal);
  for (let at = 0; at < source.size; ) {
    const header = await reader.fetch(at, HEADER_LENGTH);
    const mode = hexAt(header, MODE_OFFSET);
    const size = hexAt(header, SIZE_OFFSET);
    const nameSize = hexAt(header, NAME_SIZE_OFFSET);
    if (
      !MAGICS.some((magic) => startsWith(header, magic)) ||
      mode === null ||
      size === null ||
      nameSize === null
    ) {
      const found = JSON.stringify(decodeText(header.subarray(0, 14)));
      const expected = `${HEADER_LENGTH} bytes: ${MAGICS[0]} and 13 numbers of 8 hexadecimal digits`;
      reader.badHeader(at, HEADER_LENGTH, expected, found);
      break;
    }
    const nameOffset = at + HEADER_LENGTH;
    const name = decodeName(await reader.fetch(nameOffset, Math.min(nameSize, MAX_NAME_LENGTH)), 0);
    const fileOffset = aligned(nameOffset + nameSize);
    at = aligned(fileOffset + size);
    if (name === LAST_NAME) {
      await addRest(reader, at);
      break;
    }
    if ((mode & FILE_TYPE) !== REGULAR) continue;
    const sizeSpan = spanOf(nameOffset - HEADER_LENGTH + SIZE_OFFSET, FIELD_LENGTH);
    if (!(await reader.add({ name, fileOffset, size, sizeSpan }))) break;
  }
  return reader.finish();
}

/** Adds the data after the archive and its padding as a member. */
async function addRest(reader: MemberReader, start: number): Promise<void> {
  const { size } = reader.source;
  for (let at = start; at < size; ) {
    const bytes = await reader.fetch(at, FIELD_LENGTH);
    const skipped = bytes.findIndex((byte) => byte !== 0);
    if (skipped >= 0) {
      const fileOffset = at + skipped;
      const name = `rest@0x${fileOffset.toString(16)}`;
      const sizeSpan = spanOf(fileOffset, 0);
      await reader.add({ name, fileOffset, size: size - fileOffset, sizeSpan });
      return;
    }
    at += bytes.length;
  }
}

function aligned(offset: number): number {
  return Math.ceil(offset / 4) * 4;
}

function hexAt(header: Uint8Array, start: number): number | null {
  const digits = decodeText(header.subarray(start, start + FIELD_LENGTH));
  return /^[0-9a-fA-F]{8}$/.test(digits) ? Number.parseInt(digits, 16) : null;
}
