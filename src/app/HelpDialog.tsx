import { Dialog } from '#ui/Dialog.tsx';
import { Kbd } from '#ui/Kbd.tsx';
import styles from './HelpDialog.module.css';
import { KEYS } from './use-keys.ts';

type HelpDialogProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** All keys, and in three lines what this page does with a file. */
export function HelpDialog({ isOpen, onClose }: HelpDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys">
      <dl className={styles.keys}>
        {KEYS.map(([keys, does]) => (
          <div key={does} className={styles.row}>
            <dt className={styles.strokes}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd className={styles.does}>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.privacy}>
        Files are read in this tab and go nowhere else. The page may ask only the server that it
        came from, and only for its own parts.
      </p>
    </Dialog>
  );
}
