import { coreRecord } from '#analysis/core/core-records.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { Chip } from '#ui/Chip.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { follow } from './LineText.tsx';
import styles from './OtherRecords.module.css';

const MOST = 24;

/** Records that a line may speak of, where it does not say which. */
export function OtherRecords({
  model,
  records,
}: {
  readonly model: ObjectModel;
  readonly records: readonly CoreIndex[];
}) {
  return (
    <DetailSection
      title="One of these relocations"
      aside={
        records.length > MOST ? `the first ${MOST} of ${countOf(records.length, 'record')}` : ''
      }
    >
      <ul className={styles.list}>
        {records.slice(0, MOST).map((core) => {
          const { func, sectionName, relocIndexInSection } = coreRecord(model, core);
          return (
            <li key={core}>
              <Chip
                isMono
                onClick={() =>
                  follow({
                    selection: { kind: 'core', core, step: null },
                    view: 'core',
                    title: '',
                    file: null,
                  })
                }
              >
                {drawnName(func?.name ?? sectionName)} relo #{relocIndexInSection}
              </Chip>
            </li>
          );
        })}
      </ul>
    </DetailSection>
  );
}
