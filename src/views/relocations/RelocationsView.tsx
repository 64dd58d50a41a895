import { useActive } from '#store/hooks.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CoreLine } from './CoreLine.tsx';
import { noRelocationsText } from './no-relocations.ts';
import { RelocationsPanel } from './RelocationsPanel.tsx';
import styles from './RelocationsView.module.css';

/** The ELF relocations of the file: what is patched, where, and with what. */
export function RelocationsView() {
  const active = useActive();
  if (active === null) return null;
  const { model } = active;
  return (
    <div className={styles.view}>
      <CoreLine count={model.ext.core.count} />
      {model.relocations.count === 0 ? (
        <EmptyState title="No ELF relocations" text={noRelocationsText(model)} />
      ) : (
        <RelocationsPanel key={active.id} active={active} />
      )}
    </div>
  );
}
