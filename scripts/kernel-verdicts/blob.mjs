// Encodes types as a BTF blob. Each type is an object, and types refer to objects; ids are assigned
// at the end.

import { BtfStrings, btfBlob, infoOf, KIND } from '../btf-blob.mjs';

/** Generator of random numbers by seed (mulberry32). */
export class Dice {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Returns a random integer from 0 to `limit - 1`. */
  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Returns true in one of `n` calls on average. */
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

/** A base without types and strings. */
const NO_BASE = { types: 0, strings: 0 };

/**
 * Returns a BTF blob with `types` in this order. A type has a `kind`, a name or a number. Depending on
 * the kind it has `name`, `flag`, `vlen`, `size` or `type` (a type, null for void, or a number), and
 * more `words` (numbers, types, or { name }). `base` has the number of types and the length of the
 * strings of a base; `layout` is that of `btfBlob`.
 */
export function blobOf(types, { isBig = false, base = NO_BASE, layout = null } = {}) {
  const ids = new Map(types.map((type, i) => [type, base.types + i + 1]));
  const strings = new BtfStrings(base.strings);
  const word = (value) => {
    if (typeof value === 'number') return value >>> 0;
    if (value === null) return 0;
    // A type that is not in `types` gets an id that does not exist.
    return 'name' in value && !('kind' in value)
      ? strings.offset(value.name)
      : (ids.get(value) ?? base.types + types.length + 7);
  };
  const records = types.map((type) => {
    const { kind, name = '', flag = false, tail = [] } = type;
    const vlen = type.vlen ?? type.items?.length ?? 0;
    const info = infoOf(typeof kind === 'number' ? kind : KIND[kind.toUpperCase()], vlen, flag);
    const third = word(type.size ?? type.type ?? null);
    return [
      strings.offset(name),
      info,
      third,
      ...tail.map(word),
      ...(type.items ?? []).flat().map(word),
    ];
  });
  return btfBlob({ types: records, strings: strings.bytes, isBig, layout });
}
