/** Strings of a section, with a limit on the bytes that are decoded. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { decodeText } from '#bytes/text.ts';
import { stringEnd } from './forms.ts';

/** Longest string that is read. Names of C++ templates have some tens of kilobytes. */
const MAX_STRING = 1 << 20;

/**
 * Decodes strings. In valid files the strings of a section are disjoint or share their ends; in
 * damaged ones each of a million references may name another part of one long string.
 */
export class StringReader {
  /** Bytes that may still be decoded, and the limit. */
  #bytesLeft: number;
  readonly #limit: number;

  constructor(fileBytes: number) {
    this.#limit = 64 * fileBytes + (16 << 20);
    this.#bytesLeft = this.#limit;
  }

  /** Returns the string at `offset`. Throws `Malformed` if it has no end or is too long. */
  at(section: ByteReader, offset: number): string {
    // Beyond the limit the ends of strings are not searched for, either.
    const length = this.#bytesLeft < 0 ? 0 : stringEnd(section, offset) - offset;
    this.#bytesLeft -= length;
    if (length > MAX_STRING || this.#bytesLeft < 0) {
      const isLong = length > MAX_STRING;
      throw section.malformed(
        'dwarf.strings',
        `${section.region}: ${isLong ? 'a string is' : 'strings are'} too long`,
        {
          at: [offset, length],
          expected: isLong ? `at most ${MAX_STRING} bytes` : `at most ${this.#limit} bytes in all`,
          found: isLong ? `${length} bytes` : 'more',
        },
      );
    }
    return decodeText(section.bytes.subarray(offset, offset + length));
  }
}
