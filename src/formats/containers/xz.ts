/** Unpacks .xz files with LZMA2 and branch filters. Source: The .xz File Format, version 1.2.1. */
import { sha256 } from '@noble/hashes/sha2.js';
import type { Issue } from '#bytes/issue.ts';
import type { Steps } from '#bytes/long-work.ts';
import { hexDigits, hexText } from '#bytes/text.ts';
import { BRANCH_FILTERS, type BranchFilter } from './branch-filters.ts';
import { crc32, crc64 } from './checksums.ts';
import { unpackLzma2 } from './lzma.ts';
import type { PackedInput } from './packed-input.ts';
import { foldSteps } from './steps.ts';
import type { UnpackedOutput } from './unpacked-output.ts';

const HEADER_MAGIC = 'fd377a585a00';
const FOOTER_MAGIC = '595a';
const INDEX_INDICATOR = 0x00;

// Bits of the block flags (section 3.1.2).
const FILTER_COUNT_MASK = 0x03;
const FLAGS_RESERVED = 0x3c;
const FLAG_PACKED_SIZE = 0x40;
const FLAG_UNPACKED_SIZE = 0x80;

// Ids of filters (section 5.3).
const FILTER_LZMA2 = 0x21n;
const OTHER_FILTERS = new Map([
  [0x03n, 'delta'],
  [0x06n, 'IA-64'],
  [0x0bn, 'RISC-V'],
]);

type BlockFilter = { readonly filter: BranchFilter; readonly startOffset: number };

type BlockHeader = {
  readonly packed: bigint | null;
  readonly unpacked: bigint | null;
  /** Filters in the order in which the packer applied them. */
  readonly filters: readonly BlockFilter[];
};

type BlockSizes = { readonly unpadded: bigint; readonly unpacked: bigint };

/** Unpacks all streams of a .xz file (see `Unpack`). */
export function* unpackXz(input: PackedInput, output: UnpackedOutput, issues: Issue[]): Steps {
  const reported = new Set<string>();
  do {
    const flags = readStreamHeader(input);
    const check = xzCheck((flags[1] ?? 0) & 15);
    const blocks: BlockSizes[] = [];
    while (input.peek() !== INDEX_INDICATOR) {
      blocks.push(yield* readBlock(input, output, check, issues, reported));
    }
    readIndex(input, blocks);
    readFooter(input, flags);
  } while (nextStream(input, issues));
}

/** Reads a stream header (section 2.1.1). Returns its two bytes of flags. */
function readStreamHeader(input: PackedInput): Uint8Array {
  const start = input.byteOffset;
  const magic = hexDigits(input.take(6, 'the .xz magic'));
  if (magic !== HEADER_MAGIC) throw input.corrupt(start, `the .xz magic ${HEADER_MAGIC}`, magic);
  const flags = input.take(2, 'the stream flags');
  requireCrc(input, flags, 'the stream flags');
  if (flags[0] !== 0 || (flags[1] ?? 0) > 15) {
    throw input.unsupported(start + 6, `an .xz stream with flags ${hexDigits(flags)}`, 'xz -d');
  }
  return flags;
}

/** Unpacks a block (section 3). */
function* readBlock(
  input: PackedInput,
  output: UnpackedOutput,
  check: XzCheck,
  issues: Issue[],
  reported: Set<string>,
): Steps<BlockSizes> {
  const start = input.byteOffset;
  const declared = readBlockHeader(input, output);
  const dataStart = input.byteOffset;
  const unpackedStart = output.length;
  yield* unpackFiltered(input, output, declared.filters);
  const packed = BigInt(input.byteOffset - dataStart);
  const unpacked = BigInt(output.length - unpackedStart);
  if ((declared.packed ?? packed) !== packed || (declared.unpacked ?? unpacked) !== unpacked) {
    const found = `${packed} bytes that unpack to ${unpacked}`;
    throw input.corrupt(start, 'a block of the sizes in its header', found);
  }
  const blockEnd = input.byteOffset;
  skipPadding(input, blockEnd - start);
  const checkStart = input.byteOffset;
  const stored = hexDigits(input.take(check.size, `the ${check.name}`));
  if (check.compute !== null) {
    const real = yield* check.compute(output.from(unpackedStart));
    if (real !== stored && !reported.has('wrong')) {
      reported.add('wrong');
      issues.push(input.badChecksum(checkStart, check.size, check.name, stored, real));
    }
  } else if (check.size > 0 && !reported.has('unknown')) {
    reported.add('unknown');
    issues.push({
      severity: 'note',
      code: 'container.check-unknown',
      region: input.region,
      message: `${input.region}: the data is protected by ${check.name}, which is not verified`,
      span: null,
    });
  }
  return { unpadded: BigInt(blockEnd - start + check.size), unpacked };
}

/** Unpacks LZMA2 data and undoes the filters. If it is damaged, drops bytes that stay filtered. */
function* unpackFiltered(
  input: PackedInput,
  output: UnpackedOutput,
  filters: readonly BlockFilter[],
): Steps {
  const start = output.length;
  let broken: unknown = null;
  try {
    yield* unpackLzma2(input, output);
  } catch (error) {
    if (filters.length === 0) throw error;
    broken = error;
  }
  for (const { filter, startOffset } of filters.toReversed()) {
    const final = yield* filter.undo(output.from(start), startOffset);
    if (broken !== null) output.length = start + final;
  }
  if (broken !== null) throw broken;
}

/** Reads a block header (section 3.1). Throws `Malformed` for unsupported filters. */
function readBlockHeader(input: PackedInput, output: UnpackedOutput): BlockHeader {
  const start = input.byteOffset;
  const headerEnd = start + ((input.peek() ?? 0) + 1) * 4;
  const header = input.take(headerEnd - 4 - start, 'a block header');
  requireCrc(input, header, 'a block header');
  input.byteOffset = start + 1;
  const flags = input.u8('the block flags');
  if (flags & FLAGS_RESERVED) {
    throw input.unsupported(start + 1, `an .xz block with flags ${hexText(flags, 2)}`, 'xz -d');
  }
  const packed = flags & FLAG_PACKED_SIZE ? readInteger(input) : null;
  const unpacked = flags & FLAG_UNPACKED_SIZE ? readInteger(input) : null;
  const filters: BlockFilter[] = [];
  for (let left = flags & FILTER_COUNT_MASK; left > 0; left--) {
    filters.push(readBranchFilter(input));
  }
  const lastStart = input.byteOffset;
  const last = readInteger(input);
  if (last !== FILTER_LZMA2) throw unsupportedFilter(input, lastStart, last);
  input.take(Number(readInteger(input)), 'the filter properties');
  if (input.byteOffset > headerEnd - 4) {
    throw input.corrupt(start, `a block header of ${headerEnd - start} bytes`, 'a longer one');
  }
  input.byteOffset = headerEnd;
  if (unpacked !== null) output.declare(Number(unpacked));
  return { packed, unpacked, filters };
}

/** Reads a branch filter with an optional start offset (section 5.3.2). */
function readBranchFilter(input: PackedInput): BlockFilter {
  const start = input.byteOffset;
  const id = readInteger(input);
  const filter = BRANCH_FILTERS.get(Number(id));
  if (filter === undefined) throw unsupportedFilter(input, start, id);
  const size = Number(readInteger(input));
  if (size !== 0 && size !== 4) {
    const expected = `properties of 0 or 4 bytes of the ${filter.name} filter`;
    throw input.corrupt(start, expected, `${size} bytes`);
  }
  const startOffset = size === 0 ? 0 : input.u32le('the filter properties');
  if (startOffset % filter.alignment !== 0) {
    const expected = `a start offset that is a multiple of ${filter.alignment}`;
    throw input.corrupt(start, expected, `${startOffset}`);
  }
  return { filter, startOffset };
}

function unsupportedFilter(input: PackedInput, start: number, id: bigint) {
  const known = BRANCH_FILTERS.get(Number(id))?.name ?? OTHER_FILTERS.get(id);
  const name = known ?? `unknown (${hexText(id, 2)})`;
  return input.unsupported(start, `.xz data with the ${name} filter`, 'xz -d');
}

/** Checks that the index has the sizes of all blocks (section 4). */
function readIndex(input: PackedInput, blocks: readonly BlockSizes[]): void {
  const start = input.byteOffset;
  input.u8('the index');
  const count = readInteger(input);
  if (count !== BigInt(blocks.length)) {
    throw input.corrupt(start, `an index of ${blocks.length} blocks`, `${count}`);
  }
  for (const { unpadded, unpacked } of blocks) {
    const at = input.byteOffset;
    const record = [readInteger(input), readInteger(input)];
    if (record[0] !== unpadded || record[1] !== unpacked) {
      throw input.corrupt(at, `sizes ${unpadded} and ${unpacked}`, record.join(' and '));
    }
  }
  skipPadding(input, input.byteOffset - start);
  requireCrc(input, input.bytes.subarray(start, input.byteOffset), 'the index');
}

/** Checks the footer of a stream (section 2.1.2). */
function readFooter(input: PackedInput, headerFlags: Uint8Array): void {
  const start = input.byteOffset;
  const crc = input.u32le('the stream footer');
  const fields = input.take(6, 'the stream footer');
  const magic = hexDigits(input.take(2, 'the stream footer'));
  if (crc !== crc32(0, fields) || magic !== FOOTER_MAGIC) {
    throw input.corrupt(
      start,
      'a sound stream footer',
      `CRC-32 ${hexText(crc, 8)}, magic ${magic}`,
    );
  }
  if (hexDigits(fields.subarray(4)) !== hexDigits(headerFlags)) {
    throw input.corrupt(
      start + 8,
      `flags ${hexDigits(headerFlags)}`,
      hexDigits(fields.subarray(4)),
    );
  }
}

/** Returns true if another stream follows (section 2.2). Skips padding. */
function nextStream(input: PackedInput, issues: Issue[]): boolean {
  const rest = input.bytes.subarray(input.byteOffset);
  const padding = rest.findIndex((byte) => byte !== 0);
  if (padding < 0) return false;
  const magic = hexDigits(rest.subarray(padding, padding + 6));
  if (padding % 4 === 0 && magic === HEADER_MAGIC) {
    input.byteOffset += padding;
    return true;
  }
  issues.push(input.trailing());
  return false;
}

/** Skips padding. `length` is the size so far of the structure that is padded to four bytes. */
function skipPadding(input: PackedInput, length: number): void {
  const start = input.byteOffset;
  const padding = input.take(-length & 3, 'padding');
  if (padding.some((byte) => byte !== 0)) {
    throw input.corrupt(start, 'zeros as padding', hexDigits(padding));
  }
}

function requireCrc(input: PackedInput, covered: Uint8Array, what: string): void {
  const start = input.byteOffset;
  const stored = input.u32le(`the CRC-32 of ${what}`);
  const real = crc32(0, covered);
  if (stored !== real)
    throw input.corrupt(start, `CRC-32 ${hexText(real, 8)} of ${what}`, hexText(stored, 8));
}

/** Reads an integer of up to nine bytes: seven bits per byte, the lowest first (section 1.2). */
function readInteger(input: PackedInput): bigint {
  const start = input.byteOffset;
  let value = 0n;
  for (let shift = 0n; shift < 63n; shift += 7n) {
    const byte = input.u8('a variable-length integer');
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw input.corrupt(start, 'an integer of at most nine bytes', 'a longer one');
}

/** A kind of checksum of .xz blocks (The .xz File Format 1.2.1, sections 2.1.1.2 and 3.4). */

type XzCheck = {
  readonly name: string;
  /** Size of the stored checksum in bytes. */
  readonly size: number;
  /** Returns the checksum of `data` in hexadecimal, as stored; null for an unknown kind. */
  readonly compute: ((data: Uint8Array) => Steps<string>) | null;
};

function* computeCrc32(data: Uint8Array): Steps<string> {
  return storedHex(yield* foldSteps(data, 0, crc32), 8);
}

function* computeCrc64(data: Uint8Array): Steps<string> {
  const { high, low } = yield* foldSteps(data, { high: 0, low: 0 }, crc64);
  return storedHex((BigInt(high) << 32n) | BigInt(low), 16);
}

function* computeSha256(data: Uint8Array): Steps<string> {
  const hash = yield* foldSteps(data, sha256.create(), (state, piece) => state.update(piece));
  return hexDigits(hash.digest());
}

const NAMED = new Map<number, Pick<XzCheck, 'name' | 'compute'>>([
  [0x01, { name: 'CRC-32', compute: computeCrc32 }],
  [0x04, { name: 'CRC-64', compute: computeCrc64 }],
  [0x0a, { name: 'SHA-256', compute: computeSha256 }],
]);

/** Returns the kind of checksum with the id `id` (0 to 15). Unassigned ids have a size as well. */
function xzCheck(id: number): XzCheck {
  const size = id === 0 ? 0 : 4 << Math.floor((id - 1) / 3);
  return { ...(NAMED.get(id) ?? { name: `check ${id}`, compute: null }), size };
}

/** Returns the little-endian bytes of a number in hexadecimal. */
function storedHex(value: number | bigint, digits: number): string {
  const bigEndian = hexText(value, digits).slice(2);
  return (bigEndian.match(/../g) ?? []).reverse().join('');
}
