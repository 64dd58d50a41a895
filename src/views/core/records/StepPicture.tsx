import type { AccessPath, AccessStep } from '#analysis/core/access-path.ts';
import { stripped } from '#analysis/types/strip.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { enumeratorAt } from '#model/type-items.ts';
import { type TypeTable, vlenOf } from '#model/type-table.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { LayoutStrip } from './LayoutStrip.tsx';
import styles from './StepPicture.module.css';
import { StructMap } from './StructMap.tsx';
import { stripOf } from './strip-parts.ts';
import { structMap } from './struct-map.ts';

type StepPictureProps = {
  readonly types: TypeTable;
  readonly path: AccessPath;
  /** Number of the step. */
  readonly at: number;
};

/** What a step of a path goes through, with the picked part lit; nothing where there is nothing to draw. */
export function StepPicture({ types, path, at }: StepPictureProps) {
  const step = path.steps[at];
  if (step === undefined) return null;
  if (step.means === 'enumerator') return <EnumeratorList types={types} step={step} />;
  if (step.means === 'member' || step.means === 'anonymous-member') {
    const map = structMap(types, stripped(types, step.container), step.index);
    if (map !== null) {
      const base = (path.steps[at - 1]?.bitOffset ?? 0n) / 8n;
      return (
        <StructMap
          types={types}
          map={map}
          title={typeExpression(types, step.container)}
          base={base}
        />
      );
    }
  }
  const strip = stripOf(types, step);
  return strip === null ? null : <LayoutStrip strip={strip} />;
}

const AROUND = 3;

/** The picked enumerator among its neighbours. */
function EnumeratorList({ types, step }: { readonly types: TypeTable; readonly step: AccessStep }) {
  const id = stripped(types, step.container);
  const total = vlenOf(types, id);
  const start = Math.max(0, step.index - AROUND);
  const end = Math.min(total, step.index + AROUND + 1);
  const rows = Array.from({ length: end - start }, (_, i) => enumeratorAt(types, id, start + i));
  return (
    <div className={styles.frame}>
      {start === 0 ? null : <p className={styles.more}>{countOf(start, 'enumerator')} before</p>}
      <ol className={styles.list} aria-label="Enumerators">
        {rows.map((row) =>
          row === null ? null : (
            <li key={row.index} className={styles.row} data-picked={row.index === step.index}>
              <span className={styles.index}>{row.index}</span>
              <Name text={row.name} />
              <span className="at-end">{`${row.value}`}</span>
            </li>
          ),
        )}
      </ol>
      {end === total ? null : (
        <p className={styles.more}>{countOf(total - end, 'enumerator')} after</p>
      )}
    </div>
  );
}
