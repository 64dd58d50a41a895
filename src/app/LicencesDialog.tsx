import licences from 'virtual:licences';
import { scrollRegion } from '#ui/aria.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import styles from './LicencesDialog.module.css';

/** Maximum number of package names in the title of one licence. */
const MAX_NAMED = 3;

function titleOf(packages: readonly string[]): string {
  const more = packages.length - MAX_NAMED;
  const named = packages.slice(0, MAX_NAMED).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

type LicencesDialogProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** Draws the packages that the page contains, with their licences. */
export function LicencesDialog({ isOpen, onClose }: LicencesDialogProps) {
  const count = licences.reduce((sum, { packages }) => sum + packages.length, 0);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Licences" size="wide">
      <div className={styles.scroller} {...scrollRegion('Licences')}>
        <p className={styles.own}>
          btfscope is under the MIT licence. It is made with {count} packages of others:
        </p>
        {licences.map(({ licence, text, packages }) => (
          <Disclosure
            key={text}
            title={titleOf(packages)}
            aside={<span className={styles.licence}>{licence}</span>}
          >
            {packages.length > MAX_NAMED ? (
              <p className={styles.all}>{packages.join(', ')}</p>
            ) : null}
            <pre className={styles.text}>{text}</pre>
          </Disclosure>
        ))}
      </div>
    </Dialog>
  );
}
