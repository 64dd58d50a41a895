import type { MemberRow } from '#analysis/layout/member-rows.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { kindOf, skipModifiers } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { boxSize, gapText, longPlaceText } from '#views/parts/struct-strip-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './MemberReadout.module.css';
import { pathText } from './path-text.ts';

type MemberReadoutProps = {
  readonly types: TypeTable;
  readonly composite: TypeId;
  /** The row that is pointed at, or selected; null for none. */
  readonly row: MemberRow | null;
};

/** Offset, size, bits and type of one member, in a line that is always there. */
export function MemberReadout({ types, composite, row }: MemberReadoutProps) {
  if (row === null) {
    return (
      <p className={styles.readout}>
        <span className={styles.hint}>
          Point at a member, or walk with the arrow keys. Enter unfolds what it holds.
        </span>
      </p>
    );
  }
  const { bitOffset, bitSize } = row;
  const cacheLine = Math.floor(bitOffset / 512);
  return (
    <p className={styles.readout}>
      {row.kind === 'member' ? (
        <>
          <KindBadge kind={kindOf(types, skipModifiers(types, row.type))} decorative />
          <strong className={styles.name}>{pathText(types, composite, row.path)}</strong>
        </>
      ) : (
        <strong className={styles.gap}>{gapText(row)}</strong>
      )}
      <span>at {longPlaceText(bitOffset)}</span>
      <span>{boxSize(row)}</span>
      <span>
        bits {grouped(bitOffset)}–{grouped(Math.max(bitOffset, bitOffset + bitSize - 1))}
      </span>
      <span>cache line {grouped(cacheLine)}</span>
      {row.kind === 'member' ? (
        <span className={styles.type}>
          <TypeLink types={types} type={row.type} />
        </span>
      ) : null}
    </p>
  );
}
