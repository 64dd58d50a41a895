/** What a person types into the box that goes to an offset. */

export type OffsetSpace = {
  /** Offset that the first byte of the region is written with. */
  readonly base: number;
  /** Bytes in the region. */
  readonly length: number;
  /** The offset that `+` and `-` count from. */
  readonly from: number;
};

export type ParsedOffset =
  | { readonly ok: true; readonly offset: number }
  | { readonly ok: false; readonly problem: string };

const SHAPE = /^([+-]?)\s*(0x[\da-f]+|\d+|[\da-f]*[a-f][\da-f]*)$/i;

/**
 * `0x1a4`, `420` and `1a4` are places; with `+` or `-` a distance from where one
 * is. Digits alone are decimal. The problem is a sentence for the person.
 */
export function parseOffset(text: string, space: OffsetSpace): ParsedOffset {
  const [, sign, digits] = SHAPE.exec(text.trim()) ?? [];
  if (digits === undefined) {
    return {
      ok: false,
      problem: 'Write an offset such as 0x1a4 or 420, or a distance such as +16',
    };
  }
  const isDecimal = /^\d+$/.test(digits);
  const value = Number(isDecimal || /^0x/i.test(digits) ? digits : `0x${digits}`);
  const { base, length, from } = space;
  const offset = sign === '+' ? from + value : sign === '-' ? from - value : value;
  if (offset >= base && offset < base + length) return { ok: true, offset };
  const last = base + length - 1;
  return {
    ok: false,
    problem:
      length === 0
        ? 'There are no bytes here'
        : `Offsets here go from ${hex(base)} to ${hex(last)} (${last})`,
  };
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
