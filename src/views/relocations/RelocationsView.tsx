import { relocationWord } from '#analysis/relocation-list.ts';
import { useActive } from '#store/hooks.ts';
import { viewsOf } from '#store/views-of.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CoreLine } from './CoreLine.tsx';
import { noRelocationsText } from './no-relocations.ts';
import { RelocationsPanel } from './RelocationsPanel.tsx';
import styles from './RelocationsView.module.css';

/** The relocations of the file: what is patched, where, and with what. */
export function RelocationsView() {
  const active = useActive();
  if (active === null) return null;
  const { model } = active;
  return (
    <div className={styles.view}>
      {viewsOf(model).includes('core') ? <CoreLine count={model.ext.core.count} /> : null}
      {model.relocations.count === 0 ? (
        <EmptyState title={`No ${relocationWord(model)}s`} text={noRelocationsText(model)} />
      ) : (
        <RelocationsPanel key={active.id} active={active} />
      )}
    </div>
  );
}
