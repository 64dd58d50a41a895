import { FolderOpen } from 'lucide-react';
import styles from './BasePicker.module.css';

/** A file input drawn as a small button: the chosen file becomes the base. */
export function BasePicker({ onPick }: { readonly onPick: (file: File) => void }) {
  return (
    <label className={styles.picker}>
      <FolderOpen size={13} aria-hidden />
      Open a base…
      <input
        type="file"
        aria-label="Open a base"
        className={styles.input}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) onPick(file);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </label>
  );
}
