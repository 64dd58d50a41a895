import type { Value } from '#analysis/values/decode.ts';
import styles from './BytesCell.module.css';
import type { ValuePlaces } from './ValueTree.tsx';
import { bitsText, bytesText } from './value-preview.ts';

/** The bytes of a part as stored; which bits of them it is; marked where a relocation fills them. */
export function BytesCell({
  part,
  places,
}: {
  readonly part: Value;
  readonly places: ValuePlaces;
}) {
  const isPointer = part.content.kind === 'pointer';
  const isFilled = isPointer && places.relocationOf(part) !== null;
  const bits = bitsText(part);
  return (
    <span className={styles.cell}>
      <span className={styles.bytes} data-tone={isFilled ? 'reloc-1' : undefined}>
        {bytesText(part)}
      </span>
      {bits === '' ? null : <span className={styles.bits}>{bits}</span>}
    </span>
  );
}
