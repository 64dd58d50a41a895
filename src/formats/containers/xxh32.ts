/** XXH32, the checksum of lz4 frames (LZ4 Frame Format 1.6.2; "XXH32 algorithm description" of xxHash), with seed 0. */
import { STEP_BYTES, type Steps } from './steps.ts';

const P1 = 0x9e3779b1;
const P2 = 0x85ebca77;
const P3 = 0xc2b2ae3d;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;
const STRIPE = 16;

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));
const round = (sum: number, lane: number) => Math.imul(rotate(sum + Math.imul(lane, P2), 13), P1);

/** The XXH32 of `data`. */
export function* xxh32(data: Uint8Array): Steps<number> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const stripesEnd = data.length - (data.length % STRIPE);
  let hash = P5;
  if (stripesEnd > 0) {
    const lanes: Lanes = [(P1 + P2) | 0, P2 | 0, 0, -P1 | 0];
    for (let start = 0; start < stripesEnd; start += STEP_BYTES) {
      addStripes(lanes, view, start, Math.min(stripesEnd, start + STEP_BYTES));
      yield;
    }
    const [a, b, c, d] = lanes;
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  return avalanche(addTail((hash + data.length) | 0, view, stripesEnd));
}

type Lanes = [number, number, number, number];

function addStripes(lanes: Lanes, view: DataView, start: number, end: number): void {
  let [a, b, c, d] = lanes;
  for (let at = start; at < end; at += STRIPE) {
    a = round(a, view.getInt32(at, true));
    b = round(b, view.getInt32(at + 4, true));
    c = round(c, view.getInt32(at + 8, true));
    d = round(d, view.getInt32(at + 12, true));
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
}

/** The last bytes, fewer than a stripe. */
function addTail(sum: number, view: DataView, start: number): number {
  let hash = sum;
  let at = start;
  for (; at + 4 <= view.byteLength; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getInt32(at, true), P3)) | 0, 17), P4);
  }
  for (; at < view.byteLength; at++) {
    hash = Math.imul(rotate((hash + Math.imul(view.getUint8(at), P5)) | 0, 11), P1);
  }
  return hash;
}

function avalanche(sum: number): number {
  let hash = Math.imul(sum ^ (sum >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
