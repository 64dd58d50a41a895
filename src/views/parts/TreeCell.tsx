import { ChevronRight } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import styles from './TreeCell.module.css';

/** Nesting beyond this is not indented further: a hostile struct goes on for ever. */
const MAX_INDENT = 12;
const STEP = 16;

type TreeCellProps = {
  readonly depth: number;
  /** Whether it is open; null for a row that holds nothing. */
  readonly isOpen: boolean | null;
  /** Accessible name of the button that opens it. */
  readonly label: string;
  readonly onToggle: () => void;
  readonly children: ReactNode;
};

/** The first cell of a row of a tree that is drawn as a table: its name at its depth, behind the button that opens it. */
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
          // The row itself would be selected by this click.
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

/** What starts where the name in a `TreeCell` of that depth does. */
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
