import { FolderOpen } from 'lucide-react';
import type { RefObject } from 'react';
import styles from './OpenButton.module.css';

type OpenButtonProps = {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onFiles: (files: readonly File[]) => void;
};

/** The file input itself, drawn as a button: a label is what the browser, the keyboard and a test all understand. */
export function OpenButton({ input, onFiles }: OpenButtonProps) {
  return (
    <label className={styles.open} title="Open file (o)">
      <FolderOpen size={15} aria-hidden />
      <span className={styles.text}>Open file</span>
      <input
        ref={input}
        type="file"
        multiple
        aria-label="Open file"
        className={styles.input}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </label>
  );
}
