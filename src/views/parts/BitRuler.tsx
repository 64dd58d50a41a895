import type { ReactNode } from 'react';
import type { SiteMark } from '#analysis/objects/relocation-facts.ts';
import type { Endian } from '#bytes/span.ts';
import { bitRange } from '#bytes/text.ts';
import styles from './BitRuler.module.css';
import { TermText } from './Term.tsx';

export type RulerPart = {
  /** Name of the bit field: `vlen`; empty for unused bits. */
  readonly field: string;
  /** Number of bits. */
  readonly length: number;
  readonly value: bigint;
  /** Name of the value in the kernel's headers: `BPF_ALU64`. Drawn in monospace. */
  readonly name?: ReactNode;
  readonly about?: ReactNode;
};

type BitRulerProps = {
  /** Accessible name of the ruler: `Opcode bits`. */
  readonly label: string;
  /** Parts of the number. The part with the highest bits is first. */
  readonly parts: readonly RulerPart[];
};

/** Maximum number of bits written in binary. Parts with more bits are written in hex. */
const MAX_BINARY = 8;

/** Shows a number split into its bit fields, each with its digits and their meaning. */
export function BitRuler({ label, parts }: BitRulerProps) {
  let end = parts.reduce((sum, { length }) => sum + length, 0);
  const placed = parts.map((part) => {
    end -= part.length;
    return { ...part, low: end };
  });
  return (
    <ol className="wrapping gap-hair" aria-label={label}>
      {placed.map(({ field, length, low, value, name, about }) => (
        <li
          key={low}
          className={styles.part}
          data-unused={field === '' ? '' : undefined}
          style={{ flexGrow: Math.min(length, MAX_BINARY) + 3 }}
        >
          <span className="muted nowrap">{bitRange(low, length)}</span>
          <span className={styles.digits}>{digitsOf(value, length)}</span>
          <span className="muted">
            <TermText text={field || 'unused'} />
          </span>
          {name === undefined ? null : <span className="mono medium break">{name}</span>}
          {about === undefined || about === '' ? null : (
            <span className="soft break pretty">{about}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Returns binary digits, or hex digits if there are many bits. Leading zeros are kept. */
function digitsOf(value: bigint, length: number): string {
  const bits = BigInt.asUintN(length, value);
  return length <= MAX_BINARY
    ? bits.toString(2).padStart(length, '0')
    : `0x${bits.toString(16).padStart(Math.ceil(length / 4), '0')}`;
}

/** Returns the unsigned number stored in up to eight bytes. */
export function wordOf(bytes: Uint8Array, endian: Endian): bigint {
  let word = 0n;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[endian === 'little' ? bytes.length - 1 - i : i] ?? 0;
    word = (word << 8n) | BigInt(byte);
  }
  return word;
}

/** Returns the marked bits and the others. `markName` names the signed value of the marked bits. */
export function rulerParts(
  mark: SiteMark,
  word: bigint,
  markName: (value: bigint) => RulerPart['name'],
): RulerPart[] {
  const width = 8 * (mark.span.end - mark.span.start);
  const end = mark.bitStart + mark.bitLength;
  const marked = word >> BigInt(mark.bitStart);
  const rest = (low: number, length: number): RulerPart[] =>
    length <= 0
      ? []
      : [{ field: 'kept', length, value: BigInt.asUintN(length, word >> BigInt(low)) }];
  return [
    ...rest(end, width - end),
    {
      field: mark.role || 'data',
      length: mark.bitLength,
      value: BigInt.asUintN(mark.bitLength, marked),
      name: markName(BigInt.asIntN(mark.bitLength, marked)),
    },
    ...rest(0, mark.bitStart),
  ];
}

/** Returns the marked bits in words: `16 of 32 bits, from bit 0`, `all 64 bits`. */
export function markText(mark: SiteMark): string {
  const width = 8 * (mark.span.end - mark.span.start);
  if (mark.bitLength === width) return `all ${width} bits`;
  const from = mark.bitStart === 0 ? '' : `, from bit ${mark.bitStart} on`;
  return `${mark.bitLength} of ${width} bits${from}`;
}
