import { Lock, RefreshCw } from 'lucide-react';
import { lazy, useCallback, useEffect, useRef, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import { useGlossary } from '#store/dialogs.ts';
import { startRecentPlaces } from '#store/history.ts';
import { showView } from '#store/navigation.ts';
import { pageExtension } from '#store/page-extension.ts';
import { activeFile, announce, session, useSession, viewsOf } from '#store/session.ts';
import { whenIdle } from '#store/when-idle.ts';
import { Button } from '#ui/Button.tsx';
import { useKeys } from '#ui/keys.ts';
import { LazyPart } from '#ui/LazyPart.tsx';
import { DIGITS, PAGE_KEYS } from '#views/parts/key-bindings.ts';
import { AskDialog } from '#views/share/AskDialog.tsx';
import { CopyLinkButton } from '#views/share/CopyLinkButton.tsx';
import { LinkBar } from '#views/share/LinkBar.tsx';
import { prepareWorker } from '#worker/spare-worker.ts';
import styles from './App.module.css';
import { DropOverlay, useDrop } from './DropOverlay.tsx';
import { FileStrip } from './FileStrip.tsx';
import {
  FindButton,
  HelpButton,
  HistoryButtons,
  HomeButton,
  OpenButton,
  ThemeButton,
} from './HeaderButtons.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { takeNewVersion, useOffline } from './offline.ts';
import { Stage } from './Stage.tsx';
import { useCommands } from './use-commands.tsx';

const loadPalette = () => import('#views/palette/Palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const GlossaryDialog = lazy(async () => ({
  default: (await import('#views/glossary/GlossaryDialog.tsx')).GlossaryDialog,
}));

/** Binds the keys that work in every view. */
function usePageKeys(on: {
  readonly onFind: () => void;
  readonly onOpen: () => void;
  readonly onHelp: () => void;
}): void {
  useKeys(PAGE_KEYS, (action, { key }) => {
    if (action === 'view') return goToTab(DIGITS.indexOf(key));
    if (action === 'filter') return focusFilter();
    if (action === 'find') on.onFind();
    else if (action === 'open') on.onOpen();
    else if (action === 'help') on.onHelp();
    else if (action === 'back' && !pageExtension().step(-1)) history.back();
    else if (action === 'forward' && !pageExtension().step(1)) history.forward();
    return true;
  });
}

function goToTab(index: number): boolean {
  const file = activeFile(session.getState());
  if (file?.status.step !== 'ready') return false;
  const view = viewsOf(file.status.model)[index];
  if (view !== undefined) showView(view);
  return view !== undefined;
}

function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('main input[type="search"]');
  filter?.focus();
  filter?.select();
  return filter !== null;
}

/** The whole page: a bar with the open files, the view of one of them, and the status. */
export function App() {
  const { Stage: Around, Overlay, openFiles } = pageExtension();
  const input = useRef<HTMLInputElement>(null);
  const [helpOpen, setHelpOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const isGlossaryOpen = useGlossary(({ isOpen }) => isOpen);
  const pick = useCallback(() => input.current?.click(), []);
  const help = useCallback(() => setHelpOpen(true), []);
  const find = () => setFinding(true);
  const commands = useCommands({ onOpen: pick, onHelp: help });
  const isDragging = useDrop((files) => void openFiles(files));
  usePageKeys({ onFind: find, onOpen: pick, onHelp: help });
  useTitle();
  useEffect(() => startRecentPlaces(), []);
  useEffect(() => whenIdle(prepareWorker), []);
  // What cannot be fetched now is asked for again when it is opened.
  useEffect(() => whenIdle(() => void loadPalette().catch(() => undefined)), []);

  return (
    <div className={styles.app}>
      <header className={styles.bar}>
        <HomeButton />
        <HistoryButtons />
        <FileStrip />
        <div className="row gap-1 rigid at-end">
          <FindButton onClick={find} />
          <OpenButton input={input} onFiles={(files) => void openFiles(files)} />
          <CopyLinkButton />
          <ThemeButton />
          <HelpButton onClick={help} />
        </div>
      </header>
      <UpdateNote />
      <LinkBar />
      <main className={styles.main}>
        <Around>
          <Stage onOpen={pick} />
        </Around>
      </main>
      <Overlay />
      <StatusBar />
      <DropOverlay isShown={isDragging} />
      <AskDialog />
      <HelpDialog isOpen={helpOpen} onClose={() => setHelpOpen(false)} />
      <LazyPart isOpen={isGlossaryOpen} onError={() => announce("Couldn't load the glossary")}>
        <GlossaryDialog />
      </LazyPart>
      <LazyPart isOpen={isFinding} onError={() => announce("Couldn't load the palette")}>
        <Palette isOpen={isFinding} onClose={() => setFinding(false)} commands={commands} />
      </LazyPart>
    </div>
  );
}

function useTitle(): void {
  const name = useSession((state) => activeFile(state)?.name ?? null);
  useEffect(() => {
    document.title = name === null ? 'btfscope' : `${drawnName(name)} · btfscope`;
  }, [name]);
}

/** What happened last, spoken by screen readers, and the promise that matters most. */
function StatusBar() {
  const status = useSession((state) => state.status);
  return (
    <footer className={styles.statusBarBar}>
      <p role="status" className={styles.status}>
        {status}
      </p>
      <p className={styles.promise}>
        <Lock size={12} aria-hidden />
        Nothing is uploaded
      </p>
    </footer>
  );
}

/** Tells of a new version of the page, which comes when the person asks for it. */
function UpdateNote() {
  const waiting = useOffline((state) => state.waiting);
  if (waiting === null) return null;
  return (
    <div role="alert" className={styles.note}>
      <RefreshCw size={14} aria-hidden />
      <span>A new version of btfscope is available. Open files must be opened again.</span>
      <Button onClick={takeNewVersion}>Reload</Button>
    </div>
  );
}
