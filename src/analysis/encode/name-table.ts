/** Names by id, so that each text is decoded and compared once. Id 0 is the empty name. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import { byteText, decodeText } from '#bytes/text.ts';
import { stringEnd } from '#formats/dwarf/forms.ts';

/** Bytes that may be decoded, per byte of the file: in damaged files strings may overlap. */
const MAX_PER_BYTE = 64;
const MIN_BYTES = 16 << 20;

export class NameTable {
  readonly #bytes: Uint8Array[] = [new Uint8Array(0)];
  readonly #texts: string[] = [''];
  readonly #ids = new Map<string, number>([['', 0]]);
  readonly #byOffset = new Map<ByteReader, Map<number, number>>();
  #bytesLeft: number;

  /** `fileBytes`: size of the file in bytes, which limits the work on names that overlap. */
  constructor(fileBytes: number) {
    this.#bytesLeft = MIN_BYTES + MAX_PER_BYTE * fileBytes;
  }

  /** Number of names. */
  get count(): number {
    return this.#texts.length;
  }

  /** Returns the id of the string at `offset` of `section`. Throws `Malformed`. */
  idAt(section: ByteReader, offset: number): number {
    let offsets = this.#byOffset.get(section);
    if (offsets === undefined) {
      offsets = new Map();
      this.#byOffset.set(section, offsets);
    }
    const known = offsets.get(offset);
    if (known !== undefined) return known;
    const length = stringEnd(section, offset) - offset;
    this.#bytesLeft -= length;
    if (this.#bytesLeft < 0) {
      throw section.malformed('encode.names', `${section.region}: the names overlap too often`, {
        at: [offset, length],
        expected: `at most ${MAX_PER_BYTE} bytes of names for each byte of the file`,
        found: 'more',
      });
    }
    const id = this.idOf(section.bytes.subarray(offset, offset + length));
    offsets.set(offset, id);
    return id;
  }

  /** Returns the id of a name, given as bytes without a NUL. */
  idOf(bytes: Uint8Array): number {
    const text = byteText(bytes);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#texts.length;
    this.#texts.push(text);
    this.#bytes.push(bytes);
    this.#ids.set(text, id);
    return id;
  }

  /** Returns the id of a name that has one character per byte. */
  idOfText(text: string): number {
    const known = this.#ids.get(text);
    return known ?? this.idOf(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  }

  bytesOf(id: number): Uint8Array {
    return this.#bytes[id] ?? NO_BYTES;
  }

  /** Returns the name with one character per byte, for comparisons. */
  text(id: number): string {
    return this.#texts[id] ?? '';
  }

  /** Returns the name as a person reads it. */
  shown(id: number): string {
    return decodeText(this.bytesOf(id));
  }
}

const NO_BYTES = new Uint8Array(0);
