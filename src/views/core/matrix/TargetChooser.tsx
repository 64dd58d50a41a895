import { Popover } from '@base-ui/react/popover';
import { ChevronDown } from 'lucide-react';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './TargetChooser.module.css';
import { setAllTargets, setTarget } from './target-actions.ts';
import type { TargetChoice } from './use-matrix.ts';

/** Which of the other open files are columns: a box for each. */
export function TargetChooser({
  object,
  choices,
}: {
  readonly object: FileId;
  readonly choices: readonly TargetChoice[];
}) {
  const chosen = choices.filter(({ isChosen }) => isChosen).length;
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <Button>
            Targets
            <span className={styles.count}>
              {chosen} of {choices.length}
            </span>
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className={styles.positioner}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>Targets of the matrix</Popover.Title>
            <div className={styles.list}>
              {choices.map(({ id, name, typeCount, isChosen }) => (
                <label key={id} className={styles.choice}>
                  <input
                    type="checkbox"
                    className={styles.box}
                    checked={isChosen}
                    onChange={(event) => setTarget(object, choices, id, event.target.checked)}
                  />
                  <span className={styles.name}>
                    <Name text={name} />
                  </span>
                  <span className={styles.types}>{countOf(typeCount, 'type')}</span>
                </label>
              ))}
            </div>
            <div className={styles.actions}>
              <Button size="small" onClick={() => setAllTargets(object, choices, true)}>
                All
              </Button>
              <Button size="small" onClick={() => setAllTargets(object, choices, false)}>
                None
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
