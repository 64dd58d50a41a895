import { Tooltip } from '@base-ui/react/tooltip';
import styles from './HintPopup.module.css';
import type { Hint } from './hints.tsx';
import { Kbd } from './keys.tsx';

/** Draws the hint of an element. Screen readers ignore it and read the element. */
export function HintPopup({ hint }: { readonly hint: Hint | null }) {
  return (
    <Tooltip.Root open={hint !== null}>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={hint?.on} sideOffset={6} className={styles.positioner}>
          <Tooltip.Popup className={styles.popup} aria-hidden>
            {hint?.text}
            {hint?.keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
