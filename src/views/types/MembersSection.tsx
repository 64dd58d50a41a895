import { useCallback, useMemo, useRef, useState } from 'react';
import { tagKeyword } from '#analysis/declarator.ts';
import { memberNear, memberRows, pathKey, rowOfPath } from '#analysis/layout/member-rows.ts';
import { structLayout } from '#analysis/struct-layout.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { memberCount } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { DetailSection } from './DetailSection.tsx';
import itemStyles from './ItemTable.module.css';
import { ITEM_ROW_HEIGHT, itemTableHeight } from './item-table-height.ts';
import { LayoutStrip } from './LayoutStrip.tsx';
import { layoutSummary } from './layout-summary.ts';
import { memberColumns } from './member-columns.tsx';
import { useRowInSight } from './use-row-in-sight.ts';
import { useUnfolded } from './use-unfolded.ts';

const MOST_ROWS = 20;

type MembersSectionProps = {
  readonly types: TypeTable;
  /** The selected type: a struct or union, or what stands for one. */
  readonly type: TypeId;
  /** The struct or union itself. */
  readonly composite: TypeId;
  readonly memberPath: readonly number[];
};

/** Where each member lies, with the holes between them. */
export function MembersSection({ types, type, composite, memberPath }: MembersSectionProps) {
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
  const layout = useMemo(() => structLayout(types, composite), [types, composite]);
  const rows = useMemo(() => memberRows(types, composite, unfolded), [types, composite, unfolded]);
  const columns = useMemo(() => memberColumns(types, rows, toggle), [types, rows, toggle]);
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
    <DetailSection title="Members" aside={layoutSummary(layout)}>
      <LayoutStrip
        types={types}
        composite={composite}
        selectedIndex={memberPath[0] ?? null}
        onSelect={(index) => choose([index])}
      />
      <div
        ref={frame}
        className={itemStyles.frame}
        style={{ height: itemTableHeight(rows.length, MOST_ROWS) + 2 }}
      >
        <VirtualTable
          label="Members"
          columns={columns}
          count={rows.length}
          rowHeight={ITEM_ROW_HEIGHT}
          selectedIndex={selectedIndex}
          onSelect={selectRow}
          onActivate={activateRow}
          scrollToIndex={isFromElsewhere ? selectedIndex : null}
        />
      </div>
    </DetailSection>
  );
}
