import { ChevronRight } from 'lucide-react';
import type { Value } from '#analysis/values/decode.ts';
import { drawnName } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import { Name } from '#views/parts/Name.tsx';
import styles from './PartCell.module.css';
import type { ValueRow } from './value-tree.ts';

/** Nesting beyond this is not indented further: a hostile struct goes on for ever. */
const MAX_INDENT = 12;
const STEP = 16;

type PartCellProps = {
  readonly row: ValueRow;
  readonly part: Value | null;
  readonly toggle: (key: string) => void;
};

/** The name or number of a part at its depth, with the button that opens what it holds. */
export function PartCell({ row, part, toggle }: PartCellProps) {
  const isFolder = row.rangeEnd !== null || (row.parent !== null && (part?.partCount ?? 0) > 0);
  return (
    <span
      className={styles.cell}
      style={{ paddingInlineStart: Math.min(row.depth, MAX_INDENT) * STEP }}
    >
      {isFolder ? (
        <button
          type="button"
          tabIndex={-1}
          className={styles.open}
          aria-expanded={row.isOpen}
          aria-label={`Parts of ${drawnName(labelOf(row, part))}`}
          onClick={(event) => {
            // The row itself would be selected by this click.
            event.stopPropagation();
            toggle(row.key);
          }}
        >
          <ChevronRight size={14} aria-hidden />
        </button>
      ) : (
        <span className={styles.noButton} />
      )}
      <span className={styles.name}>
        <Name text={labelOf(row, part)} />
        {part?.isBitfield === true ? <span className={styles.bits}>:{part.bitSize}</span> : null}
      </span>
    </span>
  );
}

function labelOf({ parent, index, rangeEnd }: ValueRow, part: Value | null): string {
  if (parent === null) return 'value';
  if (rangeEnd !== null) return `[${grouped(index)} … ${grouped(rangeEnd - 1)}]`;
  const { kind } = parent.content;
  return kind === 'array' || kind === 'string' ? `[${grouped(index)}]` : (part?.name ?? '');
}
