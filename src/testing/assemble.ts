/**
 * Assembles bytes, so that the input of a test reads like the table in the spec.
 *
 *     const { bytes, at } = assemble('little',
 *       u16(0xeb9f), u8(1), u8(0), u32(24),
 *       u32(0), u32(distance('types', 'strings')),
 *       label('types'), ...,
 *       label('strings'), cstring(''), cstring('int'));
 *
 * `assemble` takes a byte order and parts, and returns the bytes and the offset of each label. A
 * field is a number, or a reference to labels, which may follow later. A number that does not fit
 * its field throws `RangeError`, so that no test silently uses wrong bytes. For whole files see
 * `btf-blob.ts` and `elf-object.ts`.
 */
import type { Endian } from '#bytes/span.ts';

/** Returns the offset of a label in bytes. Throws if no part sets the label. */
export type Labels = (label: string) => number;

/** Returns a number computed from the offsets of labels. */
export type Reference = (at: Labels) => number;

export type Part = {
  /** Returns the length of the part in bytes; for an alignment it depends on `offset`. */
  readonly length: (offset: number) => number;
  readonly write: (view: DataView, offset: number, endian: Endian, at: Labels) => void;
  /** Label that the part sets at its start; absent for most parts. */
  readonly label?: string;
};

export type Assembled = { readonly bytes: Uint8Array<ArrayBuffer>; readonly at: Labels };

/** Assembles the parts in order. Throws for a label that is set twice or never. */
export function assemble(endian: Endian, ...parts: readonly Part[]): Assembled {
  const offsets = new Map<string, number>();
  const starts: number[] = [];
  let end = 0;
  for (const part of parts) {
    starts.push(end);
    if (part.label !== undefined) {
      if (offsets.has(part.label)) throw new Error(`label ${part.label} is set twice`);
      offsets.set(part.label, end);
    }
    end += part.length(end);
  }
  const at: Labels = (name) => {
    const offset = offsets.get(name);
    if (offset === undefined) throw new Error(`no label ${name}`);
    return offset;
  };
  const bytes = new Uint8Array(end);
  const view = new DataView(bytes.buffer);
  for (const [i, part] of parts.entries()) part.write(view, starts[i] ?? 0, endian, at);
  return { bytes, at };
}

/** Returns an empty part that sets a label at the start of the next part. */
export function label(name: string): Part {
  return { label: name, length: () => 0, write: () => undefined };
}

/** Returns a reference to the offset of a label. */
export function offsetOf(name: string): Reference {
  return (at) => at(name);
}

/** Returns a reference to the number of bytes between two labels. */
export function distance(from: string, to: string): Reference {
  return (at) => at(to) - at(from);
}

export function u8(value: number | Reference): Part {
  return field(1, 0, 0xff, value, (view, offset, n) => view.setUint8(offset, n));
}

export function u16(value: number | Reference): Part {
  return field(2, 0, 0xffff, value, (view, offset, n, little) => view.setUint16(offset, n, little));
}

export function i16(value: number | Reference): Part {
  return field(2, -0x8000, 0x7fff, value, (view, offset, n, little) =>
    view.setInt16(offset, n, little),
  );
}

export function u32(value: number | Reference): Part {
  return field(4, 0, 0xffffffff, value, (view, offset, n, little) =>
    view.setUint32(offset, n, little),
  );
}

export function i32(value: number | Reference): Part {
  return field(4, -0x80000000, 0x7fffffff, value, (view, offset, n, little) =>
    view.setInt32(offset, n, little),
  );
}

/** Returns an unsigned number as a part of eight bytes. Unsafe integers must be a bigint. */
export function u64(value: number | bigint | Reference): Part {
  return wide(0n, 0xffffffffffffffffn, value, (view, offset, n, little) =>
    view.setBigUint64(offset, n, little),
  );
}

/** Returns a signed number as a part of eight bytes. Unsafe integers must be a bigint. */
export function i64(value: number | bigint | Reference): Part {
  return wide(-0x8000000000000000n, 0x7fffffffffffffffn, value, (view, offset, n, little) =>
    view.setBigInt64(offset, n, little),
  );
}

/** Returns a part that consists of these bytes, whatever the byte order. */
export function raw(bytes: ArrayLike<number>): Part {
  return {
    length: () => bytes.length,
    write: (view, offset) => new Uint8Array(view.buffer).set(bytes, offset),
  };
}

/** Returns a part with the bytes of hex digits; spaces are ignored. */
export function hex(digits: string): Part {
  const packed = digits.replace(/\s+/g, '');
  if (!/^([0-9a-f]{2})*$/i.test(packed)) throw new Error(`not hex bytes: ${digits}`);
  const bytes: number[] = [];
  for (let i = 0; i < packed.length; i += 2)
    bytes.push(Number.parseInt(packed.slice(i, i + 2), 16));
  return raw(bytes);
}

const encoder = new TextEncoder();

/** Returns a part with the text in UTF-8, without a NUL at the end. */
export function text(content: string): Part {
  return raw(encoder.encode(content));
}

/** Returns a part with the text in UTF-8 and a NUL at the end. */
export function cstring(content: string): Part {
  return text(`${content}\0`);
}

/** Returns a part that consists of `count` zero bytes. */
export function zeros(count: number): Part {
  return { length: () => count, write: () => undefined };
}

/** Returns zero bytes that align the next part; the offset counts from the start of all bytes. */
export function align(alignment: number): Part {
  return {
    length: (offset) => (alignment - (offset % alignment)) % alignment,
    write: () => undefined,
  };
}

function field(
  size: number,
  min: number,
  max: number,
  value: number | Reference,
  set: (view: DataView, offset: number, n: number, little: boolean) => void,
): Part {
  return {
    length: () => size,
    write: (view, offset, endian, at) => {
      const n = typeof value === 'function' ? value(at) : value;
      if (!Number.isInteger(n) || n < min || n > max) {
        throw new RangeError(`${n} does not fit ${size} bytes at offset ${offset}`);
      }
      set(view, offset, n, endian === 'little');
    },
  };
}

function wide(
  min: bigint,
  max: bigint,
  value: number | bigint | Reference,
  set: (view: DataView, offset: number, n: bigint, little: boolean) => void,
): Part {
  return {
    length: () => 8,
    write: (view, offset, endian, at) => {
      const given = typeof value === 'function' ? value(at) : value;
      if (typeof given === 'number' && !Number.isSafeInteger(given)) {
        throw new RangeError(`${given} is no safe integer: give it as a bigint`);
      }
      const n = BigInt(given);
      if (n < min || n > max) {
        throw new RangeError(`${n} does not fit 8 bytes at offset ${offset}`);
      }
      set(view, offset, n, endian === 'little');
    },
  };
}
