import { useEffect, useRef, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { openFiles } from '#store/files.ts';
import { activeFile, useSession } from '#store/session.ts';
import styles from './App.module.css';
import { DropOverlay } from './DropOverlay.tsx';
import { FileStrip } from './FileStrip.tsx';
import { HelpButton } from './HelpButton.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { HomeButton } from './HomeButton.tsx';
import { OpenButton } from './OpenButton.tsx';
import { Stage } from './Stage.tsx';
import { StatusBar } from './StatusBar.tsx';
import { ThemeButton } from './ThemeButton.tsx';
import { UpdateNote } from './UpdateNote.tsx';
import { useDrop } from './use-drop.ts';
import { useKeys } from './use-keys.ts';

/** The whole page: a bar with the open files, the view of one of them, and the status. */
export function App() {
  const input = useRef<HTMLInputElement>(null);
  const [helpOpen, setHelpOpen] = useState(false);
  const pick = () => input.current?.click();
  const isDragging = useDrop((files) => void openFiles(files));
  useKeys({ onOpen: pick, onHelp: () => setHelpOpen(true) });
  useTitle();

  return (
    <div className={styles.app}>
      <header className={styles.bar}>
        <HomeButton />
        <FileStrip />
        <div className={styles.actions}>
          <OpenButton input={input} onFiles={(files) => void openFiles(files)} />
          <ThemeButton />
          <HelpButton onClick={() => setHelpOpen(true)} />
        </div>
      </header>
      <UpdateNote />
      <main className={styles.main}>
        <Stage onOpen={pick} />
      </main>
      <StatusBar />
      <DropOverlay isShown={isDragging} />
      <HelpDialog isOpen={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

function useTitle(): void {
  const name = useSession((state) => activeFile(state)?.name ?? null);
  useEffect(() => {
    document.title = name === null ? 'btfscope' : `${visible(name)} · btfscope`;
  }, [name]);
}
