import { Dialog } from '#ui/Dialog.tsx';
import { Kbd } from '#ui/Kbd.tsx';
import styles from './KeyList.module.css';
import { PRESENTER_KEYS } from './presenter-keys.ts';

/** The keys of whoever presents. */
export function KeyList({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys while presenting">
      <dl className={styles.rows}>
        {PRESENTER_KEYS.map(({ action, keys, does }) => (
          <div key={action} className={styles.row}>
            <dt className={styles.keys}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
