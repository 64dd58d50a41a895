import { session } from '#store/session.ts';
import styles from './HomeButton.module.css';
import { Logo } from './Logo.tsx';

/** The product's name; leads to the start page. Open files stay open. */
export function HomeButton() {
  return (
    <button
      type="button"
      className={styles.home}
      aria-label="btfscope: start page"
      onClick={() => session.setState({ activeId: null, wanted: null })}
    >
      <Logo />
      <span className={styles.name}>btfscope</span>
    </button>
  );
}
