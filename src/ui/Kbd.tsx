import styles from './Kbd.module.css';

/** One key, as it is printed on the keyboard. */
export function Kbd({ children }: { readonly children: string }) {
  return <kbd className={styles.kbd}>{children}</kbd>;
}
