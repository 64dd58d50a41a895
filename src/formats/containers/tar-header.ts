/** The header of a member of a tar archive: one block of 512 bytes. Source: see tar.ts. */
import { startsWith } from '#bytes/arrays.ts';
import { decodeName, decodeText } from '#bytes/text.ts';

export const BLOCK = 512;
export const SIZE_OFFSET = 124;
export const SIZE_LENGTH = 12;
const USTAR = 'ustar';
const USTAR_OFFSET = 257;
const CHECKSUM_OFFSET = 148;
const CHECKSUM_LENGTH = 8;
const TYPE_OFFSET = 156;
const PREFIX_OFFSET = 345;
const PREFIX_LENGTH = 155;
const NAME_LENGTH = 100;

/** Returns true if `head` (512 bytes or more) begins a tar archive, by its magic or checksum. */
export function isTar(head: Uint8Array): boolean {
  if (head.length < BLOCK) return false;
  return startsWith(head, USTAR, USTAR_OFFSET) || (head[0] !== 0 && hasChecksum(head));
}

export type TarHeader = {
  /** Name as stored, with the prefix of ustar; not escaped. */
  readonly name: string;
  readonly size: number;
  /** Field "typeflag". */
  readonly type: string;
};

/** Returns the fields of a header, or the expected and the found content of a wrong field. */
export function parseTarHeader(
  block: Uint8Array,
): TarHeader | { readonly expected: string; readonly found: string } {
  if (block.length < BLOCK) return { expected: `${BLOCK} bytes`, found: `${block.length} bytes` };
  if (!hasChecksum(block)) {
    const expected = `a header with the checksum ${checksumOf(block).toString(8)} (octal)`;
    return { expected, found: quoted(block, CHECKSUM_OFFSET, CHECKSUM_LENGTH) };
  }
  const size = numberAt(block, SIZE_OFFSET, SIZE_LENGTH);
  if (size === null) {
    const expected = 'a size in octal digits or base 256';
    return { expected, found: quoted(block, SIZE_OFFSET, SIZE_LENGTH) };
  }
  const name = fieldText(block, 0, NAME_LENGTH);
  // A GNU header has a space after "ustar", and other fields in place of the prefix.
  const isUstar = startsWith(block, `${USTAR}\0`, USTAR_OFFSET);
  const prefix = isUstar ? fieldText(block, PREFIX_OFFSET, PREFIX_LENGTH) : '';
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size,
    type: String.fromCharCode(block[TYPE_OFFSET] ?? 0),
  };
}

function quoted(block: Uint8Array, start: number, length: number): string {
  return JSON.stringify(fieldText(block, start, length));
}

function fieldText(block: Uint8Array, start: number, length: number): string {
  return decodeName(block.subarray(start, start + length), 0);
}

/** Reads an octal or big-endian number; null for an invalid number or an impossible size. */
function numberAt(block: Uint8Array, start: number, length: number): number | null {
  const field = block.subarray(start, start + length);
  const first = field[0] ?? 0;
  if (first & 0x80) {
    const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, first & 0x7f);
    return Number.isSafeInteger(value) ? value : null;
  }
  const digits = /^ *([0-7]*)[ \0]*$/.exec(decodeText(field))?.[1];
  return digits === undefined ? null : Number.parseInt(digits || '0', 8);
}

/** Returns the sum of all bytes of a header, with spaces in place of the checksum. */
function checksumOf(block: Uint8Array, isSigned = false): number {
  let sum = CHECKSUM_LENGTH * 0x20;
  for (let i = 0; i < BLOCK; i++) {
    if (i >= CHECKSUM_OFFSET && i < CHECKSUM_OFFSET + CHECKSUM_LENGTH) continue;
    const byte = block[i] ?? 0;
    sum += isSigned && byte > 0x7f ? byte - 0x100 : byte;
  }
  return sum;
}

/** Returns true if the checksum is right. Old versions of tar add signed characters. */
function hasChecksum(block: Uint8Array): boolean {
  const stored = numberAt(block, CHECKSUM_OFFSET, CHECKSUM_LENGTH);
  return stored === checksumOf(block) || stored === checksumOf(block, true);
}
