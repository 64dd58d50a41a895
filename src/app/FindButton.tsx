import { Search } from 'lucide-react';
import { Kbd } from '#ui/Kbd.tsx';
import { COMMAND_KEY } from '#ui/keys.ts';
import styles from './FindButton.module.css';

/** Opens the palette; shows the key that does the same. */
export function FindButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.find} aria-label="Find anything" onClick={onClick}>
      <Search size={14} aria-hidden />
      <span className={styles.word}>Find</span>
      <span aria-hidden className={styles.keys}>
        <Kbd>{COMMAND_KEY}</Kbd>
        <Kbd>K</Kbd>
      </span>
    </button>
  );
}
