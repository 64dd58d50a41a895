import { CircleSlash, FileArchive, FileSearch, FileX, Link } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { visible } from '#bytes/text.ts';
import { cancelOpening, closeFile, openMember } from '#store/session/files.ts';
import {
  announce,
  type FileId,
  type OpenFile,
  session,
  type Wanted,
} from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { IssueFacts, issueReport } from '#views/parts/IssueFacts.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import styles from './StatePage.module.css';

const MemberTable = lazyComponent(
  async () => (await import('#views/parts/LinkTable.tsx')).MemberTable,
);

/** Shows the page of a file without views: it is opening, refused, or still to be chosen. */
function StatePage(props: {
  readonly icon: ReactNode;
  readonly tone: 'accent' | 'danger' | 'warning' | 'info';
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className="tall scroll-y">
      <div className={styles.page}>
        <span className={styles.icon} data-tone={props.tone}>
          {props.icon}
        </span>
        <h1 className={styles.title}>{props.title}</h1>
        {props.text === undefined ? null : <p className={styles.text}>{props.text}</p>}
        {props.children === undefined ? null : (
          <div className={styles.content}>{props.children}</div>
        )}
        {props.actions === undefined ? null : <div className={styles.actions}>{props.actions}</div>}
      </div>
    </div>
  );
}

/** Shows the progress of opening a file, with the button *Cancel*. */
export function OpeningView({ file }: { readonly file: OpenFile }) {
  if (file.status.step !== 'opening') return null;
  const { what, done, total, lines } = file.status;
  return (
    <StatePage
      icon={<FileSearch size={20} aria-hidden />}
      tone="accent"
      title={
        <>
          Opening <Name text={file.name} otherwise="a file" />
        </>
      }
      text={`${sizeText(file.size)}, read in this tab`}
    >
      <ProgressBar
        label={`${what.charAt(0).toUpperCase()}${what.slice(1)}…`}
        fraction={total > 0 ? done / total : null}
        onCancel={() => cancelOpening(file.id)}
      />
      {lines === undefined ? null : <pre className={styles.lines}>{lines}</pre>}
    </StatePage>
  );
}

/** Code of the issue that a request has after the user has cancelled it. */
const CANCELLED = 'request.cancelled';

/** Shows why a file could not be opened, and what to do. */
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
        text="The file was closed. Open it again to see it."
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
      <h2 className={styles.refusedViewTitle}>What to do</h2>
      {issue.advice === undefined ? null : <p>{visible(issue.advice)}</p>}
      <p className="soft pretty">
        This page opens ELF files (BPF objects, programs with BPF objects inside, kernel modules,
        vmlinux), raw BTF as in /sys/kernel/btf, logs of loaders and of the verifier, Alpha eCOFF
        objects, libbpf skeletons, archives (ar, tar, zip, cpio) and packages (deb, rpm), plain or
        packed with gzip, xz, zstd, bzip2, lzma or lz4.
      </p>
    </StatePage>
  );
}

/** Asks the user for the file that a link names. */
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
      text="Open that file to see it. The link does not contain it. Nothing is uploaded."
      actions={actions}
    >
      <dl>
        <dt className="tiny muted">SHA-256</dt>
        <dd className="row gap-2 spread small mono break">
          <span>{hash}</span>
          <CopyButton text={hash} label="Copy the SHA-256" isIconOnly />
        </dd>
      </dl>
    </StatePage>
  );
}

/** Shows the members of an archive. Each opens as a file. */
export function ArchiveView({ file }: { readonly file: OpenFile }) {
  const { query, box } = useFilter();
  const all = file.status.step === 'archive' ? file.status.members : null;
  const members = useMemo(() => {
    const wanted = query.toLowerCase();
    return (all ?? []).filter(({ name }) => name.toLowerCase().includes(wanted));
  }, [all, query]);
  useOpenedPackage(file);
  if (all === null) return null;
  return (
    <div className={styles.view}>
      <header className={styles.header}>
        <FileArchive size={20} aria-hidden className={styles.archiveViewIcon} />
        <h1 className={styles.name}>
          <Name text={file.name} otherwise="(no name)" />
        </h1>
        <p className={styles.about}>
          {countOf(all.length, 'member')} in {sizeText(file.size)}. Choose a member to open it as a
          file of its own.
        </p>
      </header>
      <ArchiveIssues file={file} />
      {all.length > FILTERED ? (
        <div className={styles.filter}>
          <FoundList label="Filter members" {...box} count={[members.length, all.length]} />
        </div>
      ) : null}
      {all.length === 0 ? (
        <EmptyState title="Empty archive" text="The archive has a header and no members." />
      ) : (
        <div className={styles.table} style={{ flexBasis: TABLE_ROW * (members.length + 1) + 2 }}>
          <LazyPart onError={() => announce("Couldn't load the list of members")}>
            <MemberTable id={file.id} label="Archive members" members={members} />
          </LazyPart>
        </div>
      )}
    </div>
  );
}

/** Packages whose files were listed: going back to a package shows its own members. */
const openedPackages = new Set<FileId>();

/** Lists the files of a Debian package, which are in its member `data.tar` (deb(5)). */
function useOpenedPackage({ id, status }: OpenFile): void {
  const members = status.step === 'archive' ? status.members : null;
  useEffect(() => {
    const isPackage = members?.some(({ name }) => name === 'debian-binary') === true;
    const data = members?.find(({ name }) => /^data\.tar(\.\w+)?$/.test(name));
    if (!isPackage || data === undefined || openedPackages.has(id)) return;
    openedPackages.add(id);
    void openMember(id, data);
  }, [id, members]);
}

/** Number of members above which the list has a filter. */
const FILTERED = 12;

/** Height in CSS pixels of a row and of the header of a VirtualTable. */
const TABLE_ROW = 28;

/** Maximum number of issues shown for an archive. */
const SHOWN_ISSUES = 4;

function ArchiveIssues({ file }: { readonly file: OpenFile }) {
  const issues = file.status.step === 'archive' ? file.status.issues : [];
  if (issues.length === 0) return null;
  const left = issues.length - SHOWN_ISSUES;
  return (
    <div className={styles.issues}>
      {issues.slice(0, SHOWN_ISSUES).map((issue) => (
        <Callout
          key={`${issue.code}:${issue.span?.start ?? ''}:${issue.message}`}
          severity={issue.severity}
          title={visible(issue.message)}
        >
          {issue.advice === undefined ? null : visible(issue.advice)}
        </Callout>
      ))}
      {left > 0 ? <p className={styles.about}>and {grouped(left)} more</p> : null}
    </div>
  );
}
