/** Sets of kernels: lengths of runs of absent and present kernels in turn, or a shorter bitmap. */
import type { VarintReader, VarintWriter } from './varints.ts';

/** Writes a set of kernels below `count`, in ascending order. */
export function writeKernelSet(out: VarintWriter, kernels: readonly number[], count: number): void {
  const runs: number[] = [];
  let end = 0;
  for (let i = 0; i < kernels.length; ) {
    const start = kernels[i] ?? 0;
    let length = 1;
    while (kernels[i + length] === start + length) length++;
    runs.push(start - end, length);
    end = start + length;
    i += length;
  }
  const bytes = Math.ceil(count / 8);
  if (runs.length <= bytes) {
    out.uint(runs.length);
    for (const run of runs) out.uint(run);
    return;
  }
  // Runs come in pairs, so that the odd number 1 marks the bitmap.
  out.uint(1);
  const bitmap = new Uint8Array(bytes);
  for (const kernel of kernels)
    bitmap[kernel >> 3] = (bitmap[kernel >> 3] ?? 0) | (1 << (kernel & 7));
  out.bytes(bitmap);
}

/** Reads a set of kernels below `count`. Throws `Malformed`. */
export function readKernelSet(from: VarintReader, count: number): number[] {
  const what = 'a set of kernels';
  const kernels: number[] = [];
  const runs = from.uint(what);
  if (runs === 1) {
    const bitmap = from.bytes(Math.ceil(count / 8), what);
    for (let i = 0; i < count; i++) if (((bitmap[i >> 3] ?? 0) >> (i & 7)) & 1) kernels.push(i);
    return kernels;
  }
  if (runs > 2 * count) throw from.malformed(`${what} has ${runs} runs`);
  let at = 0;
  for (let i = 0; i < runs; i += 2) {
    at += from.below(count - at, what);
    const end = at + from.below(count - at + 1, what);
    while (at < end) kernels.push(at++);
  }
  return kernels;
}
