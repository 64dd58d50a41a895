import type { ChangedBits, ChangedUnit } from '#analysis/relocations/type-facts.ts';
import { bitRange, hexText } from '#bytes/text.ts';
import { useBytes } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import type { RelocTone } from '#ui/tone.ts';
import { BitRuler, type RulerPart, wordOf } from '#views/parts/BitRuler.tsx';
import styles from './RelocationCard.module.css';

type RelocationFieldProps = {
  readonly id: FileId;
  readonly units: readonly ChangedUnit[];
  /** Offset of the place in the file. */
  readonly fileOffset: number;
  readonly tone: RelocTone;
};

/** Shows the units of a place with the bits that the relocation changes. */
export function RelocationField({ id, units, fileOffset, tone }: RelocationFieldProps) {
  const last = units.at(-1);
  const length = last === undefined ? 0 : last.byteOffset + last.byteLength;
  const bytes = useBytes(id, fileOffset, fileOffset + length);
  if (bytes === null) return <p className="small muted">Loading…</p>;
  const parts = units.map(({ byteOffset, byteLength, endian, bits }) => {
    const word = wordOf(bytes.subarray(byteOffset, byteOffset + byteLength), endian);
    const part = units.length === 1 ? '' : ` at + ${byteOffset}`;
    return (
      <div key={byteOffset} className="grid gap-1">
        <p className="small soft">
          Changed bits{part}: <span className="mono">{hexText(word, 2 * byteLength)}</span>
        </p>
        <BitRuler label={`Changed bits${part}`} parts={fieldParts(bits, 8 * byteLength, word)} />
      </div>
    );
  });
  return (
    <div className={styles.words} data-tone={tone}>
      {parts}
    </div>
  );
}

/** Returns the bits of a unit, highest first: those of the value and the others. */
export function fieldParts(
  changed: readonly ChangedBits[],
  width: number,
  word: bigint,
): readonly RulerPart[] {
  const parts: RulerPart[] = [];
  let top = width;
  const add = (length: number, field: string, name?: string) => {
    top -= length;
    const value = BigInt.asUintN(length, word >> BigInt(top));
    // The ruler finds the bits of the value by this class and colours them.
    const marked =
      name === undefined ? {} : { name: <span className={styles.marked}>{name}</span> };
    parts.push({ field, length, value, ...marked });
  };
  for (const { placeLow, valueLow, length } of changed.toSorted(
    (x, y) => y.placeLow - x.placeLow,
  )) {
    const above = top - placeLow - length;
    if (above > 0) add(above, 'unchanged');
    add(length, 'value', bitRange(valueLow, length));
  }
  if (top > 0) add(top, 'unchanged');
  return parts;
}
