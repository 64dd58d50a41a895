import type { StructureField } from '#analysis/structure/field.ts';
import { drawnName } from '#bytes/text.ts';
import styles from './OwnerTrail.module.css';

type OwnerTrailProps = {
  /** From the file in. */
  readonly chain: readonly StructureField[];
  readonly onPick: (owner: StructureField) => void;
};

/** The owners of a byte from the outside in; each marks its bytes when it is clicked. */
export function OwnerTrail({ chain, onPick }: OwnerTrailProps) {
  return (
    <nav aria-label="Owners of the byte">
      <ol className={styles.trail}>
        {chain.map((owner, depth) => (
          <li key={keyOf(owner)} className={styles.step}>
            <button
              type="button"
              className={styles.owner}
              aria-current={depth === chain.length - 1 ? 'location' : undefined}
              title={owner.cType === '' ? undefined : owner.cType}
              onClick={() => onPick(owner)}
            >
              {drawnName(owner.label)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** An owner and its only part may have the same bytes, but not the same name too. */
function keyOf({ kind, label, span }: StructureField): string {
  return `${kind} ${span.start}-${span.end} ${label}`;
}
