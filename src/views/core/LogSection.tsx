import type { CoreResult } from '#analysis/core/resolve.ts';
import { visible } from '#bytes/text.ts';
import { coreLog } from '#print/core-log.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import styles from './LogSection.module.css';

/** What libbpf's own log says of the record, at its debug level. */
export function LogSection({ result }: { readonly result: CoreResult }) {
  const lines = coreLog(result).map(visible);
  return (
    <DetailSection
      title="libbpf’s log of this record"
      actions={<CopyButton text={lines.join('\n')} label="Copy the log" />}
    >
      {lines.length === 0 ? (
        <p className={styles.none}>libbpf says nothing about it.</p>
      ) : (
        <div className={styles.scroller} {...scrollRegion('libbpf’s log')}>
          <pre className={styles.log}>{lines.join('\n')}</pre>
        </div>
      )}
    </DetailSection>
  );
}
