/** How numbers of entries are written so that most of them are 0: shared by the writer and the reader of blocks. */

/**
 * Where a member of a variant will be: moved against the variant before that has it as the member
 * before it was, else behind that.
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

  found(member: number, offset: number, bits: number): void {
    const last = this.#last.get(member);
    if (last !== undefined) this.#moved = offset - last;
    this.#end = offset + bits;
    this.#last.set(member, offset);
  }
}

export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export function unzigzag(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
}

/** Whole bytes as an even number, other bits as an odd one. */
export function scaled(bits: number): number {
  return bits % 8 === 0 ? bits / 4 : 2 * bits + 1;
}

export function unscaled(code: number): number {
  return code % 2 === 0 ? 4 * code : (code - 1) / 2;
}
