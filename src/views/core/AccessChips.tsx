import { type KeyboardEvent, useRef } from 'react';
import type { AccessPath } from '#analysis/core/access-path.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import { select } from '#store/navigation.ts';
import styles from './AccessChips.module.css';
import { chipCaption } from './chip-caption.ts';
import type { AccessIndex } from './selected-core.ts';

/** The indices of an access string as buttons. One is a tab stop, the arrow keys go to the others. */
export function AccessChips({
  core,
  path,
  indices,
  shown,
}: {
  readonly core: CoreIndex;
  readonly path: AccessPath;
  readonly indices: readonly AccessIndex[];
  /** The index that is looked at. */
  readonly shown: number;
}) {
  const row = useRef<HTMLDivElement>(null);
  const show = (step: number) => select({ kind: 'core', core, step });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepAfterKey(event.key, shown, indices.length);
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // The focus shows the step.
    row.current?.querySelectorAll('button')[to]?.focus();
  };
  return (
    <div
      ref={row}
      role="toolbar"
      aria-label="Access string"
      className={styles.row}
      onKeyDown={onKeyDown}
    >
      {indices.map(({ step, text, state }) => (
        <span key={step} className={styles.item}>
          {step === 0 ? null : (
            <span className={styles.colon} aria-hidden>
              :
            </span>
          )}
          <button
            type="button"
            className={styles.chip}
            data-state={state}
            aria-pressed={step === shown}
            tabIndex={step === shown ? 0 : -1}
            onClick={() => show(step)}
            onFocus={() => show(step)}
            onMouseEnter={() => show(step)}
          >
            <span className={styles.index}>{drawnName(text)}</span>{' '}
            <span className={styles.caption}>{drawnName(chipCaption(path, step, state))}</span>
          </button>
        </span>
      ))}
    </div>
  );
}

function stepAfterKey(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(count - 1, from + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
