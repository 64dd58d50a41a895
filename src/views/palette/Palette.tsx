import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import styles from './Palette.module.css';
import { PaletteBody } from './PaletteBody.tsx';
import type { PaletteAction } from './palette-items.ts';

type PaletteProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What the page can do beside going to things in the file. */
  readonly commands: readonly PaletteAction[];
};

/** Finds anything by a few letters and goes there: things in the file, files, views, commands. */
export function Palette({ isOpen, onClose, commands }: PaletteProps) {
  // Opened again before it has faded, it begins anew all the same.
  const [opened, setOpened] = useState({ isOpen, times: 0 });
  if (opened.isOpen !== isOpen) setOpened({ isOpen, times: opened.times + (isOpen ? 1 : 0) });
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Find">
          <PaletteBody key={opened.times} commands={commands} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
