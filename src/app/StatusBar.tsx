import { Lock } from 'lucide-react';
import { useSession } from '#store/session.ts';
import styles from './StatusBar.module.css';

/** What happened last, spoken by screen readers, and the promise that matters most. */
export function StatusBar() {
  const status = useSession((state) => state.status);
  return (
    <footer className={styles.bar}>
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
