// A BTF blob from a graph of types: each type is an object, other types refer to the object,
// and ids are given when all is there, in any order.

const KIND = {
  int: 1,
  ptr: 2,
  array: 3,
  struct: 4,
  union: 5,
  enum: 6,
  fwd: 7,
  typedef: 8,
  volatile: 9,
  const: 10,
  restrict: 11,
  func: 12,
  proto: 13,
  var: 14,
  datasec: 15,
  float: 16,
  declTag: 17,
  typeTag: 18,
  enum64: 19,
};

/** Random numbers that a seed repeats (mulberry32). */
export class Dice {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A whole number below `limit`. */
  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** True once in `n` times. */
  once(n) {
    return this.below(n) === 0;
  }

  of(list) {
    return list[this.below(list.length)];
  }

  shuffled(list) {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
  }
}

/**
 * The bytes of `types` in their order. A type has `kind`, and what its kind has: `name`, `flag`,
 * `vlen`, `size` or `type` (a type, null for void, or a number as it stands), and `words` that
 * follow (numbers, types, or { name }).
 */
export function blobOf(types, isBig = false) {
  const ids = new Map(types.map((type, i) => [type, i + 1]));
  const names = new Map([['', 0]]);
  let strings = '\0';
  const nameOff = (name) => {
    if (!names.has(name)) {
      names.set(name, strings.length);
      strings += `${name}\0`;
    }
    return names.get(name);
  };
  const word = (value) => {
    if (typeof value === 'number') return value >>> 0;
    if (value === null) return 0;
    // A type that was left out does not exist.
    return 'name' in value && !('kind' in value)
      ? nameOff(value.name)
      : (ids.get(value) ?? types.length + 7);
  };
  const words = types.flatMap((type) => {
    const { kind, name = '', flag = false, tail = [] } = type;
    const vlen = type.vlen ?? type.items?.length ?? 0;
    const info = (flag ? 2 ** 31 : 0) + KIND[kind] * 2 ** 24 + vlen;
    const third = word(type.size ?? type.type ?? null);
    return [nameOff(name), info, third, ...tail.map(word), ...(type.items ?? []).flat().map(word)];
  });
  const text = Buffer.from(strings, 'latin1');
  const bytes = Buffer.alloc(24 + words.length * 4 + text.length);
  const u32 = (at, value) =>
    isBig ? bytes.writeUInt32BE(value, at) : bytes.writeUInt32LE(value, at);
  if (isBig) bytes.writeUInt16BE(0xeb9f, 0);
  else bytes.writeUInt16LE(0xeb9f, 0);
  bytes[2] = 1;
  u32(4, 24);
  u32(12, words.length * 4);
  u32(16, words.length * 4);
  u32(20, text.length);
  for (const [i, value] of words.entries()) u32(24 + i * 4, value);
  text.copy(bytes, 24 + words.length * 4);
  return bytes;
}
