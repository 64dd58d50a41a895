/** Builds large BTF blobs from the words of their records, much faster than `btfBlob`. */

/** Kinds by name, as the high byte of the info word. */
const KIND = { int: 1, ptr: 2, array: 3, struct: 4, typedef: 8, const: 10 } as const;

/** Offset of the name `s`, the only name besides the empty one. */
const NAME = 1;

/** Returns the words of a record with the name `s`; only structs with members have a `vlen`. */
export function recordWords(
  kind: keyof typeof KIND,
  sizeOrType: number,
  data: readonly number[] = [],
  vlen = 0,
): number[] {
  const isNamed = kind === 'int' || kind === 'struct' || kind === 'typedef';
  return [isNamed ? NAME : 0, KIND[kind] * 0x1000000 + vlen, sizeOrType, ...data];
}

/** Returns an INT of 4 bytes, and `count` types that refer to the type before them. */
export function chainWords(count: number, link: (type: number) => number[]): number[][] {
  return [recordWords('int', 4, [32]), ...Array.from({ length: count }, (_, i) => link(1 + i))];
}

/** Returns a struct with one member of 4 bytes for each of `types`. */
export function structWords(types: readonly number[]): number[] {
  const members = types.flatMap((type, i) => [NAME, type, 32 * i]);
  return recordWords('struct', 4 * types.length, members, types.length);
}

/** Returns a little-endian BTF blob of the records. */
export function blobOfWords(records: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const words = records.flat();
  const all = [0x0001eb9f, 24, 0, 4 * words.length, 4 * words.length, 4, ...words, 0x7300];
  const view = new DataView(new ArrayBuffer(4 * all.length));
  for (const [i, word] of all.entries()) view.setUint32(4 * i, word, true);
  return new Uint8Array(view.buffer);
}
