import { PencilLine } from 'lucide-react';
import { useMemo, useState } from 'react';
import { checkSpan, type LoadedStage } from '#analysis/libbpf/file-check.ts';
import type { Rewrite } from '#analysis/libbpf/fixup-copy.ts';
import { drawnName } from '#bytes/text.ts';
import { select } from '#store/address/navigation.ts';
import { EmptyState } from '#ui/Panel.tsx';
import { rowRenderer } from '#ui/VirtualList.tsx';
import { ListPane } from '#views/parts/ListPane.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { ShowBytes } from '#views/parts/SelectButton.tsx';
import { Detail, placeFacts, type StageProps } from './Detail.tsx';
import styles from './FixupsPane.module.css';
import { selectedRewrite } from './verdicts.ts';

type FixupsPaneProps = StageProps & { readonly stage: LoadedStage };

/** Shows the fix-ups that libbpf applies to the BTF before loading, in the order of the fix-ups. */
export function FixupsPane({ active, check, stage }: FixupsPaneProps) {
  const { rewrites, moreRewrites } = stage;
  const [clicked, setClicked] = useState<number | null>(null);
  const index = clicked ?? selectedRewrite(check, stage, active.selection) ?? 0;
  const renderRow = useMemo(
    () => rowRenderer(rewrites, (rewrite) => <FixupRow rewrite={rewrite} />),
    [rewrites],
  );
  const open = rewrites[index];
  if (open === undefined) {
    return (
      <EmptyState
        title="No fix-ups"
        text="libbpf loads the BTF as compiled: every section has a size, and nothing is extern."
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
      label="Fix-ups"
      toolbar={<p className="small soft">Fix-ups of bpf_object__open in libbpf 1.8, in order.</p>}
      count={rewrites.length}
      rowHeight={46}
      selectedIndex={index}
      onSelect={(at) => go(at)}
      onActivate={(at) => go(at, 'bytes')}
      renderRow={renderRow}
      emptyText="No fix-ups"
      more={moreRewrites === 0 ? '' : `and ${countOf(moreRewrites, 'more fix-up')}`}
      detail={<FixupDetail active={active} check={check} stage={stage} rewrite={open} />}
    />
  );
}

type FixupDetailProps = StageProps & { readonly rewrite: Rewrite };

function FixupDetail({ active, check, stage, rewrite }: FixupDetailProps) {
  const span = checkSpan(check, stage, rewrite);
  return (
    <Detail
      mark={
        <span className={styles.mark} data-tone="info">
          <PencilLine size={13} aria-hidden />
          Fix-up
        </span>
      }
      title={drawnName(rewrite.sentence)}
      actions={span === null ? undefined : <ShowBytes span={span} />}
      facts={[
        { term: 'Before', value: drawnName(rewrite.before), isMono: true },
        { term: 'After', value: drawnName(rewrite.after), isMono: true },
        ...placeFacts(active, check, stage, rewrite),
      ]}
    />
  );
}

function FixupRow({ rewrite }: { readonly rewrite: Rewrite }) {
  const { sentence, before, after, typeId } = rewrite;
  return (
    <span className={styles.row}>
      <span className="shrink clip">{drawnName(sentence)}</span>
      <span className="gap-3 shrink small mono muted flex">
        <span className={styles.id}>{typeId === null ? 'header' : `[${typeId}]`}</span>
        <span className="shrink clip">
          {drawnName(before)} → {drawnName(after)}
        </span>
      </span>
    </span>
  );
}
