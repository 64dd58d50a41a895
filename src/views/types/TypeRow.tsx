import { memo } from 'react';
import { sizeOf } from '#analysis/sizes.ts';
import { typeTitle } from '#analysis/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { shortSize } from '#views/parts/type-size-text.ts';
import styles from './TypeRow.module.css';

/** One line of the list: kind, name, size in bytes, id. */
export const TypeRow = memo(function TypeRow({
  types,
  type,
}: {
  readonly types: TypeTable;
  readonly type: TypeId;
}) {
  return (
    <>
      <span className={styles.badge}>
        <KindBadge kind={kindOf(types, type)} />
      </span>
      <span className={styles.name}>
        <Name text={typeTitle(types, type)} />
      </span>
      <span className={styles.size}>{shortSize(sizeOf(types, type))}</span>
      <span className={styles.id}>[{type}]</span>
    </>
  );
});
