import { Suspense, useState } from 'react';
import { closeHelp, type HelpPart, showHelp, useHelp } from '#store/session/dialogs.ts';
import { announce } from '#store/session/session.ts';
import { allViews } from '#store/session/views.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { COMMAND_KEY, Kbd, type KeyBinding, KeyTable } from '#ui/keys.tsx';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { GRAMMAR } from '#views/palette/grammar.ts';
import styles from './HelpDialog.module.css';
import { PAGE_KEYS, SELECTION_KEYS } from './keys.ts';

const LicencesDialog = lazyComponent(
  async () => (await import('./LicencesDialog.tsx')).LicencesDialog,
);
const Glossary = lazyComponent(async () => (await import('#views/glossary/Glossary.tsx')).Glossary);

const PARTS: Readonly<Record<HelpPart, string>> = {
  keys: 'Keys',
  queries: 'Queries',
  glossary: 'Glossary',
};

const ABOUT: Readonly<Record<HelpPart, string>> = {
  keys: 'What each key does, by the view that has it.',
  queries: 'What can be typed into Find.',
  glossary: 'Terms of BTF, BPF and ELF, each with its definition.',
};

/** Draws the help: keys, example queries, glossary, note on privacy. */
export function HelpDialog() {
  const { isOpen, part } = useHelp();
  // Whether the licences are open. Null before the first time, when their texts are not loaded.
  const [showsLicences, setShowsLicences] = useState<boolean | null>(null);
  return (
    <>
      <Dialog
        isOpen={isOpen}
        onClose={closeHelp}
        title={PARTS[part]}
        description={ABOUT[part]}
        size="wide"
        actions={
          <Button
            size="small"
            variant="quiet"
            onClick={() => {
              closeHelp();
              setShowsLicences(true);
            }}
          >
            Licences
          </Button>
        }
      >
        <div className={styles.parts}>
          <Segmented label="Help" options={PARTS} value={part} onChange={showHelp} />
        </div>
        {part === 'glossary' ? (
          <LazyPart onError={() => announce("Couldn't load the glossary")}>
            <Glossary />
          </LazyPart>
        ) : part === 'keys' ? (
          <Keys />
        ) : (
          <Queries />
        )}
      </Dialog>
      {showsLicences === null ? null : (
        <Suspense fallback={null}>
          <LicencesDialog isOpen={showsLicences} onClose={() => setShowsLicences(false)} />
        </Suspense>
      )}
    </>
  );
}

type KeyScope = {
  readonly title: string;
  readonly rows: readonly Pick<KeyBinding, 'keys' | 'does'>[];
};

/** Keys of lists, tables and tabs, as the ARIA Authoring Practices define them. */
const LIST_KEYS: KeyScope['rows'] = [
  { keys: ['↑', '↓'], does: 'Move; also PageUp, PageDown, Home, End' },
  { keys: ['←', '→'], does: 'Between tabs; along bytes and access strings' },
  { keys: ['Shift', '←', '→'], does: 'Resize the column of a table' },
  { keys: ['Enter'], does: 'Open what is selected' },
  { keys: ['Esc'], does: 'Clear a filter, close a dialog' },
];

function keyScopes(): readonly KeyScope[] {
  return [
    { title: 'Everywhere', rows: PAGE_KEYS },
    { title: 'Lists, tables and tabs', rows: LIST_KEYS },
    { title: 'Selection', rows: SELECTION_KEYS },
    ...allViews().flatMap(({ title, keys }) => (keys === undefined ? [] : [{ title, rows: keys }])),
  ];
}

function Keys() {
  return (
    <>
      <div className={styles.scroller} {...scrollRegion('All keys')}>
        <div className={styles.groups}>
          {keyScopes().map(({ title, rows }) => (
            <section key={title} className={styles.group}>
              <h3 className={styles.title}>{title}</h3>
              <KeyTable rows={rows} />
            </section>
          ))}
        </div>
      </div>
      <p className="small muted">
        Files are read in this tab and never uploaded. The browser keeps copies of recent files
        until you remove them on the start page. The page requests only its own parts, from the
        server it came from.
      </p>
    </>
  );
}

function Queries() {
  return (
    <div className={styles.scroller} {...scrollRegion('All queries')}>
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
    </div>
  );
}
