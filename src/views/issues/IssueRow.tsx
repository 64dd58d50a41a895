import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { hexText } from '#views/parts/number-text.ts';
import styles from './IssueRow.module.css';
import { SeverityMark } from './SeverityMark.tsx';

/** One line of the list: what is wrong, and where. */
export function IssueRow({ issue }: { readonly issue: Issue }) {
  return (
    <span className={styles.row}>
      <span className={styles.first}>
        <span className={styles.message}>{drawnName(issue.message)}</span>
      </span>
      <span className={styles.second}>
        <SeverityMark severity={issue.severity} />
        {issue.region === '' ? null : (
          <bdi className={styles.region}>{drawnName(issue.region)}</bdi>
        )}
        {issue.span === null ? null : (
          <span className={styles.offset}>{hexText(issue.span.start)}</span>
        )}
      </span>
    </span>
  );
}
