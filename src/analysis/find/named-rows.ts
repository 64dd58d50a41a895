/**
 * Rows by the string that they are called by. Strings are told apart by their
 * offset: a writer stores each of them once, and one that does not only makes a
 * name come twice.
 */
import type { Slices } from '#bytes/slices.ts';

export type NamedRows = {
  /** Number of different names. */
  readonly count: number;
  /** Offset of each name, ascending. */
  readonly nameOff: Uint32Array;
  /** Rows of name `n`: `rows[starts[n]]` to before `rows[starts[n + 1]]`, in order. */
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
};

const STRIDE = 1 << 15;

/**
 * Groups the rows of `offsets`; 0 and what is not from `first` to below `end` are no
 * names. Memory is by the bytes between these two: where a base is missing, `first` is not 0.
 */
export async function namedRows(
  offsets: Uint32Array,
  first: number,
  end: number,
  slices: Slices,
): Promise<NamedRows> {
  const isName = (off: number) => off > 0 && off >= first && off < end;
  // One bit for each byte of the strings; how many are set before it is the number of the name.
  const bits = new Uint32Array(((end - first) >>> 5) + 1);
  for (let row = 0; row < offsets.length; row++) {
    const off = offsets[row] ?? 0;
    const at = off - first;
    if (isName(off)) bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
    if (row % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  const before = new Uint32Array(bits.length + 1);
  for (let word = 0; word < bits.length; word++) {
    before[word + 1] = (before[word] ?? 0) + ones(bits[word] ?? 0);
  }
  const count = before[bits.length] ?? 0;
  const numberOf = (off: number) => {
    const at = off - first;
    return (before[at >>> 5] ?? 0) + ones((bits[at >>> 5] ?? 0) & ((1 << (at & 31)) - 1));
  };
  if (slices.isOver) await slices.rest();

  const nameOff = new Uint32Array(count);
  const starts = new Uint32Array(count + 1);
  for (let row = 0; row < offsets.length; row++) {
    const off = offsets[row] ?? 0;
    if (!isName(off)) continue;
    const name = numberOf(off);
    nameOff[name] = off;
    starts[name + 1] = (starts[name + 1] ?? 0) + 1;
    if (row % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  for (let name = 0; name < count; name++) {
    starts[name + 1] = (starts[name + 1] ?? 0) + (starts[name] ?? 0);
  }
  const rows = new Uint32Array(starts[count] ?? 0);
  const next = starts.slice();
  for (let row = 0; row < offsets.length; row++) {
    const off = offsets[row] ?? 0;
    if (!isName(off)) continue;
    const name = numberOf(off);
    const at = next[name] ?? 0;
    rows[at] = row;
    next[name] = at + 1;
    if (row % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  return { count, nameOff, starts, rows };
}

/** Bits that are set in 32. */
function ones(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return (((w + (w >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
