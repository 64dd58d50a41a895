import type { Rewrite } from '#analysis/check/loaded-copy.ts';
import { drawnName } from '#bytes/text.ts';
import styles from './RewriteRow.module.css';

/** One line of the list: what libbpf does, and to which type. */
export function RewriteRow({ rewrite }: { readonly rewrite: Rewrite }) {
  const { sentence, before, after, typeId } = rewrite;
  return (
    <span className={styles.row}>
      <span className={styles.sentence}>{drawnName(sentence)}</span>
      <span className={styles.second}>
        <span className={styles.id}>{typeId === null ? 'header' : `[${typeId}]`}</span>
        <span className={styles.change}>
          {drawnName(before)} → {drawnName(after)}
        </span>
      </span>
    </span>
  );
}
