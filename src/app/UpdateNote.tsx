import { RefreshCw } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { takeNewVersion, useOffline } from './offline.ts';
import styles from './UpdateNote.module.css';

/** Tells of a new version of the page, which comes when the person asks for it. */
export function UpdateNote() {
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
