import { ChevronRight } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import styles from './TreeCell.module.css';

/** Maximum depth that is indented, since a hostile struct may nest without limit. */
const MAX_INDENT = 12;
/** Indentation per level, in CSS pixels. */
const STEP = 16;

type TreeCellProps = {
  readonly depth: number;
  /** True if the children are shown; null for a row without children. */
  readonly isOpen: boolean | null;
  /** Accessible name of the button that folds and unfolds the row. */
  readonly label: string;
  readonly onToggle: () => void;
  readonly children: ReactNode;
};

/** Shows the first cell of a row in a tree table: the fold button and the indented content. */
export function TreeCell({ depth, isOpen, label, onToggle, children }: TreeCellProps) {
  if (isOpen === null) return <TreeLine depth={depth}>{children}</TreeLine>;
  return (
    <span className={styles.cell} style={indent(depth)}>
      <button
        type="button"
        tabIndex={-1}
        className={styles.open}
        aria-expanded={isOpen}
        aria-label={label}
        onClick={(event) => {
          // A click on the button does not select the row.
          event.stopPropagation();
          onToggle();
        }}
      >
        <ChevronRight size={14} aria-hidden />
      </button>
      {children}
    </span>
  );
}

/** Shows content aligned with the content of a `TreeCell` of the same depth. */
export function TreeLine({ depth, children }: Pick<TreeCellProps, 'depth' | 'children'>) {
  return (
    <span className={styles.cell} style={indent(depth)}>
      <span className={styles.noButton} />
      {children}
    </span>
  );
}

function indent(depth: number): CSSProperties {
  return { paddingInlineStart: Math.min(depth, MAX_INDENT) * STEP };
}
