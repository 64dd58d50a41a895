import { memo, useMemo, useState } from 'react';
import type { TypeQuery } from '#analysis/find/type-search.ts';
import { typeHeading } from '#analysis/source/type-text.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { paddingBytesOf } from '#analysis/types/struct-layout.ts';
import { drawnName } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { memberCount } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { clientOf } from '#store/session/files.ts';
import { useAsync } from '#store/session/hooks.ts';
import type { Pin } from '#store/session/pins.ts';
import { baseChoice, type FileId, typesOf, useSession } from '#store/session/session.ts';
import { grouped } from '#ui/grouped.ts';
import { VirtualList } from '#ui/VirtualList.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, shortSize } from '#views/parts/number-text.ts';
import { PinMarks } from '#views/parts/PinMark.tsx';
import styles from './TypeListPane.module.css';

type TypeRowProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  /** True to show the number of bytes in holes and padding. */
  readonly withHoles: boolean;
  /** True for the highlighted type and for the types that refer to it. */
  readonly isUse: boolean;
  /** Pins on the type; absent if there are none. */
  readonly pins?: readonly Pin[] | undefined;
};

/** Maximum number of members of a struct whose holes are computed. */
const MAX_MEMBERS = 10_000;

/** Shows a type in the list: kind, name, size in bytes, id. */
export const TypeRow = memo(function TypeRow(props: TypeRowProps) {
  const { types, type, withHoles, isUse, pins } = props;
  const size = shortSize(sizeOf(types, type));
  return (
    <>
      <span className={styles.badge}>
        <KindBadge kind={kindOf(types, type)} />
      </span>
      <span className="grow small clip">
        <span className={isUse ? 'in-use' : undefined}>
          <Name text={typeHeading(types, type)} />
        </span>
      </span>
      {pins === undefined ? null : <PinMarks pins={pins} />}
      <span className={styles.size}>
        {withHoles && memberCount(types, type) <= MAX_MEMBERS ? (
          <>
            <span className={styles.holes}>{bytesText(paddingBytesOf(types, type))}</span> of{' '}
          </>
        ) : null}
        {size}
      </span>
      <span className={styles.id}>[{type}]</span>
    </>
  );
});

/** Returns bytes with at most one decimal: `101`, `101.6`. */
function bytesText(bytes: number): string {
  const tenths = Math.round((bytes % 1) * 10);
  return `${grouped(Math.floor(bytes))}${tenths === 0 ? '' : `.${tenths}`}`;
}

/** The matching types of one file. The list has a heading for the file and a row per type. */
export type FileMatches = {
  readonly id: FileId;
  readonly name: string;
  readonly types: TypeTable;
  readonly ids: Uint32Array;
};

type Row = { readonly file: FileMatches /** null: the heading. */; readonly type: TypeId | null };

/** Returns the row number `index` of the list of all files; null after the last row. */
export function rowAt(matches: readonly FileMatches[], index: number): Row | null {
  let left = index;
  for (const file of matches) {
    if (left === 0) return { file, type: null };
    if (left <= file.ids.length) return { file, type: typeId(file.ids[left - 1] ?? 0) };
    left -= file.ids.length + 1;
  }
  return null;
}

/** Returns the row number of a type of a file; null if the type does not match. */
export function rowOf(
  matches: readonly FileMatches[],
  id: FileId,
  type: TypeId | null,
): number | null {
  let first = 0;
  for (const file of matches) {
    const at = file.id === id && type !== null ? file.ids.indexOf(type) : -1;
    if (at >= 0) return first + 1 + at;
    first += file.ids.length + 1;
  }
  return null;
}

type AllFilesListProps = {
  readonly fileId: FileId;
  readonly query: TypeQuery;
  readonly selected: TypeId | null;
  /** Called with the type when a row of this pane's file is selected. */
  readonly onChoose: (type: TypeId) => void;
  /** Called with the file and the type when a row is opened. */
  readonly onOpen: (id: FileId, type: TypeId) => void;
  readonly emptyText: string;
};

const ROW_HEIGHT = 24;

/** Shows the matching types of all open files, by file. The worker of each file searches. */
export function AllFilesList(props: AllFilesListProps) {
  const { fileId, query, selected, onChoose, onOpen, emptyText } = props;
  const matches = useMatchesInAll(query);
  const [cursor, setCursor] = useState<number | null>(null);
  const ownRow = useMemo(
    () => (matches === null ? null : rowOf(matches, fileId, selected)),
    [matches, fileId, selected],
  );
  const renderRow = useMemo(
    () => (index: number) => {
      const row = matches === null ? null : rowAt(matches, index);
      if (row === null) return null;
      const { file, type } = row;
      return type === null ? (
        <span className="row gap-2 small medium">
          <Name text={file.name} />
          <span className="muted">{countOf(file.ids.length, 'type')}</span>
        </span>
      ) : (
        <TypeRow types={file.types} type={type} withHoles={query.order === 'holes'} isUse={false} />
      );
    },
    [matches, query.order],
  );
  if (matches === null) return <p className="muted pad-3">Searching the open files…</p>;
  const at = cursor ?? ownRow;
  const goTo = (index: number) => {
    const isHeading = rowAt(matches, index)?.type === null;
    const next = isHeading ? index + (index > 0 && at !== null && index < at ? -1 : 1) : index;
    const row = rowAt(matches, next);
    if (row === null || row.type === null) return;
    setCursor(next);
    if (row.file.id === fileId) onChoose(row.type);
  };
  const open = (index: number) => {
    const row = rowAt(matches, index);
    if (row !== null && row.type !== null) onOpen(row.file.id, row.type);
  };
  const getRowLabel = (index: number) => {
    const row = rowAt(matches, index);
    return row?.type === null
      ? `${drawnName(row.file.name)}: ${countOf(row.file.ids.length, 'type')}`
      : '';
  };
  const count = matches.reduce((sum, { ids }) => sum + ids.length + 1, 0);
  return (
    <VirtualList
      label="Types of all open files"
      count={count}
      rowHeight={ROW_HEIGHT}
      selectedIndex={at}
      onSelect={goTo}
      onActivate={open}
      onRowClick={open}
      renderRow={renderRow}
      getRowLabel={getRowLabel}
      scrollToIndex={cursor === null ? ownRow : null}
      emptyText={emptyText}
    />
  );
}

/** Returns the matches of each open file that has any; null until all workers have answered. */
function useMatchesInAll(query: TypeQuery): readonly FileMatches[] | null {
  const files = useSession((state) => state.files);
  const asked = files.flatMap((file) => {
    const types = typesOf(file);
    return types === null ? [] : [{ id: file.id, name: file.name, types, base: baseChoice(file) }];
  });
  const key = JSON.stringify([query, asked.map(({ id, base }) => [id, base.reading])]);
  return useAsync<readonly FileMatches[]>(key, async (put, signal) => {
    const answers = await Promise.all(
      asked.map(async ({ id, name, types }) => {
        const outcome = await clientOf(id)?.call('searchTypes', query, { signal });
        return { id, name, types, ids: outcome?.ok === true ? outcome.value : new Uint32Array(0) };
      }),
    );
    put(answers.filter(({ ids }) => ids.length > 0));
  });
}
