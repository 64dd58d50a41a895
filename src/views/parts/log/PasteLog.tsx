import { type ClipboardEvent, type ReactNode, useState } from 'react';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import styles from './PasteLog.module.css';

type PasteLogProps = {
  /** Object or kernel that the log is of; null if that is not known. */
  readonly of: FileId | null;
  /** Buttons beside the box's own. */
  readonly children?: ReactNode;
};

/** Draws a box for a log. A pasted log opens at once, a typed one by the button. */
export function PasteLog({ of, children }: PasteLogProps) {
  const [text, setText] = useState('');
  const open = (log: string) => {
    setText('');
    // Loaded on demand: the start page has this box.
    void import('#store/kernels/open-log.ts').then(({ openLog }) => openLog(log, of));
  };
  // The text is not put into the box, because the layout of a large text would take seconds.
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (text !== '' || pasted.trim() === '') return;
    event.preventDefault();
    open(pasted);
  };
  return (
    <div className="grid gap-2">
      <textarea
        className={styles.box}
        aria-label="Log"
        placeholder="Paste the log here"
        value={text}
        rows={2}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        onChange={(event) => setText(event.target.value)}
        onPaste={onPaste}
      />
      <div className="wrapping gap-2">
        <Button disabled={text.trim() === ''} onClick={() => open(text)}>
          Explain log
        </Button>
        {children}
      </div>
    </div>
  );
}
