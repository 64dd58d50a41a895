import styles from './KindBadge.module.css';
import { kindStyle } from './kind-style.ts';

type KindBadgeProps = {
  readonly kind: number;
  readonly decorative?: boolean;
};

/** The letter of a BTF kind on its colour. The kind's word is its accessible name unless `decorative`. */
export function KindBadge({ kind, decorative = false }: KindBadgeProps) {
  const { letter, tone, name } = kindStyle(kind);
  const aria = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name };
  return (
    <span className={styles.badge} data-tone={tone} title={name} {...aria}>
      {letter}
    </span>
  );
}
