import { GitCompareArrows } from 'lucide-react';
import { useEffect } from 'react';
import type { TypeTable } from '#model/type-table.ts';
import { useOtherFile } from '#store/compare.ts';
import { compareState } from '#store/compare-results.ts';
import { typesOf } from '#store/core-view.ts';
import { keyOf } from '#store/file-keys.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { setViewParam, useViewParam } from '#store/view-state.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CompareToolbar } from './CompareToolbar.tsx';
import styles from './CompareView.module.css';
import { compareMode } from './compare-mode.ts';
import type { CompareSide } from './compare-sides.ts';
import { DuplicatesPart } from './DuplicatesPart.tsx';
import { NoOther } from './NoOther.tsx';
import { TypesPart } from './TypesPart.tsx';
import { WholePart } from './WholePart.tsx';

/** The types of this file beside those of another: one by one, or all that differ. */
export function CompareView() {
  const active = useActive();
  if (active === null) return null;
  const { types } = active.model;
  return types === null ? (
    <EmptyState
      icon={<GitCompareArrows size={28} aria-hidden />}
      title="This file has no types to compare"
      text="Types live in the section .BTF. Open a kernel, a module or an object that has one."
    />
  ) : (
    <Comparison key={active.id} active={active} types={types} />
  );
}

function Comparison({ active, types }: { readonly active: Active; readonly types: TypeTable }) {
  const { id, model, selection } = active;
  const other = useOtherFile(id);
  const asked = useViewParam(id, 'compare', 'show');
  const wanted = useViewParam(id, 'compare', 'with');
  const { listedAt } = compareState.useOf(id);
  const mode = compareMode(asked, selection, listedAt, other !== null);
  const otherKey = other === null ? null : keyOf(other);
  // A file's hash comes after the file: the address names it as soon as it can.
  useEffect(() => {
    if (otherKey !== null) setViewParam('compare', 'with', otherKey);
  }, [otherKey]);
  const before: CompareSide = { id, name: model.name, types };
  const otherTypes = typesOf(other);
  const after: CompareSide | null =
    other === null || otherTypes === null
      ? null
      : { id: other.id, name: other.name, types: otherTypes };
  return (
    <div className={styles.view}>
      <CompareToolbar active={active} mode={mode} other={other} />
      <div className={styles.part}>
        {mode === 'duplicates' ? (
          <DuplicatesPart side={before} />
        ) : after === null ? (
          <NoOther wanted={wanted} />
        ) : mode === 'whole' ? (
          <WholePart key={after.id} before={before} after={after} />
        ) : (
          <TypesPart active={active} before={before} after={after} />
        )}
      </div>
    </div>
  );
}
