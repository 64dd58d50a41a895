/**
 * Pictures of terms as data. Parts are written as text, `name:length` one after
 * another, since that is how the documents list them: a name of `_` has no use.
 */
export type Part = {
  /** Empty for what has no use: padding, unused bits. */
  readonly name: string;
  /** From the start of the whole: bytes, or of a word bits from the lowest. */
  readonly start: number;
  readonly length: number;
};

export type Picture =
  /** Bits of a number, the highest part first. */
  | {
      readonly kind: 'word';
      readonly bits: 8 | 16 | 32 | 64;
      readonly parts: readonly Part[];
      readonly lit: string;
    }
  /** Fields of a struct, in bytes. */
  | {
      readonly kind: 'record';
      readonly title: string;
      readonly size: number;
      readonly parts: readonly Part[];
      readonly lit: string;
    }
  /** What leads to what, at most five boxes. `lit` counts from 0. */
  | { readonly kind: 'flow'; readonly boxes: readonly string[]; readonly lit: number }
  /** Bytes in the order of the file; those from `start` to `end` (exclusive) are highlighted. */
  | {
      readonly kind: 'bytes';
      readonly bytes: readonly number[];
      readonly start: number;
      readonly end: number;
      /** What the lit bytes say. */
      readonly caption: string;
    }
  /** Members to scale. */
  | {
      readonly kind: 'layout';
      readonly title: string;
      readonly unit: 'bit' | 'byte';
      readonly size: number;
      readonly parts: readonly Part[];
      readonly lit: string;
    };

/** A word of `bits` bits, its parts from the highest bit down. */
export function word(bits: 8 | 16 | 32 | 64, parts: string, lit: string): Picture {
  let end = bits;
  const placed = lengthsOf(parts).map(({ name, length }): Part => {
    end -= length;
    return { name, start: end, length };
  });
  return { kind: 'word', bits, parts: placed, lit };
}

/** A struct of fields without gaps, lengths in bytes. */
export function record(title: string, fields: string, lit: string): Picture {
  const { parts, size } = inARow(fields);
  return { kind: 'record', title, size, parts, lit };
}

/** Members to scale, lengths in `unit`s; `_` is what no member covers. */
export function layout(title: string, unit: 'bit' | 'byte', members: string, lit: string): Picture {
  const { parts, size } = inARow(members);
  return { kind: 'layout', title, unit, size, parts, lit };
}

/** Boxes joined by arrows. */
export function flow(boxes: readonly string[], lit: number): Picture {
  return { kind: 'flow', boxes, lit };
}

/** Bytes in hex, and which of them are highlighted: `start` to `end`, exclusive. */
export function bytes(hex: string, start: number, end: number, caption: string): Picture {
  const numbers = hex.split(' ').map((digits) => Number.parseInt(digits, 16));
  return { kind: 'bytes', bytes: numbers, start, end, caption };
}

function inARow(text: string): { readonly parts: readonly Part[]; readonly size: number } {
  let size = 0;
  const parts = lengthsOf(text).map(({ name, length }): Part => {
    const start = size;
    size += length;
    return { name, start, length };
  });
  return { parts, size };
}

function lengthsOf(text: string): { readonly name: string; readonly length: number }[] {
  return text.split(' ').map((part) => {
    const colon = part.lastIndexOf(':');
    const name = part.slice(0, colon);
    return { name: name === '_' ? '' : name, length: Number(part.slice(colon + 1)) };
  });
}
