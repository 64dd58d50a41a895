/**
 * The header that opens a `.BTF.ext` section, and where its three parts lie.
 *
 * Source: "BTF Type Format", section 4.2. Offsets count from the end of the
 * header. The fields of the CO-RE part are optional: a header of 24 bytes ends
 * before them, a longer one than 32 holds what this reader does not know.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import { openHeader } from './header.ts';

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
  const { reader: r, hdrLen } = openHeader(ext, 'ext', '.BTF.ext');
  const part = (name: ExtPartName, field: number): ExtPartHeader => {
    const off = r.u32(field);
    return { name, field, off, len: r.u32(field + 4), start: hdrLen + off };
  };
  return {
    endian: r.endian,
    version: r.u8(2),
    flags: r.u8(3),
    hdrLen,
    funcInfo: part('func_info', 8),
    lineInfo: part('line_info', 16),
    coreRelo: hdrLen >= EXT_HEADER_SIZE_CORE ? part('core_relo', 24) : null,
  };
}
