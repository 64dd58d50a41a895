/**
 * `.BTF.ext`: a header, and the three parts func_info, line_info and core_relo. Each part has a
 * record size and one block per ELF section. Source: "BTF Type Format", section 4.2.
 *
 * Offsets count from the end of the header. A header of 24 bytes has no CO-RE fields, and a longer
 * header or record may have unknown fields, which are ignored. A malformed block ends its part; the
 * blocks before the malformed block are returned.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { openHeader } from './header.ts';

/** Size in bytes of a header that ends with `core_relo_len`. */
export const EXT_HEADER_SIZE_CORE = 32;

export type ExtPartName = 'func_info' | 'line_info' | 'core_relo';

export type ExtPartHeader = {
  readonly name: ExtPartName;
  /** Offset in the section of the header field (`…_off`) that gives the position of the part. */
  readonly field: number;
  readonly off: number;
  readonly len: number;
  /** Offset of the part in the section. It may be outside of the section. */
  readonly start: number;
};

export type ExtHeader = {
  readonly endian: Endian;
  readonly version: number;
  readonly flags: number;
  readonly hdrLen: number;
  readonly funcInfo: ExtPartHeader;
  readonly lineInfo: ExtPartHeader;
  /** Position of the CO-RE part; null if the header has no CO-RE fields. */
  readonly coreRelo: ExtPartHeader | null;
};

/** Reads the header of `.BTF.ext`, but does not check the parts. Throws `Malformed`. */
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

/** Smallest size of a record in bytes: `bpf_func_info`, `bpf_line_info`, `bpf_core_relo`. */
export const EXT_RECORD_SIZE: Readonly<Record<ExtPartName, number>> = {
  func_info: 8,
  line_info: 16,
  core_relo: 16,
};

const RECORD_SIZE_FIELD = 4;
export const BLOCK_HEADER = 8;

export type ExtBlock = {
  /** Offset of the header of the block in `.BTF.ext`. */
  readonly offset: number;
  readonly secNameOff: number;
  readonly numInfo: number;
  /** Offset of the first record of the block in `.BTF.ext`. */
  readonly recordsOffset: number;
};

export type ExtPart = {
  /** Record size in bytes that the part declares; the smallest size if the part is damaged. */
  readonly recordSize: number;
  /** Blocks before the first fault. Each block has at least one record and is complete. */
  readonly blocks: readonly ExtBlock[];
  /** Faults in the part, in file order. */
  readonly issues: readonly Issue[];
};

/** Reads the part that `header` describes. Does not throw: `issues` contains the faults. */
export function readExtPart(ext: ByteReader, header: ExtPartHeader): ExtPart {
  const known = EXT_RECORD_SIZE[header.name];
  if (header.len === 0) return { recordSize: known, blocks: [], issues: [] };
  const fault = placeFault(ext, header);
  if (fault !== null) return { recordSize: known, blocks: [], issues: [fault] };
  const recordSize = ext.u32(header.start);
  if (recordSize < known || recordSize % 4 !== 0) {
    const message = `Bad ${header.name} record size ${recordSize}`;
    const { issue } = ext.malformed('ext.record-size', message, {
      at: [header.start, RECORD_SIZE_FIELD],
      expected: `a multiple of 4, at least ${known}`,
      found: `${recordSize}`,
    });
    return { recordSize: known, blocks: [], issues: [issue] };
  }
  return { recordSize, ...readBlocks(ext, header, recordSize) };
}

/** Returns the issue if the part is outside of the section or misaligned; null if it is valid. */
function placeFault(ext: ByteReader, header: ExtPartHeader): Issue | null {
  const { name, off, len, start, field } = header;
  if (off % 4 !== 0) {
    return ext.malformed('ext.part-unaligned', `The ${name} part is not aligned to 4 bytes`, {
      at: [field, 4],
      expected: 'a multiple of 4',
      found: `${off}`,
    }).issue;
  }
  if (start + len > ext.length) {
    return ext.malformed('ext.part-past-end', `The ${name} part runs past the end of the section`, {
      at: [field, 8],
      expected: `an end of at most ${ext.length}`,
      found: `offset ${off}, length ${len}: up to ${start + len}`,
    }).issue;
  }
  if (len < RECORD_SIZE_FIELD) {
    return ext.malformed('ext.part-too-short', `The ${name} part has no room for its record size`, {
      at: [start, len],
      expected: `at least ${RECORD_SIZE_FIELD} bytes`,
      found: `${len} bytes`,
    }).issue;
  }
  return null;
}

function readBlocks(
  ext: ByteReader,
  { name, start, len }: ExtPartHeader,
  recordSize: number,
): Omit<ExtPart, 'recordSize'> {
  const blocks: ExtBlock[] = [];
  const end = start + len;
  let at = start + RECORD_SIZE_FIELD;
  // A part with a record size must have at least one block.
  while (at < end || blocks.length === 0) {
    const left = end - at;
    const fault = blockFault(ext, name, at, left, recordSize);
    if (fault !== null) return { blocks, issues: [fault] };
    const numInfo = ext.u32(at + 4);
    blocks.push({ offset: at, secNameOff: ext.u32(at), numInfo, recordsOffset: at + BLOCK_HEADER });
    at += BLOCK_HEADER + numInfo * recordSize;
  }
  return { blocks, issues: [] };
}

/** Returns the issue of the block at `at`, or null. `left` is the number of bytes in the part. */
function blockFault(
  ext: ByteReader,
  name: ExtPartName,
  at: number,
  left: number,
  recordSize: number,
): Issue | null {
  if (left < BLOCK_HEADER) {
    return ext.malformed(
      'ext.block-truncated',
      `The ${name} part ends inside the header of a section block`,
      { at: [at, left], expected: `${BLOCK_HEADER} bytes`, found: `${left} bytes` },
    ).issue;
  }
  const numInfo = ext.u32(at + 4);
  const most = Math.floor((left - BLOCK_HEADER) / recordSize);
  if (numInfo > 0 && numInfo <= most) return null;
  const isEmpty = numInfo === 0;
  return ext.malformed(
    isEmpty ? 'ext.block-empty' : 'ext.records-past-end',
    isEmpty
      ? `A ${name} section block is without records: the rest of the part is not read`
      : `${numInfo} ${name} records run past the end of the part`,
    {
      at: [at + 4, 4],
      expected: `1 to ${most} records of ${recordSize} bytes`,
      found: `${numInfo}`,
    },
  ).issue;
}
