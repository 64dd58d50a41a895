import { useMemo, useState } from 'react';
import { checkSpan, type FileCheck, type LoadedStage } from '#analysis/check/file-check.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { ListPane } from './ListPane.tsx';
import { RewriteDetail } from './RewriteDetail.tsx';
import { RewriteRow } from './RewriteRow.tsx';
import styles from './RewritesPane.module.css';
import { selectedRewrite } from './stages.ts';

type RewritesPaneProps = {
  readonly active: Active;
  readonly check: FileCheck;
  readonly stage: LoadedStage;
};

/** What libbpf changes in the BTF before the kernel gets it, in the order in which it does. */
export function RewritesPane({ active, check, stage }: RewritesPaneProps) {
  const { rewrites, moreRewrites } = stage;
  const [clicked, setClicked] = useState<number | null>(null);
  const index = clicked ?? selectedRewrite(check, stage, active.selection) ?? 0;
  const renderRow = useMemo(
    () => (at: number) => {
      const rewrite = rewrites[at];
      return rewrite === undefined ? null : <RewriteRow rewrite={rewrite} />;
    },
    [rewrites],
  );
  const open = rewrites[index];
  if (open === undefined) {
    return (
      <EmptyState
        title="libbpf changes nothing"
        text="No section without a size, nothing extern: the kernel gets the BTF as the compiler left it."
      />
    );
  }
  const go = (at: number, view?: 'bytes') => {
    const rewrite = rewrites[at];
    if (rewrite === undefined) return;
    setClicked(at);
    const span = checkSpan(check, stage, rewrite);
    if (span !== null) select({ kind: 'bytes', start: span.start, end: span.end }, view);
  };
  return (
    <ListPane
      label="Rewrites"
      toolbar={
        <p className={styles.about}>
          What bpf_object__open of libbpf 1.8 does to the BTF, in its order.
        </p>
      }
      count={rewrites.length}
      selectedIndex={index}
      onSelect={(at) => go(at)}
      onActivate={(at) => go(at, 'bytes')}
      renderRow={renderRow}
      emptyText="Nothing"
      more={moreRewrites === 0 ? '' : `and ${countOf(moreRewrites, 'more rewrite')}`}
      detail={<RewriteDetail active={active} check={check} stage={stage} rewrite={open} />}
    />
  );
}
