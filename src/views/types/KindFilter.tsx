import { useMemo } from 'react';
import { kindHistogram } from '#analysis/types/kind-counts.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Chip } from '#ui/Chip.tsx';
import { grouped } from '#ui/grouped.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import styles from './KindFilter.module.css';
import { isKindChosen, toggleKind } from './query.ts';

type KindFilterProps = {
  readonly types: TypeTable;
  /** As in `TypeQuery`; 0 shows all kinds. */
  readonly kinds: number;
  readonly onChange: (kinds: number) => void;
};

/** A chip for each kind that occurs, the most frequent first; those that are pressed are shown. */
export function KindFilter({ types, kinds, onChange }: KindFilterProps) {
  const counts = useMemo(() => kindHistogram(types), [types]);
  return (
    <fieldset className={styles.kinds} aria-label="Kinds">
      {counts.map(({ kind, count }) => {
        const isPressed = isKindChosen(kinds, kind);
        return (
          <Chip
            key={kind}
            tone={isPressed ? 'accent' : 'muted'}
            isPressed={isPressed}
            onClick={() => onChange(toggleKind(kinds, kind))}
          >
            <span className={styles.chip}>
              <KindBadge kind={kind} />
              {grouped(count)}
            </span>
          </Chip>
        );
      })}
    </fieldset>
  );
}
