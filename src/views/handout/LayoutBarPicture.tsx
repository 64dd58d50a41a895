import { visible } from '#bytes/text.ts';
import type { BarPart } from './bar-picture.ts';
import styles from './LayoutBarPicture.module.css';

/** Narrower parts have no room for their name. */
const NAMED = 0.06;

/** A struct from its first byte to its last, its members as wide as they are. */
export function LayoutBarPicture({ parts }: { readonly parts: readonly BarPart[] }) {
  return (
    <div className={styles.bar} role="img" aria-label="Layout of the struct, to scale">
      {parts.map(({ kind, name, bitOffset, share, isMarked }) => (
        <span
          key={bitOffset}
          className={styles.part}
          data-kind={kind}
          data-marked={isMarked ? '' : undefined}
          style={{ flexGrow: Math.max(share, 0.004) }}
        >
          {share < NAMED ? '' : kind === 'member' ? visible(name) : kind}
        </span>
      ))}
    </div>
  );
}
