import { Download, LoaderCircle, Lock, RefreshCw, X } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import { switchFile, watchPlaces } from '#store/address/navigation.ts';
import { useLastClosed } from '#store/address/open-files.ts';
import { pageExtension } from '#store/address/page-extension.ts';
import { whenIdle } from '#store/page/when-idle.ts';
import { closeHelp, showHelp, useHelp } from '#store/session/dialogs.ts';
import { closeFile } from '#store/session/files.ts';
import { otherPane } from '#store/session/panes.ts';
import {
  activeFile,
  activeId,
  announce,
  type OpenFile,
  useSession,
} from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { onResize } from '#ui/element-size.tsx';
import { TypeAhead, type TypedAhead } from '#ui/keys.tsx';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { CopyLinkButton, LinkBar } from '#views/share/LinkBar.tsx';
import { prepareWorker } from '#worker/spare-worker.ts';
import styles from './App.module.css';
import {
  FindButton,
  HelpButton,
  HistoryButtons,
  HomeButton,
  OpenButton,
} from './HeaderButtons.tsx';
import { takeNewVersion, useOffline } from './offline.ts';
import { forgetFilter, useFocusOnView, usePageKeys } from './page-keys.ts';
import { usePaste } from './paste.ts';
import { Stage } from './Stage.tsx';
import { useCommands } from './use-commands.tsx';

/** Keys that the user types before the palette has loaded. */
const typeAhead = new TypeAhead('[role="dialog"]');

const loadPalette = () => import('#views/palette/Palette.tsx');
const Palette = lazyComponent(async () => (await loadPalette()).Palette);
const HelpDialog = lazyComponent(async () => (await import('./HelpDialog.tsx')).HelpDialog);
const SettingsMenu = lazyComponent(async () => (await import('./HeaderMenus.tsx')).SettingsMenu);
const TogetherOffer = lazyComponent(
  async () => (await import('./TogetherOffer.tsx')).TogetherOffer,
);
const FileMenu = lazyComponent(async () => (await import('./HeaderMenus.tsx')).FileMenu);

/** Draws the whole page: header with the open files, views of the active file, status bar. */
export function App() {
  const { Stage: Around, Overlay, HeaderAction, openFiles } = pageExtension();
  const input = useRef<HTMLInputElement>(null);
  const [isFinding, setFinding] = useState(false);
  const isHelpOpen = useHelp(({ isOpen }) => isOpen);
  const pick = useCallback(() => input.current?.click(), []);
  const help = useCallback(() => showHelp('keys'), []);
  const find = (typed?: TypedAhead) => {
    forgetFilter();
    if (!isFinding) typeAhead.start(typed);
    setFinding(true);
  };
  const stopFinding = () => {
    typeAhead.take();
    setFinding(false);
  };
  const commands = useCommands({ onOpen: pick, onHelp: help });
  // Names of files that were opened together; null if there is no offer to compare or load them.
  const [together, setTogether] = useState<readonly string[] | null>(null);
  const open = (files: readonly File[]) => {
    setTogether(files.length > 1 ? files.map(({ name }) => name) : null);
    void openFiles(files);
  };
  const isDragging = useDrop(open);
  usePaste(open);
  usePageKeys({ onFind: find, onOpen: pick, onHelp: help });
  useFocusOnView();
  useTitle();
  useEffect(() => watchPlaces(), []);
  useEffect(() => whenIdle(prepareWorker), []);
  // A failure needs no message here: opening the palette fetches the code again.
  useEffect(() => whenIdle(() => void loadPalette().catch(() => undefined)), []);

  return (
    <div className={styles.app}>
      <header className={styles.bar}>
        <HomeButton />
        <HistoryButtons />
        <FileStrip />
        <div className="row gap-1 rigid at-end">
          <FindButton onClick={() => find()} />
          <OpenButton input={input} onFiles={open} />
          <CopyLinkButton />
          <HeaderAction />
          <span className={styles.settings}>
            <LazyPart onError={() => announce("Couldn't load the settings")}>
              <SettingsMenu />
            </LazyPart>
          </span>
          <HelpButton onClick={help} />
        </div>
      </header>
      <UpdateNote />
      <LinkBar />
      {together === null ? null : (
        <LazyPart onError={() => setTogether(null)}>
          <TogetherOffer names={together} onClose={() => setTogether(null)} />
        </LazyPart>
      )}
      <main className={styles.main} tabIndex={-1}>
        <Around>
          <Stage onOpen={pick} />
        </Around>
      </main>
      <Overlay />
      <StatusBar />
      <DropOverlay isShown={isDragging} />
      <LazyPart
        isOpen={isHelpOpen}
        onError={() => announce("Couldn't load the help")}
        onDismiss={closeHelp}
      >
        <HelpDialog />
      </LazyPart>
      <LazyPart
        isOpen={isFinding}
        onError={() => {
          stopFinding();
          announce("Couldn't load the palette");
        }}
      >
        <Palette
          isOpen={isFinding}
          onClose={stopFinding}
          commands={commands}
          typeAhead={typeAhead}
        />
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

/** Draws the last announcement, which screen readers speak, and *Nothing is uploaded*. */
function StatusBar() {
  const status = useSession((state) => state.status);
  return (
    <footer className={styles.statusBar}>
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

/** Draws the offer to load a new version of the page. */
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

/** Draws *Drop to open* while the user drags something over the page. */
function DropOverlay({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null;
  return (
    <div className={styles.overlay} aria-hidden="true">
      <div className={styles.card}>
        <Download size={28} />
        <p className={styles.title}>Drop to open</p>
        <p className={styles.text}>The file is not uploaded.</p>
      </div>
    </div>
  );
}

type DragListener = (event: DragEvent) => void;

/** Calls `onFiles` with files dropped anywhere on the page. Returns true during a drag. */
function useDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const take = useEffectEvent(onFiles);

  useEffect(() => {
    // Number of elements that the pointer has entered and not left.
    let depth = 0;
    const show = (next: number) => {
      depth = Math.max(0, next);
      setDragging(depth > 0);
    };
    const stop = new AbortController();
    const listen = (type: 'dragenter' | 'dragleave' | 'dragover' | 'drop', act: DragListener) =>
      document.addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes('Files') === true) act(event);
        },
        { signal: stop.signal },
      );
    listen('dragenter', () => show(depth + 1));
    listen('dragleave', () => show(depth - 1));
    listen('dragover', (event) => event.preventDefault());
    listen('drop', (event) => {
      show(0);
      event.preventDefault();
      take(droppedFiles(event.dataTransfer));
    });
    return () => stop.abort();
  }, []);

  return isDragging;
}

/** Returns the dropped files. A dropped folder is opened as an atlas instead. */
function droppedFiles(transfer: DataTransfer | null): File[] {
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
  const folders = entries.filter((entry) => entry?.isDirectory === true);
  for (const folder of folders) {
    if (folder !== null) void import('./dropped-folder.ts').then((it) => it.openDropped(folder));
  }
  const names = folders.map((folder) => folder?.name);
  return [...(transfer?.files ?? [])].filter(({ name }) => !names.includes(name));
}

function FileStrip() {
  const files = useSession((state) => state.files);
  const active = useSession(activeId);
  const besideId = useSession((state) => otherPane(state)?.file.id ?? null);
  const lastClosed = useLastClosed();
  if (files.length === 0) return null;
  return (
    <nav className={styles.files} aria-label="Files">
      <ul
        className={styles.strip}
        // Turning the wheel up or down scrolls the row of files sideways.
        onWheel={({ currentTarget, deltaX, deltaY }) => {
          if (deltaX === 0) currentTarget.scrollLeft += deltaY;
        }}
      >
        {files.map((file) => (
          <FileTab
            key={file.id}
            file={file}
            isActive={file.id === active}
            isBeside={file.id === besideId}
          />
        ))}
      </ul>
      {files.length > 1 || lastClosed !== null ? (
        <LazyPart onError={() => undefined}>
          <FileMenu files={files} activeId={active} lastClosed={lastClosed} />
        </LazyPart>
      ) : null}
    </nav>
  );
}

type FileTabProps = {
  readonly file: OpenFile;
  readonly isActive: boolean;
  /** Whether the file is shown in the pane that is not the current one. */
  readonly isBeside: boolean;
};

function FileTab({ file, isActive, isBeside }: FileTabProps) {
  const name = drawnName(file.name);
  const item = useRef<HTMLLIElement>(null);
  // A narrow screen shows one file name: scroll to the active file, and again when it is open.
  const shownAt = isActive ? file.status.step : null;
  useEffect(() => {
    const strip = item.current?.parentElement;
    if (shownAt === null || strip == null) return;
    return onResize(strip, () =>
      item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
  }, [shownAt]);
  return (
    <li
      ref={item}
      className={styles.item}
      data-active={isActive}
      data-beside={isBeside}
      data-failed={file.status.step === 'failed'}
    >
      <button
        type="button"
        className={styles.name}
        aria-current={isActive ? 'page' : undefined}
        title={name}
        onClick={() => switchFile(file.id)}
      >
        {file.status.step === 'opening' ? (
          <LoaderCircle size={12} aria-hidden className={styles.spinner} />
        ) : null}
        <bdi>{name}</bdi>
      </button>
      <button
        type="button"
        className={styles.close}
        aria-label={`Close ${name}`}
        onClick={() => closeFile(file.id)}
      >
        <X size={13} aria-hidden />
      </button>
    </li>
  );
}
