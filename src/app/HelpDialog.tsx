import { lazy, Suspense, useState } from 'react';
import { showGlossary } from '#store/dialogs.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Kbd, KeyTable } from '#ui/Kbd.tsx';
import { COMMAND_KEY } from '#ui/keys.ts';
import { scrollRegion } from '#ui/scroll-region.ts';
import { GRAMMAR } from '#views/palette/grammar.ts';
import { KEY_SCOPES } from '#views/parts/key-bindings.ts';
import styles from './HelpDialog.module.css';

const LicencesDialog = lazy(async () => ({
  default: (await import('./LicencesDialog.tsx')).LicencesDialog,
}));

type HelpDialogProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** All keys, the queries of the palette, and a note on privacy. */
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
            Glossary
          </Button>
        </>
      }
    >
      <div className={styles.scroller} {...scrollRegion('All keys')}>
        <div className={styles.groups}>
          {KEY_SCOPES.map(({ title, rows }) => (
            <section key={title} className={styles.group}>
              <h3 className={styles.title}>{title}</h3>
              <KeyTable rows={rows} />
            </section>
          ))}
          <section className={styles.group}>
            <h3 className={styles.title}>
              Queries for <Kbd>{COMMAND_KEY}</Kbd> <Kbd>K</Kbd>
            </h3>
            <dl>
              {GRAMMAR.map(({ text, finds }) => (
                <div key={text} className={styles.question}>
                  <dt>
                    <code>{text}</code>
                  </dt>
                  <dd className="soft">{finds}</dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
        <p className="small muted">
          Files are read in this tab and never uploaded. The browser keeps copies of recent files
          until you remove them on the start page. The page requests only its own parts, from the
          server it came from.
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
