import { coreKind, coreKindName } from '#analysis/core/core-kinds.ts';
import { Chip } from '#ui/Chip.tsx';
import { grouped } from '#ui/grouped.ts';
import type { KindCount } from './core-rows.ts';
import styles from './KindFilter.module.css';
import { groupTone } from './kind-group.ts';

/** One chip for each kind that the file has; those that are on are shown, none means all. */
export function KindFilter({
  counts,
  chosen,
  onChange,
}: {
  readonly counts: readonly KindCount[];
  readonly chosen: ReadonlySet<number>;
  readonly onChange: (chosen: ReadonlySet<number>) => void;
}) {
  const toggle = (kind: number) => {
    const next = new Set(chosen);
    if (!next.delete(kind)) next.add(kind);
    onChange(next);
  };
  return (
    <fieldset className={styles.kinds} aria-label="Kinds">
      {counts.map(({ kind, count }) => (
        <Chip
          key={kind}
          tone={chosen.has(kind) ? groupTone(coreKind(kind)?.group) : 'muted'}
          isMono
          isPressed={chosen.has(kind)}
          onClick={() => toggle(kind)}
        >
          {coreKindName(kind)} <span className={styles.count}>{grouped(count)}</span>
        </Chip>
      ))}
    </fieldset>
  );
}
