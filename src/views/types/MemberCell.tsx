import { ChevronRight } from 'lucide-react';
import type { MemberRow } from '#analysis/layout/member-rows.ts';
import { visible } from '#bytes/text.ts';
import type { Pin } from '#store/lesson/pins.ts';
import { Badge } from '#ui/Badge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { PinMark } from '#views/parts/PinMark.tsx';
import { gapText } from '#views/parts/struct-strip-text.ts';
import styles from './MemberCell.module.css';

/** Nesting beyond this is not indented further: a hostile struct goes on for ever. */
const MAX_INDENT = 12;
const STEP = 16;

type MemberCellProps = {
  readonly row: MemberRow;
  readonly toggle: (path: readonly number[]) => void;
  /** What a lesson has pinned to the member. */
  readonly pins: readonly Pin[];
};

/** A member's name at its depth, with the button that unfolds what it holds; or the hole before it. */
export function MemberCell({ row, toggle, pins }: MemberCellProps) {
  const indent = { paddingInlineStart: Math.min(row.depth, MAX_INDENT) * STEP };
  if (row.kind !== 'member') {
    return (
      <span className={styles.cell} style={indent}>
        <span className={styles.noButton} />
        <span className={styles.gap}>{gapText(row)}</span>
      </span>
    );
  }
  return (
    <span className={styles.cell} style={indent}>
      {row.inner === null ? (
        <span className={styles.noButton} />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className={styles.unfold}
          aria-expanded={row.isUnfolded}
          aria-label={`Members of ${visible(row.name.slice(0, 200)) || 'the anonymous member'}`}
          onClick={(event) => {
            // The row itself would be selected by this click.
            event.stopPropagation();
            toggle(row.path);
          }}
        >
          <ChevronRight size={14} aria-hidden />
        </button>
      )}
      <span className={styles.name}>
        <Name text={row.name} />
        {row.isBitfield ? <span className={styles.bits}>:{row.bitSize}</span> : null}
      </span>
      {pins.map((pin) => (
        <PinMark key={pin.number} {...pin} />
      ))}
      {row.overlaps ? <Badge text="overlaps" tone="warning" /> : null}
      {row.pastEnd ? <Badge text="past the end" tone="warning" /> : null}
    </span>
  );
}
