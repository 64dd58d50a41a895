import { useMemo } from 'react';
import { keysToUnfold, memberRows, rowOfPath } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import type { TypeId } from '#model/ids.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { countOf } from '#views/parts/number-text.ts';
import { useUnfolded } from '#views/types/use-unfolded.ts';
import styles from './ComparedDrawing.module.css';
import { drawingHeight, ScaleDrawing } from './ScaleDrawing.tsx';

type ComparedDrawingProps = {
  readonly title: string;
  readonly types: TypeTable;
  readonly composite: TypeId;
  readonly memberPath: readonly number[];
  /** Numbers of the members that stand elsewhere in the other drawing. */
  readonly moved: ReadonlySet<number>;
  readonly lineBytes: number;
  readonly onlyHoles: boolean;
  readonly onChoose: (path: readonly number[]) => void;
};

/** One of two orders of the same members, to scale. */
export function ComparedDrawing(props: ComparedDrawingProps) {
  const { title, types, composite, memberPath, moved, lineBytes, onlyHoles, onChoose } = props;
  const { unfolded, toggle } = useUnfolded(memberPath, onChoose, () =>
    keysToUnfold(types, composite, 'unnamed'),
  );
  const rows = useMemo(() => memberRows(types, composite, unfolded), [types, composite, unfolded]);
  const sizeBytes = sizeOrTypeOf(types, composite);
  const scale = useMemo(
    () => drawToScale(rows, sizeBytes, lineBytes, onlyHoles),
    [rows, sizeBytes, lineBytes, onlyHoles],
  );
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        {title} <span className={styles.size}>{countOf(sizeBytes, 'byte')}</span>
      </figcaption>
      <div style={{ height: `min(${Math.max(120, drawingHeight(scale))}px, 58vh)` }}>
        <ScaleDrawing
          label={`${title}, to scale`}
          types={types}
          rows={rows}
          scale={scale}
          selectedRow={rowOfPath(rows, memberPath)}
          marked={moved}
          firstShown={rows.findIndex((row) => moved.has(row.path[0] ?? -1) && row.depth === 0)}
          onSelect={(index) => {
            const row = rows[index];
            if (row !== undefined) onChoose(row.path);
          }}
          onToggle={(index) => {
            const row = rows[index];
            if (row !== undefined && row.inner !== null) toggle(row.path);
          }}
        />
      </div>
    </figure>
  );
}
