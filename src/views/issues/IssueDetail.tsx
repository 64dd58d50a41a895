import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { Issue, Severity } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { IssueFacts } from '#views/parts/IssueFacts.tsx';
import { issueReport } from '#views/parts/issue-text.ts';
import { hexText } from '#views/parts/number-text.ts';
import styles from './IssueDetail.module.css';

type IssueDetailProps = {
  readonly issue: Issue;
  readonly fileName: string;
};

/** One issue in full: where it is, what was expected there, what was found, what can be done. */
export function IssueDetail({ issue, fileName }: IssueDetailProps) {
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

/** One line of the list: what is wrong, and where. */
export function IssueRow({ issue }: { readonly issue: Issue }) {
  return (
    <span className={styles.row}>
      <span className={styles.first}>
        <span className={styles.issueRowMessage}>{drawnName(issue.message)}</span>
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

const FACES = {
  error: { tone: 'danger', Icon: CircleAlert, word: 'Error' },
  warning: { tone: 'warning', Icon: TriangleAlert, word: 'Warning' },
  note: { tone: 'info', Icon: Info, word: 'Note' },
} as const;

/** A severity as icon, colour and word. */
function SeverityMark({ severity }: { readonly severity: Severity }) {
  const { tone, Icon, word } = FACES[severity];
  return (
    <span className={styles.mark} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}
