import { walkAccess } from '#analysis/core/access-path.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { KeyValue } from '#ui/KeyValue.tsx';
import { DetailCard } from './DetailCard.tsx';

/** The CO-RE record that changes the instruction. */
export function CoreOnByte({
  model,
  core,
}: {
  readonly model: ObjectModel;
  readonly core: CoreIndex;
}) {
  const { kind, kindName, root, accessStr } = coreRecord(model, core);
  const path = model.types === null ? null : walkAccess(model.types, root, accessStr, kind);
  return (
    <DetailCard
      what="CO-RE relocation"
      title={drawnName(path?.expression ?? accessStr)}
      tone="reloc-3"
      actions={
        <Button size="small" onClick={() => select({ kind: 'core', core, step: null }, 'core')}>
          Go to CO-RE
        </Button>
      }
    >
      <KeyValue
        items={[
          { term: 'Kind', value: kindName, isMono: true },
          { term: 'Access', value: drawnName(path?.spec ?? accessStr), isMono: true },
          { term: 'Tells', value: coreKind(kind)?.about ?? 'A kind that is not known' },
        ]}
      />
    </DetailCard>
  );
}
