import { ArrowLeftRight } from 'lucide-react';
import { visible } from '#bytes/text.ts';
import { swapSides } from '#store/compare.ts';
import { compareState } from '#store/compare-results.ts';
import type { Active } from '#store/hooks.ts';
import type { OpenFile } from '#store/session.ts';
import { setViewParam } from '#store/view-state.ts';
import { IconButton } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import styles from './CompareToolbar.module.css';
import { COMPARE_MODE_TITLES, COMPARE_MODES, type CompareMode } from './compare-mode.ts';
import { OtherPicker } from './OtherPicker.tsx';

/** What is compared, and with what. */
export function CompareToolbar({
  active,
  mode,
  other,
}: {
  readonly active: Active;
  readonly mode: CompareMode;
  readonly other: OpenFile | null;
}) {
  const { id, model, selection } = active;
  return (
    <Toolbar label="Comparison">
      <Segmented
        label="What to compare"
        options={COMPARE_MODES.map((value) => ({ value, label: COMPARE_MODE_TITLES[value] }))}
        value={mode}
        onChange={(next) => {
          compareState.set({ listedAt: selection }, id);
          setViewParam('compare', 'show', next);
        }}
      />
      {mode === 'duplicates' ? null : (
        <div className={styles.files}>
          <span className={styles.before} title={visible(model.name)}>
            <span className={styles.term}>Before</span> <bdi>{visible(model.name)}</bdi>
          </span>
          <IconButton
            label="Swap before and after"
            icon={<ArrowLeftRight size={14} aria-hidden />}
            disabled={other === null || other.id === id}
            onClick={() => (other === null ? undefined : swapSides(other))}
          />
          <OtherPicker id={id} other={other} />
        </div>
      )}
    </Toolbar>
  );
}
