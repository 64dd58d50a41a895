/** The integrity checks of .xz blocks (The .xz File Format 1.2.1, sections 2.1.1.2 and 3.4). */
import { sha256 } from '@noble/hashes/sha2.js';
import { crc32, crc64 } from './checksums.ts';
import { hexBytes, hexNumber } from './hex.ts';
import { foldSteps, type Steps } from './steps.ts';

export type XzCheck = {
  readonly name: string;
  /** Bytes of the stored check. */
  readonly size: number;
  /** The check of `data` as it would be stored, in hexadecimal; null for one that we do not know. */
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
  return hexBytes(hash.digest());
}

const NAMED = new Map<number, Pick<XzCheck, 'name' | 'compute'>>([
  [0x01, { name: 'CRC-32', compute: computeCrc32 }],
  [0x04, { name: 'CRC-64', compute: computeCrc64 }],
  [0x0a, { name: 'SHA-256', compute: computeSha256 }],
]);

/** The check with this id (0 to 15); ids that no one uses yet have their size all the same. */
export function xzCheck(id: number): XzCheck {
  const size = id === 0 ? 0 : 4 << Math.floor((id - 1) / 3);
  return { ...(NAMED.get(id) ?? { name: `check ${id}`, compute: null }), size };
}

/** A number as its little-endian bytes in hexadecimal. */
function storedHex(value: number | bigint, digits: number): string {
  const bigEndian = hexNumber(value, digits).slice(2);
  return (bigEndian.match(/../g) ?? []).reverse().join('');
}
