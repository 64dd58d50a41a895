import { Link } from 'lucide-react';
import { visible } from '#bytes/text.ts';
import { session, type Wanted } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Name } from '#views/parts/Name.tsx';
import { StatePage } from './StatePage.tsx';
import styles from './WantedView.module.css';

/** A link to a file that is not open: which file it is, and a way to open it. */
export function WantedView({
  wanted,
  onOpen,
}: {
  readonly wanted: Wanted;
  readonly onOpen: () => void;
}) {
  const hash = /^[0-9a-f]{64}$/.test(wanted.file) ? wanted.file : null;
  const actions = (
    <>
      <Button variant="primary" onClick={onOpen}>
        Open file
      </Button>
      <Button onClick={() => session.setState({ wanted: null })}>Start page</Button>
    </>
  );
  const icon = <Link size={20} aria-hidden />;
  if (hash === null) {
    return (
      <StatePage
        icon={icon}
        tone="warning"
        title="This link cannot be opened"
        text={`${visible(wanted.problem)}.`}
        actions={actions}
      />
    );
  }
  return (
    <StatePage
      icon={icon}
      tone="info"
      title={
        <>
          This link needs <Name text={wanted.name} otherwise="a file" />
        </>
      }
      text="Open that file to see it. The link does not carry it, and what you open stays in this tab."
      actions={actions}
    >
      <dl>
        <dt className="tiny muted">SHA-256</dt>
        <dd className={styles.hash}>
          <span>{hash}</span>
          <CopyButton text={hash} label="Copy the SHA-256" isIconOnly />
        </dd>
      </dl>
    </StatePage>
  );
}
