import { PencilLine } from 'lucide-react';
import { checkSpan, type FileCheck, type LoadedStage } from '#analysis/check/file-check.ts';
import type { Rewrite } from '#analysis/check/loaded-copy.ts';
import { drawnName } from '#bytes/text.ts';
import type { Active } from '#store/hooks.ts';
import { Detail } from './Detail.tsx';
import { placeFacts } from './place-facts.tsx';
import styles from './RewriteDetail.module.css';
import { ShowBytes } from './ShowBytes.tsx';

type RewriteDetailProps = {
  readonly active: Active;
  readonly check: FileCheck;
  readonly stage: LoadedStage;
  readonly rewrite: Rewrite;
};

/** One change in full: what stood there, what libbpf writes, and why. */
export function RewriteDetail({ active, check, stage, rewrite }: RewriteDetailProps) {
  const span = checkSpan(check, stage, rewrite);
  return (
    <Detail
      mark={
        <span className={styles.mark} data-tone="info">
          <PencilLine size={13} aria-hidden />
          Rewritten
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
