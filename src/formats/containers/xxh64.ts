/** XXH64, the content checksum of zstd (RFC 8878, section 3.1.1; "XXH64 algorithm description" of xxHash), with seed 0. */
import { STEP_BYTES, type Steps } from './steps.ts';

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const STRIPE = 32;

const u64 = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint) => u64(value << by) | u64(value >> (64n - by));
const round = (sum: bigint, lane: bigint) => u64(rotate(u64(sum + u64(lane * P2)), 31n) * P1);

/** The XXH64 of `data`. */
export function* xxh64(data: Uint8Array): Steps<bigint> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const stripesEnd = data.length - (data.length % STRIPE);
  let hash = P5;
  if (stripesEnd > 0) {
    const lanes: Lanes = [u64(P1 + P2), P2, 0n, u64(-P1)];
    for (let start = 0; start < stripesEnd; start += STEP_BYTES) {
      addStripes(lanes, view, start, Math.min(stripesEnd, start + STEP_BYTES));
      yield;
    }
    const [a, b, c, d] = lanes;
    hash = u64(rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n));
    for (const lane of lanes) hash = u64(u64(hash ^ round(0n, lane)) * P1 + P4);
  }
  return avalanche(addTail(u64(hash + BigInt(data.length)), view, stripesEnd));
}

type Lanes = [bigint, bigint, bigint, bigint];

function addStripes(lanes: Lanes, view: DataView, start: number, end: number): void {
  let [a, b, c, d] = lanes;
  for (let at = start; at < end; at += STRIPE) {
    a = round(a, view.getBigUint64(at, true));
    b = round(b, view.getBigUint64(at + 8, true));
    c = round(c, view.getBigUint64(at + 16, true));
    d = round(d, view.getBigUint64(at + 24, true));
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
}

/** The last bytes, fewer than a stripe. */
function addTail(sum: bigint, view: DataView, start: number): bigint {
  let hash = sum;
  let at = start;
  for (; at + 8 <= view.byteLength; at += 8) {
    hash = u64(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4);
  }
  if (at + 4 <= view.byteLength) {
    hash = u64(rotate(hash ^ u64(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < view.byteLength; at++) {
    hash = u64(rotate(hash ^ u64(BigInt(view.getUint8(at)) * P5), 11n) * P1);
  }
  return hash;
}

function avalanche(sum: bigint): bigint {
  let hash = u64((sum ^ (sum >> 33n)) * P2);
  hash = u64((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}
