import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { countOf } from '#views/parts/number-text.ts';
import { StructDrawing } from '#views/parts/StructStrip.tsx';
import { bitRange, partName } from './bit-range.ts';
import styles from './StepSide.module.css';
import { type StructMap as Drawing, LINE_BYTES } from './struct-map.ts';

type StructMapProps = {
  readonly types: TypeTable;
  readonly map: Drawing;
  /** The struct as C spells it. Raw text. */
  readonly title: string;
  /** Bytes from the start of the access to this struct: the lines count from there. */
  readonly base: bigint;
};

/** A struct byte by byte, eight to a line, the picked member lit. The words beside it say the same. */
export function StructMap({ types, map, title, base }: StructMapProps) {
  const { rows, strips, pickedRow, sizeBytes } = map;
  const picked = pickedRow === null ? undefined : rows[pickedRow];
  const where = picked === undefined ? '' : `: ${partName(picked)} is at ${bitRange(picked)}`;
  return (
    <figure className={styles.map}>
      <StructDrawing
        label={`Layout of ${drawnName(title)}${where}`}
        types={types}
        rows={rows}
        strips={strips}
        lineBytes={LINE_BYTES}
        selectedRow={pickedRow}
        base={base}
        hasRuler
      />
      <figcaption className={styles.mapCaption}>
        {drawnName(title)}, {countOf(sizeBytes, 'byte')}
      </figcaption>
    </figure>
  );
}
