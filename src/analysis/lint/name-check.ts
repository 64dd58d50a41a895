/** Classes of the strings of a BTF blob. Each string is read once, however many records share it. */
import { decodeName, stringEnd, visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';

/** Classes of names. */
export const NameIs = {
  /** Letters, digits, `_` and `.`, as compilers make them. */
  identifier: 1,
  empty: 2,
  /** Readable, but no identifier: `unsigned int`, `Option<u32>`. */
  text: 3,
  /** Has control characters, invisible characters, or direction marks. */
  hidden: 4,
  /** Bytes that are no UTF-8. */
  notUtf8: 5,
  /** The offset lies outside the strings. */
  outside: 6,
  /** In the strings of the base, which are not checked. */
  inBase: 7,
} as const;

const strict = new TextDecoder('utf-8', { fatal: true });

export class NameCheck {
  readonly #types: TypeTable;
  readonly #known: Uint8Array;

  constructor(types: TypeTable) {
    this.#types = types;
    this.#known = new Uint8Array(types.strEnd - types.strStart);
  }

  /** Returns the class of the string at `nameOff`, one of `NameIs`. */
  of(nameOff: number): number {
    const { strBase } = this.#types;
    if (nameOff < strBase) return NameIs.inBase;
    const at = nameOff - strBase;
    if (at >= this.#known.length) return NameIs.outside;
    let known = this.#known[at] ?? 0;
    if (known === 0) {
      known = this.#look(at);
      this.#known[at] = known;
    }
    return known;
  }

  /** The name for a message; empty outside. */
  text(nameOff: number): string {
    const { blob, strStart, strEnd, strBase } = this.#types;
    return nameOff < strBase
      ? ''
      : decodeName(blob.subarray(0, strEnd), strStart + nameOff - strBase);
  }

  #look(at: number): number {
    const { blob, strStart, strEnd } = this.#types;
    let i = strStart + at;
    if (i < strEnd && blob[i] === 0) return NameIs.empty;
    for (; i < strEnd; i++) {
      const byte = blob[i] ?? 0;
      if (byte === 0) return NameIs.identifier;
      if (!isNameByte(byte)) break;
    }
    if (i === strEnd) return NameIs.identifier;
    return this.#lookCloser(blob.subarray(0, strEnd), strStart + at);
  }

  #lookCloser(strings: Uint8Array, start: number): number {
    try {
      const name = strict.decode(strings.subarray(start, stringEnd(strings, start)));
      return visible(name) === name ? NameIs.text : NameIs.hidden;
    } catch {
      return NameIs.notUtf8;
    }
  }
}

/** Digits count also as the first character: no compiler writes such names. */
function isNameByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f ||
    byte === 0x2e
  );
}
