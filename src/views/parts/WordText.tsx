import type { SiteMark } from '#analysis/objects/relocation-facts.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import type { RulerPart } from './BitRuler.tsx';
import styles from './WordText.module.css';

/** An instruction of one word as its tools write it: `ldq t12,-32752(gp)`. Raw text goes in. */
export function WordText({ text }: { readonly text: string }) {
  const at = text.indexOf(' ');
  const name = at < 0 ? text : text.slice(0, at);
  return (
    <code className={styles.text}>
      <span className="medium strong">{drawnName(name)}</span>
      {at < 0 ? '' : ` ${drawnName(text.slice(at + 1))}`}
    </code>
  );
}

/** The unsigned number that up to eight bytes hold. */
export function wordOf(bytes: Uint8Array, endian: Endian): bigint {
  let word = 0n;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[endian === 'little' ? bytes.length - 1 - i : i] ?? 0;
    word = (word << 8n) | BigInt(byte);
  }
  return word;
}

/** The marked bits of a word, with their sign where they are read so. */
function markedBits(mark: SiteMark, word: bigint): bigint {
  return BigInt.asUintN(mark.bitLength, word >> BigInt(mark.bitStart));
}

/** The word from its highest bit on: what is marked, with the name that `markName` gives to its signed value, and what is kept on either side of it. */
export function rulerParts(
  mark: SiteMark,
  word: bigint,
  markName: (value: bigint) => RulerPart['name'],
): RulerPart[] {
  const width = 8 * (mark.span.end - mark.span.start);
  const end = mark.bitStart + mark.bitLength;
  const rest = (low: number, length: number): RulerPart[] =>
    length <= 0
      ? []
      : [{ field: 'kept', length, value: BigInt.asUintN(length, word >> BigInt(low)) }];
  return [
    ...rest(end, width - end),
    {
      field: mark.role || 'data',
      length: mark.bitLength,
      value: markedBits(mark, word),
      name: markName(BigInt.asIntN(mark.bitLength, markedBits(mark, word))),
    },
    ...rest(0, mark.bitStart),
  ];
}

/** `16 of 32 bits, from bit 0`; `all 64 bits`. */
export function markText(mark: SiteMark): string {
  const width = 8 * (mark.span.end - mark.span.start);
  if (mark.bitLength === width) return `all ${width} bits`;
  const from = mark.bitStart === 0 ? '' : `, from bit ${mark.bitStart} on`;
  return `${mark.bitLength} of ${width} bits${from}`;
}
