/**
 * Finds parts of sections with SHF_MERGE in a linked file: linkers join equal strings and constants.
 * Source: System V gABI chapter 4, "Section Attribute Flags".
 */
import { hexDigits } from '#bytes/text.ts';

export const SHF_MERGE = 0x10n;
export const SHF_STRINGS = 0x20n;

/** The bytes of a section in an object and of the output section that its parts went to. */
export type MergedInput = {
  readonly own: Uint8Array;
  /** Size of a constant, or of a character of strings, in bytes. */
  readonly entrySize: number;
  readonly isStrings: boolean;
  readonly output: Uint8Array;
  /** Address of the first byte of `output`. */
  readonly address: bigint;
  /** Offset in `output` from which parts are searched first. */
  readonly from: number;
};

/** Addresses of the parts of one section. */
export class MergedSection {
  readonly #input: MergedInput;
  readonly #found = new Map<string, bigint | null>();

  constructor(input: MergedInput) {
    this.#input = input;
  }

  /** Returns the address of byte `offset` of the section; null if its part is not in the output. */
  addressOf(offset: bigint): bigint | null {
    const { own, entrySize, isStrings } = this.#input;
    if (offset < 0n || offset >= BigInt(own.length) || entrySize <= 0) return null;
    const at = Number(offset);
    const start = isStrings ? stringStart(own, at, entrySize) : at - (at % entrySize);
    const end = isStrings ? stringEnd(own, at, entrySize) : start + entrySize;
    const part = own.subarray(start, end);
    const key = hexDigits(part);
    const known = this.#found.get(key);
    const address = known === undefined ? this.#search(part) : known;
    this.#found.set(key, address);
    return address === null ? null : address + BigInt(at - start);
  }

  #search(part: Uint8Array): bigint | null {
    const { output, address, from, entrySize, isStrings } = this.#input;
    const isWhole = (at: number) =>
      !isStrings || at === 0 || output.subarray(at - entrySize, at).every((byte) => byte === 0);
    let inside: number | null = null;
    for (const start of from === 0 ? [0] : [from, 0]) {
      for (let at = indexOf(output, part, start); at >= 0; at = indexOf(output, part, at + 1)) {
        if ((at - from) % entrySize !== 0) continue;
        if (isWhole(at)) return address + BigInt(at);
        inside ??= at;
      }
    }
    // Linkers also use the end of a longer string.
    return inside === null ? null : address + BigInt(inside);
  }
}

function indexOf(bytes: Uint8Array, part: Uint8Array, from: number): number {
  const [first] = part;
  if (first === undefined) return -1;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + part.length > bytes.length) return -1;
    if (part.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

function isEnd(bytes: Uint8Array, at: number, size: number): boolean {
  for (let i = 0; i < size; i++) if ((bytes[at + i] ?? 0) !== 0) return false;
  return true;
}

function stringStart(bytes: Uint8Array, at: number, size: number): number {
  let start = at - (at % size);
  while (start >= size && !isEnd(bytes, start - size, size)) start -= size;
  return start;
}

/** Returns the offset after the string's end mark. */
function stringEnd(bytes: Uint8Array, at: number, size: number): number {
  let end = at - (at % size);
  while (end < bytes.length && !isEnd(bytes, end, size)) end += size;
  return Math.min(end + size, bytes.length);
}
