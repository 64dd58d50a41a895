import { Download } from 'lucide-react';
import styles from './DropOverlay.module.css';

/** Says, while something is dragged over the page, that it may be let go. */
export function DropOverlay({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null;
  return (
    <div className={styles.overlay} aria-hidden="true">
      <div className={styles.card}>
        <Download size={28} />
        <p className={styles.title}>Drop to open</p>
        <p className={styles.text}>The file stays in this tab.</p>
      </div>
    </div>
  );
}
