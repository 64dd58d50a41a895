import type { CoreResult } from '#analysis/core/resolve.ts';
import { visible } from '#bytes/text.ts';
import { coreLog } from '#print/core-log.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import styles from './LogSection.module.css';

/** What libbpf's own log says of the record, at its debug level. */
export function LogSection({ result }: { readonly result: CoreResult }) {
  const text = coreLog(result).map(visible).join('\n');
  return (
    <DetailSection
      title="libbpf’s log of this record"
      actions={<CopyButton text={text} label="Copy the log" />}
    >
      {text === '' ? (
        <p className={styles.none}>libbpf says nothing about it.</p>
      ) : (
        <div className={styles.scroller} {...scrollRegion('libbpf’s log')}>
          <pre className={styles.log}>{drawnLines(text)}</pre>
        </div>
      )}
    </DetailSection>
  );
}
