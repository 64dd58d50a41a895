/**
 * The kernel's rules for the header and sections of a blob. Source: kernel/bpf/btf.c:
 * btf_parse_base, btf_parse_hdr, btf_check_sec_info, btf_parse_str_sec, btf_parse_type_sec.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { BTF_MAGIC } from '#formats/btf/kinds.ts';
import { BLOB_RULES, type KernelRule, type KernelVersion, LINUX_6_18 } from './rules.ts';
import type { Report } from './verdict.ts';

/** The fields of the BTF header as stored, not yet checked. */
export type HeaderFields = {
  readonly magic: number;
  readonly version: number;
  readonly flags: number;
  readonly hdrLen: number;
  readonly typeOff: number;
  readonly typeLen: number;
  readonly strOff: number;
  readonly strLen: number;
  readonly layoutOff: number;
  readonly layoutLen: number;
};

/** Reads the header in `endian`. Fields after `limit` bytes or after the end of the blob are 0. */
export function headerFields(blob: Uint8Array, endian: Endian, limit: number): HeaderFields {
  const header = new Uint8Array(32);
  header.set(blob.subarray(0, Math.min(32, limit)));
  const r = new ByteReader(header, 'BTF header', endian);
  return {
    magic: r.u16(0),
    version: r.u8(2),
    flags: r.u8(3),
    hdrLen: r.u32(4),
    typeOff: r.u32(8),
    typeLen: r.u32(12),
    strOff: r.u32(16),
    strLen: r.u32(20),
    layoutOff: r.u32(24),
    layoutLen: r.u32(28),
  };
}

const MAX_BLOB_SIZE = 16 * 1024 * 1024;
const MAX_NAME_OFFSET = 0xffffff;
const HDR_LEN_END = 8;

/** Reports one broken rule, with its place and value in the header. */
type Broken = (report: Report) => void;

/** Reports the first broken rule on a machine of byte order `endian`. `split`: there is a base. */
export function checkHeader(
  blob: Uint8Array,
  endian: Endian,
  split: boolean,
  report: Report,
  kernel: KernelVersion = LINUX_6_18,
): void {
  brokenInHeader(blob, endian, split, kernel)?.(report);
}

function brokenInHeader(
  blob: Uint8Array,
  endian: Endian,
  split: boolean,
  { headerSize }: KernelVersion,
): Broken | null {
  const size = blob.length;
  const parseHdr = at('btf_parse_hdr');
  if (!split && size > MAX_BLOB_SIZE) {
    return at('btf_parse')(BLOB_RULES.blobSize, 0, size, `The blob has ${size} bytes.`);
  }
  if (size < HDR_LEN_END) {
    return parseHdr(BLOB_RULES.hdrLenMissing, 0, size, `The blob has only ${size} bytes.`);
  }
  const { hdrLen } = headerFields(blob, endian, HDR_LEN_END);
  if (hdrLen > size) {
    const order = blob[0] === 0xeb ? ' Its magic number is big-endian.' : '';
    const sentence = `Read as ${endian}-endian, hdr_len is ${hdrLen}, but the blob has ${size} bytes.${order}`;
    return parseHdr(BLOB_RULES.headerCut, 4, 4, sentence);
  }
  const tail = blob.subarray(headerSize, hdrLen).findIndex((byte) => byte !== 0);
  if (tail >= 0) {
    const offset = headerSize + tail;
    const value = blob[offset] ?? 0;
    const sentence = `hdr_len is ${hdrLen}, and byte ${offset} of the header is ${value}, not 0.`;
    return parseHdr(BLOB_RULES.headerTail, offset, 1, sentence);
  }
  // The kernel copies only hdr_len bytes of the header; later fields are 0.
  const h = headerFields(blob, endian, Math.min(hdrLen, headerSize));
  if (h.magic !== BTF_MAGIC) {
    const hex = `0x${h.magic.toString(16).padStart(4, '0')}`;
    return parseHdr(BLOB_RULES.magic, 0, 2, `The magic number is ${hex}.`);
  }
  if (h.version !== 1) {
    return parseHdr(BLOB_RULES.version, 2, 1, `The version is ${h.version}.`);
  }
  if (h.flags !== 0) return parseHdr(BLOB_RULES.flags, 3, 1, `The flags are ${h.flags}.`);
  if (!split && size === h.hdrLen) {
    return parseHdr(BLOB_RULES.noData, 4, 4, `The header takes all ${size} bytes.`);
  }
  return brokenInSections(h, size - h.hdrLen);
}

/** Returns the first broken rule of the sections, or null; `total` bytes follow the header. */
function brokenInSections(h: HeaderFields, total: number): Broken | null {
  const checkSecInfo = at('btf_check_sec_info');
  const sections = [
    { name: 'type', field: 8, off: h.typeOff, len: h.typeLen },
    { name: 'string', field: 16, off: h.strOff, len: h.strLen },
    // Only newer kernels know the layout section; its rules are assumed to be the same.
    ...(h.layoutLen > 0 ? [{ name: 'layout', field: 24, off: h.layoutOff, len: h.layoutLen }] : []),
  ];
  // The kernel sorts sections by the difference of offsets as a signed 32-bit number.
  sections.sort((a, b) => (a.off - b.off) | 0 || (a.len - b.len) | 0);
  let end = 0;
  for (const { name, field, off, len } of sections) {
    const section = `The ${name} section begins at ${off} and has ${len} bytes`;
    if (total < off) {
      const sentence = `${section}, but only ${total} bytes follow the header.`;
      return checkSecInfo(BLOB_RULES.sectionOffset, field, 4, sentence);
    }
    if (end < off) {
      const sentence = `${section}: the ${off - end} bytes in front of it belong to no section.`;
      return checkSecInfo(BLOB_RULES.sectionGap, field, 4, sentence);
    }
    if (end > off) {
      const sentence = `${section}, but the section in front of it ends at ${end}.`;
      return checkSecInfo(BLOB_RULES.sectionOverlap, field, 4, sentence);
    }
    if (total - end < len) {
      const sentence = `${section}, but only ${total} bytes follow the header.`;
      return checkSecInfo(BLOB_RULES.sectionTotal, field + 4, 4, sentence);
    }
    end += len;
  }
  if (end === total) return null;
  const sentence = `The sections end at ${end}, but ${total} bytes follow the header.`;
  return checkSecInfo(BLOB_RULES.sectionGap, h.hdrLen + end, total - end, sentence);
}

/** Reports the first broken rule of the strings and types. `strings` is inside the blob. */
export function checkSections(
  blob: Uint8Array,
  h: HeaderFields,
  strings: Span,
  split: boolean,
  report: Report,
): void {
  (brokenInStrings(blob, strings, split) ?? brokenInTypes(h, split))?.(report);
}

function brokenInStrings(blob: Uint8Array, strings: Span, split: boolean): Broken | null {
  const parseStrSec = at('btf_parse_str_sec');
  const length = strings.end - strings.start;
  if (strings.end !== blob.length) {
    const sentence = `The strings end at ${strings.end} of ${blob.length} bytes.`;
    return parseStrSec(BLOB_RULES.stringsLast, 16, 4, sentence);
  }
  if (length === 0) {
    return split ? null : parseStrSec(BLOB_RULES.strings, 20, 4, 'There are no strings.');
  }
  if (length - 1 > MAX_NAME_OFFSET) {
    return parseStrSec(BLOB_RULES.strings, 20, 4, `The strings have ${length} bytes.`);
  }
  if (blob[strings.end - 1] !== 0) {
    return parseStrSec(BLOB_RULES.strings, strings.end - 1, 1, 'The last string has no end.');
  }
  if (!split && blob[strings.start] !== 0) {
    const sentence = 'The first string is not empty, as in split BTF, whose strings follow a base.';
    return parseStrSec(BLOB_RULES.strings, strings.start, 1, sentence);
  }
  return null;
}

function brokenInTypes({ typeOff, typeLen }: HeaderFields, split: boolean): Broken | null {
  const parseTypeSec = at('btf_parse_type_sec');
  if (typeOff % 4 !== 0) {
    return parseTypeSec(BLOB_RULES.typesAligned, 8, 4, `type_off is ${typeOff}.`);
  }
  if (split || typeLen > 0) return null;
  return parseTypeSec(BLOB_RULES.noTypes, 12, 4, 'type_len is 0.');
}

function at(where: string) {
  return (rule: KernelRule, blobOffset: number, length: number, sentence: string): Broken =>
    (report) =>
      report.kernel(rule, where, { typeId: null, blobOffset, length }, () => sentence);
}
