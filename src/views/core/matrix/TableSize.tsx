import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { IconButton } from '#ui/IconButton.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './TableSize.module.css';

/** How large the table is, and a button for all groups. */
export function TableSize({
  relocations,
  targets,
  isFolded,
  onFold,
}: {
  readonly relocations: number;
  readonly targets: number;
  /** Whether all groups are. */
  readonly isFolded: boolean;
  readonly onFold: (isFolded: boolean) => void;
}) {
  const Icon = isFolded ? ChevronsUpDown : ChevronsDownUp;
  return (
    <div className={styles.line}>
      <span className={styles.size}>
        {countOf(relocations, 'relocation')} on {countOf(targets, 'target')}
      </span>
      <IconButton
        label={isFolded ? 'Unfold all' : 'Fold all'}
        size="small"
        icon={<Icon size={14} aria-hidden />}
        onClick={() => onFold(!isFolded)}
      />
    </div>
  );
}
