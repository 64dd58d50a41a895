import type { ObjectModel } from '#model/object-model.ts';
import type { ChosenTarget } from '#store/core-target.ts';
import { CORE_MODE_TITLES, type CoreMode, setCoreMode } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import styles from './CoreToolbar.module.css';
import { FreshSwitch } from './FreshSwitch.tsx';
import { TargetPicker } from './TargetPicker.tsx';
import { useTargetFile } from './use-target-file.ts';

type CoreToolbarProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly modes: readonly CoreMode[];
  readonly mode: CoreMode;
  readonly chosen: ChosenTarget | null;
};

/** The parts of the tab, and what the object is relocated against. */
export function CoreToolbar({ id, model, modes, mode, chosen }: CoreToolbarProps) {
  const { open, problem, forget } = useTargetFile(id);
  const hasRecords = model.ext.core.count > 0;
  const isResolved = mode === 'matrix' || (mode === 'records' && chosen !== null);
  return (
    <div>
      <Toolbar label="CO-RE">
        <div className={styles.modes}>
          <Segmented
            label="Part of the CO-RE view"
            options={modes.map((value) => ({ value, label: CORE_MODE_TITLES[value] }))}
            value={mode}
            onChange={setCoreMode}
          />
        </div>
        {mode === 'matrix' ? null : (
          <TargetPicker object={id} chosen={chosen} onOpen={(file) => void open(file)} />
        )}
        {hasRecords && isResolved ? <FreshSwitch /> : null}
        {hasRecords ? null : (
          <p className={styles.note}>This file has no CO-RE relocations of its own.</p>
        )}
      </Toolbar>
      {problem === null ? null : (
        <div className={styles.problem}>
          <Callout
            severity="warning"
            title="That is no target"
            isAlert
            actions={
              <Button size="small" onClick={forget}>
                Dismiss
              </Button>
            }
          >
            {problem}
          </Callout>
        </div>
      )}
    </div>
  );
}
