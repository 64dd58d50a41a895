import type { AccessStep } from '#analysis/core/access-path.ts';
import { enumeratorAt } from '#analysis/types/enumerator-at.ts';
import { stripped } from '#analysis/types/strip.ts';
import { type TypeTable, vlenOf } from '#model/type-table.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './EnumeratorList.module.css';

const AROUND = 3;

/** The picked enumerator among its neighbours. */
export function EnumeratorList({
  types,
  step,
}: {
  readonly types: TypeTable;
  readonly step: AccessStep;
}) {
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
              <span className={styles.value}>{`${row.value}`}</span>
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
