import { useCallback, useMemo, useRef, useState } from 'react';
import { memberNear, memberRows, pathKey, rowOfPath } from '#analysis/layout/member-rows.ts';
import { tagKeyword } from '#analysis/types/declarator.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { memberCount } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { DENSE_ROW_HEIGHT, tableHeight } from '#ui/table-columns.ts';
import { useRowInSight } from '#ui/use-row-in-sight.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { DetailSection } from './DetailSection.tsx';
import itemStyles from './ItemTable.module.css';
import { LayoutStrip } from './LayoutStrip.tsx';
import { layoutSummary } from './layout-summary.ts';
import { MemberPager } from './MemberPager.tsx';
import { memberColumns } from './member-columns.tsx';
import { useMemberPage } from './use-member-page.ts';
import { useMemberPins } from './use-member-pins.ts';
import { useUnfolded } from './use-unfolded.ts';

const MOST_ROWS = 20;

type MembersSectionProps = {
  readonly fileId: FileId;
  readonly types: TypeTable;
  /** The selected type: a struct or union, or what stands for one. */
  readonly type: TypeId;
  /** The struct or union itself. */
  readonly composite: TypeId;
  readonly memberPath: readonly number[];
};

/** Where each member lies, with the holes between them. */
export function MembersSection(props: MembersSectionProps) {
  const { fileId, types, type, composite, memberPath } = props;
  const frame = useRef<HTMLDivElement>(null);
  // The row that was chosen here is in sight; one that another view chose has to be shown.
  const [chosenHere, setChosenHere] = useState('');
  const isFromElsewhere = memberPath.length > 0 && pathKey(memberPath) !== chosenHere;

  const choose = useCallback(
    (path: readonly number[]) => {
      setChosenHere(pathKey(path));
      select(typeSelection(type, path));
    },
    [type],
  );
  const { unfolded, toggle } = useUnfolded(memberPath, choose);
  const [page, setPage] = useMemberPage(types, composite, memberPath);
  const { first, end } = page;
  const layout = useMemo(
    () => structLayout(types, composite, { first, end }),
    [types, composite, first, end],
  );
  const rows = useMemo(
    () => memberRows(types, composite, unfolded, { first, end }),
    [types, composite, unfolded, first, end],
  );
  const pins = useMemberPins(fileId, type, composite);
  const columns = useMemo(
    () => memberColumns(types, rows, toggle, pins),
    [types, rows, toggle, pins],
  );
  const selectedIndex = rowOfPath(rows, memberPath);
  useRowInSight(frame, selectedIndex, isFromElsewhere);

  const selectRow = (index: number) => {
    const near = memberNear(rows, index, selectedIndex);
    const row = near === null ? undefined : rows[near];
    if (row !== undefined) choose(row.path);
  };
  const activateRow = (index: number) => {
    const row = rows[index];
    if (row !== undefined && row.inner !== null) toggle(row.path);
  };
  if (memberCount(types, composite) === 0) {
    return (
      <DetailSection title="Members">
        <p className={itemStyles.empty}>This {tagKeyword(types, composite)} has no members.</p>
      </DetailSection>
    );
  }
  return (
    <DetailSection title="Members" aside={layoutSummary(layout, page.total)}>
      <LayoutStrip
        types={types}
        composite={composite}
        selectedIndex={memberPath[0] ?? null}
        onSelect={(index) => choose([index])}
      />
      <MemberPager page={page} onPage={setPage} />
      <div
        ref={frame}
        className={itemStyles.frame}
        style={{ height: tableHeight(rows.length, MOST_ROWS, DENSE_ROW_HEIGHT) + 2 }}
      >
        <VirtualTable
          label="Members"
          columns={columns}
          count={rows.length}
          rowHeight={DENSE_ROW_HEIGHT}
          selectedIndex={selectedIndex}
          onSelect={selectRow}
          onActivate={activateRow}
          scrollToIndex={isFromElsewhere ? selectedIndex : null}
        />
      </div>
    </DetailSection>
  );
}
