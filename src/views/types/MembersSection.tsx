import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { type MemberRow, memberRows, pathKey, rowOfPath } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import { tagKeyword } from '#analysis/types/declarator.ts';
import { type StructLayout, structLayout } from '#analysis/types/struct-layout.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { hasHugeNames } from '#analysis/types/wide-types.ts';
import { typeSelection } from '#model/selection.ts';
import { memberCount } from '#model/type-items.ts';
import { sizeOrTypeOf } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import type { FileId } from '#store/session/session.ts';
import { useElementWidth } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import { useRowInSight } from '#ui/list-keys.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { unusedTexts } from '#views/parts/layout-text.ts';
import { MemberContextMenu, MemberMenu } from '#views/parts/MemberMenu.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { StructDrawing } from '#views/parts/StructStrip.tsx';
import {
  MemberPager,
  MembersTable,
  memberColumns,
  memberRowHeight,
  membersRoom,
} from '#views/types/layout/MembersTable.tsx';
import {
  type StructProps,
  useMemberPage,
  useMemberPins,
  useUnfolded,
} from '#views/types/layout/use-members.ts';
import itemStyles from './ItemTable.module.css';

type MembersSectionProps = StructProps & { readonly fileId: FileId };

/** Shows a drawing and a table of the members and holes. */
export function MembersSection(props: MembersSectionProps) {
  const { fileId, types, type, composite, memberPath } = props;
  const frame = useRef<HTMLDivElement>(null);
  const room = membersRoom(useElementWidth(frame));
  const rowHeight = memberRowHeight(room);
  // Row that was chosen here. It is visible, so do not scroll to it.
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
  const selectedIndex = rowOfPath(rows, memberPath);
  // The menu follows the selection a little later, so that other views are drawn first.
  const menuIndex = useDeferredValue(selectedIndex);
  const owner = useMemo(() => typeTitle(types, type), [types, type]);
  const columns = useMemo(() => {
    const selected = rows[menuIndex ?? -1] ?? null;
    const path = selected?.path ?? [];
    const menu = <MemberMenu types={types} type={type} memberPath={path} />;
    return memberColumns(types, rows, toggle, {
      pins,
      copy: { selected, menu },
      room,
      hasKinds: room !== 'tight',
      owner,
    });
  }, [types, type, rows, toggle, pins, menuIndex, room, owner]);
  useRowInSight(frame, selectedIndex, isFromElsewhere ? rows.length : null);

  if (memberCount(types, composite) === 0) {
    return (
      <DetailSection title="Members">
        <p className="muted">This {tagKeyword(types, composite)} has no members.</p>
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
        data-tight={room !== 'wide'}
        style={{ height: tableHeight(rows.length, rows.length, rowHeight) + 2 }}
      >
        <MemberContextMenu className="tall" types={types} type={type} memberPath={memberPath}>
          <MembersTable
            isWhole
            columns={columns}
            rowHeight={rowHeight}
            rows={rows}
            memberPath={memberPath}
            onChoose={choose}
            toggle={toggle}
            scrollToIndex={isFromElsewhere ? selectedIndex : null}
          />
        </MemberContextMenu>
      </div>
    </DetailSection>
  );
}

/** Maximum size in bytes of a struct that is drawn here. Layout draws larger ones. */
const MAX_BYTES = 256;
const MAX_MEMBERS = 256;
const MAX_STRIPS = 16;
const LINE_BYTES = 64;

const NO_ROWS: readonly MemberRow[] = [];
const FOLDED: ReadonlySet<string> = new Set();

type LayoutStripProps = Pick<StructProps, 'types' | 'composite'> & {
  /** Index of the selected member; null if no member is selected. */
  readonly selectedIndex: number | null;
  readonly onSelect: (index: number) => void;
};

/** Shows a small struct to scale, in lines of 64 bytes. */
function LayoutStrip({ types, composite, selectedIndex, onSelect }: LayoutStripProps) {
  const sizeBytes = sizeOrTypeOf(types, composite);
  const isSmall = useMemo(
    () =>
      sizeBytes <= MAX_BYTES &&
      memberCount(types, composite) <= MAX_MEMBERS &&
      !hasHugeNames(types, composite),
    [types, composite, sizeBytes],
  );
  const rows = useMemo(
    () => (isSmall ? memberRows(types, composite, FOLDED) : NO_ROWS),
    [types, composite, isSmall],
  );
  const scale = useMemo(
    () => drawToScale(rows, sizeBytes, Math.min(LINE_BYTES, Math.max(1, sizeBytes)), false),
    [rows, sizeBytes],
  );
  const { strips, lineBytes } = scale;
  if (strips.length === 0 || strips.length > MAX_STRIPS) return null;
  return (
    <StructDrawing
      types={types}
      rows={rows}
      strips={strips}
      lineBytes={lineBytes}
      selectedRow={selectedIndex === null ? null : rowOfPath(rows, [selectedIndex])}
      onSelect={(row) => onSelect(row.index)}
    />
  );
}

/** Returns `112 members, 3 holes of 12 bytes`. `total` counts the members on all pages. */
function layoutSummary(layout: StructLayout, total: number): string {
  const { rows, outOfOrder } = layout;
  const members = rows.filter((row) => row.kind === 'member').length;
  const of = members < total ? `${grouped(members)} of ` : '';
  return [
    `${of}${countOf(total, 'member')}`,
    ...unusedTexts(layout),
    ...(outOfOrder ? ['shown by offset, not as declared'] : []),
  ].join(', ');
}
