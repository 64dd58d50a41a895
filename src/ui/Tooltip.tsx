import { Tooltip as Primitive } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { Kbd } from './Kbd.tsx';
import styles from './Tooltip.module.css';

type TooltipProps = {
  readonly text: string;
  /** Keys that do the same, as printed: `['Ctrl', 'K']`. */
  readonly keys?: readonly string[];
  /** A single element that takes a ref and the trigger's handlers, such as a button. */
  readonly children: ReactElement;
};

/** A hint at an element, on hover and on focus. It repeats or shortens; never the only place of a fact. */
export function Tooltip({ text, keys = [], children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger render={children} />
      <Primitive.Portal>
        <Primitive.Positioner sideOffset={6} className={styles.positioner}>
          <Primitive.Popup className={styles.popup}>
            {text}
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
