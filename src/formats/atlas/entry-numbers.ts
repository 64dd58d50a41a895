/** Encodings of the numbers of entries, chosen so that most are 0. Writer and reader share them. */

/**
 * Guesses the offset of a member: that in the previous variant, shifted as the preceding member.
 */
export class OffsetGuess {
  readonly #last = new Map<number, number>();
  #moved = 0;
  #end = 0;

  begin(): void {
    this.#moved = 0;
    this.#end = 0;
  }

  guess(member: number): number {
    const last = this.#last.get(member);
    return last === undefined ? this.#end : last + this.#moved;
  }

  add(member: number, offset: number, bits: number): void {
    const last = this.#last.get(member);
    if (last !== undefined) this.#moved = offset - last;
    this.#end = offset + bits;
    this.#last.set(member, offset);
  }
}

/** Encodes a number of bits: whole bytes as an even number, other bits as an odd number. */
export function scaled(bits: number): number {
  return bits % 8 === 0 ? bits / 4 : 2 * bits + 1;
}

export function unscaled(code: number): number {
  return code % 2 === 0 ? 4 * code : (code - 1) / 2;
}
