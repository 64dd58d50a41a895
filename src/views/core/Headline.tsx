import type { ReactNode } from 'react';
import type { CoreKind } from '#analysis/core/core-kinds.ts';
import type { CoreRecord } from '#analysis/core/core-records.ts';
import { drawnName, visible } from '#bytes/text.ts';
import { Badge } from '#ui/Badge.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Name } from '#views/parts/Name.tsx';
import { TermText } from '#views/parts/TermText.tsx';
import styles from './Headline.module.css';
import { groupTone } from './kind-group.ts';

/** The record as libbpf's log writes it, where it is, and its kind in words. */
export function Headline({
  spec,
  record,
  kind,
  actions,
}: {
  /** Raw text. */
  readonly spec: string;
  readonly record: CoreRecord;
  /** null for a kind that nobody knows. */
  readonly kind: CoreKind | null;
  /** Links to other views. */
  readonly actions: ReactNode;
}) {
  const { func, insnIndex } = record;
  return (
    <div className={styles.headline}>
      <div className={styles.line}>
        <p className={styles.spec}>{drawnName(spec)}</p>
        <CopyButton text={visible(spec)} label="Copy libbpf's text" isIconOnly />
      </div>
      <p className={styles.place}>
        {func === null ? (
          <>insn #{insnIndex} of the section, in no function</>
        ) : (
          <>
            insn #{func.insnIndex} of <Name text={func.name} otherwise="(no name)" />
          </>
        )}
      </p>
      <p className={styles.kind}>
        <Badge text={kind?.group ?? 'unknown'} tone={groupTone(kind?.group)} />
        <code>
          <TermText text={kind?.enumName ?? `kind ${record.kind}`} />
        </code>
        <span className={styles.about}>
          {kind?.about ?? 'libbpf knows no such kind and refuses the program.'}
        </span>
      </p>
      <div className={styles.actions}>{actions}</div>
    </div>
  );
}
