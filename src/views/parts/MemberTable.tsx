import { useMemo, useState } from 'react';
import type { ArchiveMember } from '#model/object-model.ts';
import { openMember } from '#store/session/files.ts';
import type { FileId } from '#store/session/session.ts';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { LinkTable } from './LinkTable.tsx';
import { Name } from './Name.tsx';
import { offsetCell } from './Offset.tsx';

/** The members of an open file; a row opens one as a file of its own. */
export function MemberTable({
  id,
  label,
  members,
}: {
  readonly id: FileId;
  readonly label: string;
  readonly members: readonly ArchiveMember[];
}) {
  // Where the keyboard is; nothing of the file is selected by that.
  const [at, setAt] = useState<number | null>(null);
  const columns = useMemo(() => rowColumns((index) => members[index], COLUMNS), [members]);
  return (
    <LinkTable
      label={label}
      columns={columns}
      count={members.length}
      selectedIndex={at}
      onSelect={setAt}
      onActivate={(index) => {
        const member = members[index];
        if (member !== undefined) void openMember(id, member);
      }}
    />
  );
}

const COLUMNS: readonly RowColumn<ArchiveMember>[] = [
  column('name', 'Member', 140, ({ name }) => <Name text={name} otherwise="(no name)" />, {
    grow: 1,
  }),
  column('kind', 'Kind', 110, ({ kind }) => (kind === 'other' ? null : kind)),
  column('offset', 'Offset', 92, ({ fileOffset }) => offsetCell(fileOffset), NUMBER),
  column('size', 'Bytes', 92, ({ size }) => grouped(size), { align: 'end' }),
];
