/** Header fields ready to be read by a person, shared by the headers of `.BTF` and `.BTF.ext`. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { HeaderField } from '#model/object-model.ts';

/** A field of `length` bytes at `offset` of the reader's region, its value in decimal or as `value` says. */
export function headerField(
  reader: ByteReader,
  name: string,
  offset: number,
  value: string | number,
  meaning = '',
  length = 4,
): HeaderField {
  return { name, value: `${value}`, meaning, span: reader.span(offset, length) };
}

/** `0x` and at least `digits` hexadecimal digits. */
export function hex(value: number, digits = 1): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}

/** The fields that both headers begin with: magic, version, flags, hdr_len. */
export function commonFields(
  reader: ByteReader,
  header: { readonly version: number; readonly flags: number; readonly hdrLen: number },
): HeaderField[] {
  const order = reader.endian === 'little' ? 'little-endian' : 'big-endian';
  return [
    headerField(reader, 'magic', 0, hex(reader.u16(0), 4), order, 2),
    headerField(reader, 'version', 2, header.version, '', 1),
    headerField(reader, 'flags', 3, hex(header.flags), '', 1),
    headerField(reader, 'hdr_len', 4, header.hdrLen, 'offsets below count from here'),
  ];
}

/** What lies between the known fields and the end of the header, as one field; empty where nothing does. */
export function unknownFields(reader: ByteReader, known: number, hdrLen: number): HeaderField[] {
  if (hdrLen <= known) return [];
  const length = hdrLen - known;
  const set = firstNonZero(reader, known, hdrLen) !== null;
  const meaning = set ? `${length} bytes of a newer header` : `${length} bytes, all zero`;
  return [headerField(reader, '(unknown)', known, '', meaning, length)];
}

/**
 * Oddities that both headers can have: another version, flags, data in fields
 * that this reader does not know. `prefix` is that of the codes, `what` names
 * the format in messages. All are read over.
 */
export function commonOddities(
  reader: ByteReader,
  header: { readonly version: number; readonly flags: number; readonly hdrLen: number },
  known: number,
  prefix: string,
  what: string,
): Issue[] {
  const issues: Issue[] = [];
  const warn = (code: string, message: string, offset: number, length: number, more = {}) =>
    issues.push({
      severity: 'warning',
      code: `${prefix}.${code}`,
      region: reader.region,
      message,
      span: reader.span(offset, length),
      ...more,
    });
  if (header.version !== 1) {
    warn('version', `Unknown ${what} version ${header.version}, read as version 1`, 2, 1, {
      expected: '1',
      found: `${header.version}`,
    });
  }
  if (header.flags !== 0) {
    warn('flags', `Unknown ${what} flags ${hex(header.flags)}`, 3, 1, {
      expected: '0x0',
      found: hex(header.flags),
    });
  }
  const strange = firstNonZero(reader, known, header.hdrLen);
  if (strange !== null) {
    warn('header-unknown-data', `Unknown header data at offset ${strange}`, strange, 1, {
      expected: 'zero in fields that are not known',
      found: hex(reader.u8(strange), 2),
    });
  }
  return issues;
}

function firstNonZero(reader: ByteReader, start: number, end: number): number | null {
  const at = reader.bytes.subarray(start, Math.max(start, end)).findIndex((byte) => byte !== 0);
  return at < 0 ? null : start + at;
}
