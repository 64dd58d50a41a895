import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { IssueFacts } from '#views/parts/IssueFacts.tsx';
import { issueReport } from '#views/parts/issue-text.ts';
import styles from './IssueDetail.module.css';
import { SeverityMark } from './SeverityMark.tsx';

/** One issue in full: where it is, what was expected there, what was found, what can be done. */
export function IssueDetail({
  issue,
  fileName,
}: {
  readonly issue: Issue;
  readonly fileName: string;
}) {
  const { span } = issue;
  return (
    <article className={styles.detail} aria-labelledby="issue-message">
      <SeverityMark severity={issue.severity} />
      <h2 id="issue-message" className={styles.message}>
        {drawnName(issue.message)}
      </h2>
      {issue.advice === undefined ? null : (
        <p className={styles.advice}>{drawnName(issue.advice)}</p>
      )}
      <div className={styles.actions}>
        {span === null ? null : (
          <Button
            onClick={() => select({ kind: 'bytes', start: span.start, end: span.end }, 'bytes')}
          >
            Show bytes
          </Button>
        )}
        <CopyButton text={() => issueReport(fileName, issue)} label="Copy as text" />
      </div>
      <IssueFacts issue={issue} />
    </article>
  );
}
