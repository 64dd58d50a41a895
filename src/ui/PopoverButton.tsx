import { Popover } from '@base-ui/react/popover';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import styles from './PopoverButton.module.css';

type PopoverButtonProps = {
  readonly text: string;
  /** What the choices in the popover have done, such as `filtered`; empty for nothing. */
  readonly note: string;
  readonly title: string;
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
};

/** Draws a button that opens filters and settings which are rarely changed. */
export function PopoverButton({ text, note, title, icon, children }: PopoverButtonProps) {
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <Button {...(icon === undefined ? {} : { icon })} isMenu>
            {text}
            {note === '' ? null : <span className="muted regular">{note}</span>}
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className={styles.positioner}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
