/** Finds BTF by its header and records in bytes without sections, such as a raw kernel image. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt } from '#bytes/issue.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import {
  BTF_HEADER_SIZE,
  type BtfHeader,
  readBtfHeader,
  readBtfLayout,
} from '#formats/btf/header.ts';
import { BTF_VERSION } from '#formats/btf/kinds.ts';
import { walkTypes } from '#formats/btf/walk.ts';

/** Largest plausible size of a header in bytes. Random data mostly gives a larger number. */
const MAX_HEADER_SIZE = 256;
/** Limit of the record bytes that are checked, as a multiple of the number of searched bytes. */
const MAX_WALKS = 8;

export type FoundBtf = {
  /** Span of the blob, in bytes from the start of the searched bytes. */
  readonly span: Span;
  readonly typeCount: number;
  /** Number of valid blobs that were found. The returned blob has the most types. */
  readonly blobCount: number;
};

/** Returns the valid blob with the most types; null if there is none. Takes linear time. */
export function findBtf(bytes: Uint8Array): FoundBtf | null {
  let best: FoundBtf | null = null;
  let blobCount = 0;
  let budget = bytes.length * MAX_WALKS;
  // Searches for one byte of the magic number, because the byte order is unknown.
  for (let at = bytes.indexOf(0xeb); at >= 0 && budget > 0; at = bytes.indexOf(0xeb, at + 1)) {
    const start = startOfMagic(bytes, at);
    if (start === null) continue;
    const blob = new ByteReader(bytes.subarray(start), 'BTF');
    const header = plausibleHeader(blob);
    if (header === null) continue;
    budget -= header.types.end - header.types.start;
    const typeCount = countTypes(blob, header);
    if (typeCount === 0) continue;
    blobCount++;
    const span = spanOf(start, header.strings.end);
    if (best === null || typeCount > best.typeCount) best = { span, typeCount, blobCount };
    at = span.end - 1;
  }
  return best && { ...best, blobCount };
}

function startOfMagic(bytes: Uint8Array, at: number): number | null {
  if (bytes[at + 1] === 0x9f && bytes[at + 2] === BTF_VERSION) return at;
  return bytes[at - 1] === 0x9f && bytes[at + 1] === BTF_VERSION ? at - 1 : null;
}

/** Returns the header; null for flags, an empty section, or strings without NUL at both ends. */
function plausibleHeader(blob: ByteReader): BtfHeader | null {
  if (blob.length < BTF_HEADER_SIZE) return null;
  return attempt([], () => {
    const header = readBtfHeader(blob);
    const { flags, hdrLen, types, strings } = header;
    const isSound =
      flags === 0 &&
      hdrLen <= MAX_HEADER_SIZE &&
      types.end > types.start &&
      strings.end > strings.start &&
      blob.u8(strings.start) === 0 &&
      blob.u8(strings.end - 1) === 0;
    return isSound ? header : null;
  });
}

/** Returns the number of types; 0 if the last record does not end where the type section ends. */
function countTypes(blob: ByteReader, header: BtfHeader): number {
  const walk = attempt([], () => {
    const reader = blob.as(header.endian);
    const layout = header.layout === null ? null : readBtfLayout(reader, header.layout);
    return walkTypes(reader, header.types, layout);
  });
  return walk?.stop === null ? walk.count : 0;
}
