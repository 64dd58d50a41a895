import { walkAccess } from '#analysis/core/access-path.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import styles from './layers.module.css';

/** A CO-RE record of the instruction: which field or type of the running kernel it asks about. */
export function CoreLayer({
  model,
  core,
}: {
  readonly model: ObjectModel;
  readonly core: CoreIndex;
}) {
  const { types } = model;
  const record = coreRecord(model, core);
  const path = types && walkAccess(types, record.root, record.accessStr, record.kind);
  return (
    <DetailSection
      title="CO-RE relocation"
      tone="reloc-3"
      actions={
        <Button size="small" onClick={() => select({ kind: 'core', core, step: null }, 'core')}>
          Show CO-RE record
        </Button>
      }
    >
      {types === null ? null : (
        <p className={styles.core}>{drawnName(coreRelocationText(types, record))}</p>
      )}
      {path === null ? null : <p className={styles.numbers}>{drawnName(path.expression)}</p>}
      <p className={styles.words}>
        {coreKind(record.kind)?.about ?? 'Nobody knows this kind of relocation.'}
      </p>
      {path?.error ? <p className={styles.words}>{drawnName(path.error.message)}</p> : null}
    </DetailSection>
  );
}
