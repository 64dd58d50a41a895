import { BtfKind } from '#formats/btf/kinds.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import styles from './KindLegend.module.css';

const FAMILIES: readonly (readonly [kind: number, name: string])[] = [
  [BtfKind.INT, 'number'],
  [BtfKind.PTR, 'pointer'],
  [BtfKind.ARRAY, 'array'],
  [BtfKind.STRUCT, 'struct'],
  [BtfKind.UNION, 'union'],
  [BtfKind.ENUM, 'enum'],
];

/** What the letters and hatching of the drawing mean. */
export function KindLegend() {
  return (
    <p className={styles.legend}>
      {FAMILIES.map(([kind, name]) => (
        <span key={kind} className={styles.entry}>
          <KindBadge kind={kind} decorative />
          {name}
        </span>
      ))}
      <span className={styles.entry}>
        <span className={styles.hatch} aria-hidden="true" />
        hole, padding
      </span>
    </p>
  );
}
