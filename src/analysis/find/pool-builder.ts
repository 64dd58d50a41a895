/** Builds a pool of names, in slices of time. */
import type { Slices } from '#bytes/slices.ts';
import { lettersOf, type NamePool } from './name-pool.ts';

/** All names of a pool stay below this many characters together, whatever a file does with its offsets. */
const MAX_TEXT = 1 << 26;
const MAX_NAME = 512;
/** Names between two looks at the clock. */
const STRIDE = 2048;

/** How many bytes of each of `count` names are kept: strings may overlap, so their lengths add up to more than the file. */
export function nameCut(count: number): number {
  return Math.max(16, Math.min(MAX_NAME, Math.floor(MAX_TEXT / Math.max(1, count))));
}

/**
 * The pool of names number 0 to `count - 1`. `nameAt` gives one, no longer than
 * `nameCut(count)` bytes; `onDone` is told how many stand in it.
 */
export async function buildPool(
  count: number,
  nameAt: (name: number) => string,
  slices: Slices,
  onDone: (done: number) => void,
): Promise<NamePool> {
  const names: string[] = [];
  const starts = new Uint32Array(count + 1);
  let length = 0;
  for (let name = 0; name < count; name++) {
    const lower = nameAt(name).toLowerCase().replaceAll('\0', ' ');
    starts[name] = length;
    names.push(lower);
    length += lower.length + 1;
    if (name % STRIDE === 0 && slices.isOver) {
      onDone(name);
      await slices.rest();
    }
  }
  starts[count] = length;
  const text = count === 0 ? '' : `${names.join('\0')}\0`;
  const letters = new Uint32Array(count);
  const firstLetters = new Uint32Array(count);
  for (let name = 0; name < count; name++) {
    const found = lettersOf(names[name] ?? '', 0, names[name]?.length ?? 0);
    letters[name] = found.letters;
    firstLetters[name] = found.firstLetters;
    if (name % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  return { count, text, starts, letters, firstLetters };
}
