import { CircleSlash, FileX } from 'lucide-react';
import { visible } from '#bytes/text.ts';
import { closeFile } from '#store/files.ts';
import type { OpenFile } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { IssueFacts } from '#views/parts/IssueFacts.tsx';
import { issueReport } from '#views/parts/issue-text.ts';
import { Name } from '#views/parts/Name.tsx';
import styles from './RefusedView.module.css';
import { StatePage } from './StatePage.tsx';

/** The code of the issue that a cancelled request ends with. */
const CANCELLED = 'request.cancelled';

/** Why a file cannot be shown: what is wrong, where, and what can be done. */
export function RefusedView({
  file,
  onOpen,
}: {
  readonly file: OpenFile;
  readonly onOpen: () => void;
}) {
  if (file.status.step !== 'failed') return null;
  const { issue } = file.status;
  const actions = (
    <>
      <Button variant="primary" onClick={onOpen}>
        Open another file
      </Button>
      <Button onClick={() => closeFile(file.id)}>Close this one</Button>
    </>
  );
  const name = <Name text={file.name} otherwise="the file" />;
  if (issue.code === CANCELLED) {
    return (
      <StatePage
        icon={<CircleSlash size={20} aria-hidden />}
        tone="info"
        title={<>Opening {name} was cancelled</>}
        text="The file was closed. Drop it again to start over."
        actions={actions}
      />
    );
  }
  return (
    <StatePage
      icon={<FileX size={20} aria-hidden />}
      tone="danger"
      title={<>{name} could not be opened</>}
      text={visible(issue.message)}
      actions={
        <>
          {actions}
          <CopyButton text={() => issueReport(file.name, issue)} label="Copy as text" />
        </>
      }
    >
      <IssueFacts issue={issue} />
      <h2 className={styles.title}>What to do</h2>
      {issue.advice === undefined ? null : <p>{visible(issue.advice)}</p>}
      <p className="soft pretty">
        This page opens ELF files (BPF objects, kernel modules, vmlinux), raw BTF as in
        /sys/kernel/btf, and ar archives and Alpha eCOFF objects, plain or packed with gzip, xz,
        zstd, bzip2, lzma or lz4.
      </p>
    </StatePage>
  );
}
