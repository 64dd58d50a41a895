import type { ReactNode } from 'react';
import { bitRange } from '#bytes/text.ts';
import styles from './BitRuler.module.css';
import { TermText } from './Term.tsx';

export type RulerPart = {
  /** What the bits are called: `vlen`; empty for bits without a use. */
  readonly field: string;
  /** How many bits; the parts go from the highest bit to the lowest. */
  readonly length: number;
  readonly value: bigint;
  /** What they say, as the headers spell it: `BPF_ALU64`. Monospace. */
  readonly name?: ReactNode;
  /** The same in words. */
  readonly about?: ReactNode;
};

type BitRulerProps = {
  /** Accessible name: `Opcode bits`. */
  readonly label: string;
  /** From the highest bit to the lowest. */
  readonly parts: readonly RulerPart[];
};

/** Wider parts are written in hex. */
const MAX_BINARY = 8;

/** A number cut into the groups of bits that mean something, each with its digits and what they say. */
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

/** The bits one by one, or in hex where they are many; always as many digits as they have. */
function digitsOf(value: bigint, length: number): string {
  const own = BigInt.asUintN(length, value);
  return length <= MAX_BINARY
    ? own.toString(2).padStart(length, '0')
    : `0x${own.toString(16).padStart(Math.ceil(length / 4), '0')}`;
}
