/**
 * The header that opens a `.BTF.ext` section, and where its three parts lie.
 *
 * Source: "BTF Type Format", section 4.2. Offsets count from the end of the
 * header. The fields of the CO-RE part are optional: a header of 24 bytes ends
 * before them, a longer one than 32 holds what this reader does not know.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { magicEndian } from './header.ts';

/** Bytes of the header up to and with `line_info_len`. */
export const EXT_HEADER_SIZE = 24;
/** Bytes of the header up to and with `core_relo_len`. */
export const EXT_HEADER_SIZE_CORE = 32;

export type ExtPartName = 'func_info' | 'line_info' | 'core_relo';

export type ExtPartHeader = {
  readonly name: ExtPartName;
  /** Offset of the part's `…_off` field in the section. */
  readonly field: number;
  readonly off: number;
  readonly len: number;
  /** Offset of the part in the section, which may lie outside. */
  readonly start: number;
};

export type ExtHeader = {
  readonly endian: Endian;
  readonly version: number;
  readonly flags: number;
  readonly hdrLen: number;
  readonly funcInfo: ExtPartHeader;
  readonly lineInfo: ExtPartHeader;
  /** null where the header ends before it. */
  readonly coreRelo: ExtPartHeader | null;
};

/**
 * The header of the `.BTF.ext` section that `ext` covers. Throws `Malformed`
 * when it is cut off, when the magic number is missing, or when its length
 * cannot be; the parts are not looked at.
 */
export function readExtHeader(ext: ByteReader): ExtHeader {
  const endian = magicEndian(ext);
  if (endian === null && ext.length >= 2) {
    throw new Malformed({
      code: 'ext.bad-magic',
      region: ext.region,
      message: 'Bad magic number: this is not .BTF.ext',
      span: ext.span(0, 2),
      expected: '0xeb9f in either byte order',
      found: `0x${ext.as('little').u16(0).toString(16).padStart(4, '0')}`,
    });
  }
  if (endian === null || ext.length < EXT_HEADER_SIZE) {
    throw new Malformed({
      code: 'ext.header-truncated',
      region: ext.region,
      message: 'The .BTF.ext header is incomplete: the data is truncated',
      span: ext.span(0, ext.length),
      expected: `${EXT_HEADER_SIZE} bytes`,
      found: `${ext.length} bytes`,
    });
  }
  const r = ext.as(endian);
  const hdrLen = r.u32(4);
  if (hdrLen < EXT_HEADER_SIZE || hdrLen > r.length) {
    const short = hdrLen < EXT_HEADER_SIZE;
    throw new Malformed({
      code: short ? 'ext.header-too-short' : 'ext.header-past-end',
      region: ext.region,
      message: short
        ? `.BTF.ext header length ${hdrLen} is too short`
        : `.BTF.ext header length ${hdrLen} is larger than the section`,
      span: r.span(4, 4),
      expected: `${EXT_HEADER_SIZE} to ${r.length}`,
      found: `${hdrLen}`,
    });
  }
  const part = (name: ExtPartName, field: number): ExtPartHeader => {
    const off = r.u32(field);
    return { name, field, off, len: r.u32(field + 4), start: hdrLen + off };
  };
  return {
    endian,
    version: r.u8(2),
    flags: r.u8(3),
    hdrLen,
    funcInfo: part('func_info', 8),
    lineInfo: part('line_info', 16),
    coreRelo: hdrLen >= EXT_HEADER_SIZE_CORE ? part('core_relo', 24) : null,
  };
}
