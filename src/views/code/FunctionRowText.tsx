import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { grouped } from '#ui/grouped.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './FunctionRowText.module.css';
import type { FunctionRow } from './function-rows.ts';

/** A row of the function picker: a section, or a function with its number of instruction slots. */
export function FunctionRowText({
  model,
  row,
}: {
  readonly model: ObjectModel;
  readonly row: FunctionRow;
}) {
  if (row.kind === 'section') {
    return (
      <span className={styles.section}>
        <Name text={row.name} otherwise="(no name)" />
      </span>
    );
  }
  const { name, start, end, isProgram } = row.func;
  const slots = Math.floor((end - start) / insnSlot(model));
  return (
    <>
      <span className={styles.name} data-program={isProgram}>
        <Name text={name} otherwise="(no name)" />
      </span>
      <span className={styles.size} title={countOf(slots, 'instruction')}>
        {grouped(slots)}
      </span>
    </>
  );
}
