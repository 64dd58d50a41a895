import { memo } from 'react';
import { sizeOf } from '#analysis/types/sizes.ts';
import { paddingBytesOf } from '#analysis/types/struct-layout.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { memberCount } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import type { Pin } from '#store/session/pins.ts';
import { grouped } from '#ui/grouped.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { shortSize } from '#views/parts/number-text.ts';
import { PinMarks } from '#views/parts/PinMark.tsx';
import styles from './TypeListPane.module.css';

type TypeRowProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  /** Whether to show the bytes of holes and padding. */
  readonly withHoles: boolean;
  /** Whether it is the highlighted type, or refers to it. */
  readonly isUse: boolean;
  /** Pins on the type; absent without pins. */
  readonly pins?: readonly Pin[] | undefined;
};

/** Holes are not computed for structs with more members. */
const MAX_MEMBERS = 10_000;

/** Row of the list: kind, name, size in bytes, id. */
export const TypeRow = memo(function TypeRow(props: TypeRowProps) {
  const { types, type, withHoles, isUse, pins } = props;
  const size = shortSize(sizeOf(types, type));
  return (
    <>
      <span className={styles.badge}>
        <KindBadge kind={kindOf(types, type)} />
      </span>
      <span className="grow small clip">
        <span className={isUse ? 'in-use' : undefined}>
          <Name text={typeTitle(types, type)} />
        </span>
      </span>
      {pins === undefined ? null : <PinMarks pins={pins} />}
      <span className={styles.size}>
        {withHoles && memberCount(types, type) <= MAX_MEMBERS ? (
          <>
            <span className={styles.holes}>{bytesText(paddingBytesOf(types, type))}</span> of{' '}
          </>
        ) : null}
        {size}
      </span>
      <span className={styles.id}>[{type}]</span>
    </>
  );
});

/** Formats bytes with one decimal: `101`, `101.6`. */
function bytesText(bytes: number): string {
  const tenths = Math.round((bytes % 1) * 10);
  return `${grouped(Math.floor(bytes))}${tenths === 0 ? '' : `.${tenths}`}`;
}
