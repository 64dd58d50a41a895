import styles from './MatrixGrid.module.css';

/** A cell whose target has not answered. */
export function Waiting() {
  return (
    <span className={styles.waiting}>
      <span aria-hidden>…</span>
      <span className="visually-hidden">not resolved</span>
    </span>
  );
}
