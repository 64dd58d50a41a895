import { lazy, Suspense, useState } from 'react';
import { showGlossary } from '#store/glossary.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Kbd } from '#ui/Kbd.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { GRAMMAR } from '#views/palette/grammar.ts';
import styles from './HelpDialog.module.css';
import { BINDINGS, COMMAND_KEY, type KeyGroup, VIEW_KEYS } from './keys.ts';

const LicencesDialog = lazy(async () => ({
  default: (await import('./LicencesDialog.tsx')).LicencesDialog,
}));

type HelpDialogProps = { readonly isOpen: boolean; readonly onClose: () => void };

const GROUPS: readonly KeyGroup[] = [
  { title: 'Everywhere', folder: null, rows: BINDINGS },
  ...VIEW_KEYS,
];

/** All keys, what the palette understands, and in two lines what this page does with a file. */
export function HelpDialog({ isOpen, onClose }: HelpDialogProps) {
  // Null until it is opened for the first time: its texts are fetched then.
  const [showsLicences, setShowsLicences] = useState<boolean | null>(null);
  const keys = (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Keys"
      size="wide"
      actions={
        <>
          <Button
            size="small"
            variant="quiet"
            onClick={() => {
              onClose();
              setShowsLicences(true);
            }}
          >
            Licences
          </Button>
          <Button
            size="small"
            onClick={() => {
              onClose();
              showGlossary();
            }}
          >
            Glossary: the words of the field
          </Button>
        </>
      }
    >
      <div className={styles.scroller} {...scrollRegion('All keys')}>
        <div className={styles.groups}>
          {GROUPS.map((group) => (
            <section key={group.title} className={styles.group}>
              <h3 className={styles.title}>{group.title}</h3>
              <dl className={styles.rows}>
                {group.rows.map(({ keys, does }) => (
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
            </section>
          ))}
          <section className={styles.group}>
            <h3 className={styles.title}>
              What <Kbd>{COMMAND_KEY}</Kbd> <Kbd>K</Kbd> understands
            </h3>
            <dl className={styles.rows}>
              {GRAMMAR.map(({ text, finds }) => (
                <div key={text} className={styles.question}>
                  <dt>
                    <code>{text}</code>
                  </dt>
                  <dd className={styles.does}>{finds}</dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
        <p className={styles.privacy}>
          Files are read in this tab and go nowhere else. The page may ask only the server that it
          came from, and only for its own parts.
        </p>
      </div>
    </Dialog>
  );
  return (
    <>
      {keys}
      {showsLicences === null ? null : (
        <Suspense fallback={null}>
          <LicencesDialog isOpen={showsLicences} onClose={() => setShowsLicences(false)} />
        </Suspense>
      )}
    </>
  );
}
