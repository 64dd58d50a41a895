/**
 * The header of a `.BTF.ext` section and the positions of its three parts.
 *
 * Source: "BTF Type Format", section 4.2. Offsets count from the end of the header. The CO-RE
 * fields are optional: a header of 24 bytes has none, a header longer than 32 bytes has fields that
 * this reader does not know.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import { openHeader } from './header.ts';

/** Bytes of the header up to and including `core_relo_len`. */
export const EXT_HEADER_SIZE_CORE = 32;

export type ExtPartName = 'func_info' | 'line_info' | 'core_relo';

export type ExtPartHeader = {
  readonly name: ExtPartName;
  /** Offset of the part's `…_off` field in the section. */
  readonly field: number;
  readonly off: number;
  readonly len: number;
  /** Offset of the part in the section; may lie outside. */
  readonly start: number;
};

export type ExtHeader = {
  readonly endian: Endian;
  readonly version: number;
  readonly flags: number;
  readonly hdrLen: number;
  readonly funcInfo: ExtPartHeader;
  readonly lineInfo: ExtPartHeader;
  /** null if the header has no CO-RE fields. */
  readonly coreRelo: ExtPartHeader | null;
};

/**
 * Reads the header of the `.BTF.ext` section `ext`; does not check the parts. Throws `Malformed` if
 * the section is truncated, the magic number is missing, or the header length is invalid.
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
