import { FileArchive } from 'lucide-react';
import { useMemo, useState } from 'react';
import { visible } from '#bytes/text.ts';
import type { ArchiveMember } from '#model/object-model.ts';
import { openMember } from '#store/files.ts';
import type { OpenFile } from '#store/session.ts';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText, sizeText } from '#views/parts/number-text.ts';
import styles from './ArchiveView.module.css';

/** An archive has no views of its own: its members do, once one is opened. */
export function ArchiveView({ file }: { readonly file: OpenFile }) {
  const members = file.status.step === 'archive' ? file.status.members : null;
  // Where the keyboard is; an archive has no model, and so nothing to select in.
  const [at, setAt] = useState<number | null>(null);
  const columns = useMemo(() => columnsOf(members ?? []), [members]);
  if (file.status.step !== 'archive' || members === null) return null;
  const open = (index: number) => {
    const member = members[index];
    if (member !== undefined) void openMember(file.id, member);
  };
  return (
    <div className={styles.view}>
      <header className={styles.header}>
        <FileArchive size={20} aria-hidden className={styles.icon} />
        <h1 className={styles.name}>
          <Name text={file.name} otherwise="(no name)" />
        </h1>
        <p className={styles.about}>
          Archive with {countOf(members.length, 'member')}, {sizeText(file.size)}. Choose a member
          to open it as a file of its own.
        </p>
      </header>
      <ArchiveIssues file={file} />
      {members.length === 0 ? (
        <EmptyState title="Empty archive" text="The archive has a header and no members." />
      ) : (
        <div className={styles.table} style={{ flexBasis: TABLE_ROW * (members.length + 1) + 2 }}>
          <LinkTable
            label="Archive members"
            columns={columns}
            count={members.length}
            selectedIndex={at}
            onSelect={setAt}
            onActivate={open}
          />
        </div>
      )}
    </div>
  );
}

/** CSS pixels of a row of a VirtualTable, and of its header. */
const TABLE_ROW = 28;

/** More of one archive are told by their number. */
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

function columnsOf(members: readonly ArchiveMember[]): TableColumn[] {
  return rowColumns<ArchiveMember>(
    (index) => members[index],
    [
      column('name', 'Member', 140, ({ name }) => <Name text={name} otherwise="(no name)" />, {
        grow: 1,
      }),
      column('offset', 'Offset', 92, ({ fileOffset }) => hexText(fileOffset), NUMBER),
      column('size', 'Bytes', 92, ({ size }) => grouped(size), { align: 'end' }),
    ],
  );
}
