import { useCallback, useMemo, useState } from 'react';
import { keysToUnfold, memberRows, pathKey, rowOfPath } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import { tagKeyword } from '#analysis/types/declarator.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { memberCount } from '#model/type-items.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { select } from '#store/navigation.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { HUGE_NAMES, hasHugeNames } from '#views/types/huge-names.ts';
import { MemberPager } from '#views/types/MemberPager.tsx';
import { useMemberPage } from '#views/types/use-member-page.ts';
import { useUnfolded } from '#views/types/use-unfolded.ts';
import { DrawingControls } from './DrawingControls.tsx';
import { KindLegend } from './KindLegend.tsx';
import { LayoutFacts } from './LayoutFacts.tsx';
import styles from './LayoutSection.module.css';
import { layoutFacts, unionFacts } from './layout-facts.ts';
import type { LineBytes } from './line-bytes.ts';
import { MemberReadout } from './MemberReadout.tsx';
import { MembersPane } from './MembersPane.tsx';
import { PAHOLE_LINE_HEIGHT, PaholePane } from './PaholePane.tsx';
import { paholeLines } from './pahole-lines.ts';
import { drawingHeight, ScaleDrawing } from './ScaleDrawing.tsx';
import { WhatIfHint } from './WhatIfHint.tsx';

const SIDES = [
  { value: 'pahole', label: 'pahole' },
  { value: 'members', label: 'Table' },
] as const;

type LayoutSectionProps = {
  readonly types: TypeTable;
  /** The selected type: a struct or union, or what stands for one. */
  readonly type: TypeId;
  /** The struct or union itself. */
  readonly composite: TypeId;
  readonly memberPath: readonly number[];
};

/** A struct or union to scale, with pahole's text or a table of its members beside it. */
export function LayoutSection({ types, type, composite, memberPath }: LayoutSectionProps) {
  const [lineBytes, setLineBytes] = useState<LineBytes>('8');
  const [onlyHoles, setOnlyHoles] = useState(false);
  const [side, setSide] = useState<(typeof SIDES)[number]['value']>('pahole');
  const [pointed, setPointed] = useState<number | null>(null);
  const choose = useCallback(
    (path: readonly number[]) => select(typeSelection(type, path)),
    [type],
  );
  const { unfolded, toggle, setUnfolded } = useUnfolded(memberPath, choose, () =>
    keysToUnfold(types, composite, 'unnamed'),
  );
  const [page, setPage] = useMemberPage(types, composite, memberPath);
  const { first, end } = page;
  const rows = useMemo(
    () => memberRows(types, composite, unfolded, { first, end }),
    [types, composite, unfolded, first, end],
  );
  const sizeBytes = sizeOrTypeOf(types, composite);
  const scale = useMemo(
    () => drawToScale(rows, sizeBytes, Number(lineBytes), onlyHoles),
    [rows, sizeBytes, lineBytes, onlyHoles],
  );
  const text = useMemo(
    () => (hasHugeNames(types, composite) ? '' : paholeOf(types, composite)),
    [types, composite],
  );
  const pahole = useMemo(() => paholeLines(types, composite, text), [types, composite, text]);
  const facts = useMemo(() => {
    const told = layoutFacts(pahole.lines);
    return told.length > 0 ? told : unionFacts(sizeBytes, memberCount(types, composite));
  }, [pahole, types, composite, sizeBytes]);
  const selectedRow = rowOfPath(rows, memberPath);
  const shownRow = rows[pointed ?? selectedRow ?? -1] ?? null;
  const hasHoles = rows.some((row) => row.kind !== 'member');

  const chooseRow = (index: number) => {
    const row = rows[index];
    if (row !== undefined) choose(row.path);
  };
  const toggleRow = (index: number) => {
    const row = rows[index];
    if (row !== undefined && row.inner !== null) toggle(row.path);
  };
  if (memberCount(types, composite) === 0 || sizeBytes === 0) {
    return (
      <p className={styles.note}>
        This {tagKeyword(types, composite)} takes no bytes: there is nothing to draw.
      </p>
    );
  }
  return (
    <section className={styles.layout} aria-labelledby="layout-heading">
      <h3 id="layout-heading" className="visually-hidden">
        Layout
      </h3>
      <div className={styles.figures}>
        <LayoutFacts facts={facts} />
        <WhatIfHint types={types} composite={composite} />
      </div>
      <MemberPager page={page} onPage={setPage} />
      <MemberReadout types={types} composite={composite} row={shownRow} />
      <div className={styles.panes}>
        <div className={styles.pane}>
          <DrawingControls
            lineBytes={lineBytes}
            onLineBytes={setLineBytes}
            hasHoles={hasHoles}
            onlyHoles={onlyHoles}
            onOnlyHoles={setOnlyHoles}
            onUnfoldAll={() => setUnfolded(keysToUnfold(types, composite, 'all'))}
            onFoldAll={() => {
              const [first] = memberPath;
              if (memberPath.length > 1 && first !== undefined) choose([first]);
              setUnfolded(new Set());
            }}
          />
          <div className={styles.box} style={heightOf(drawingHeight(scale))}>
            <ScaleDrawing
              label="Layout to scale"
              types={types}
              rows={rows}
              scale={scale}
              selectedRow={selectedRow}
              onSelect={chooseRow}
              onToggle={toggleRow}
              onPoint={setPointed}
            />
          </div>
          {scale.isCut ? (
            <p className={styles.note}>
              So many members overlap that the drawing ends before the struct does; the table has
              all of them.
            </p>
          ) : null}
          <KindLegend />
        </div>
        <div className={styles.pane}>
          <div className={styles.line}>
            <Segmented label="Beside it" options={SIDES} value={side} onChange={setSide} />
            <span className={styles.end}>
              <CopyButton text={text} label="Copy: layout as pahole prints it" isIconOnly />
            </span>
          </div>
          <div
            className={styles.box}
            style={heightOf(PAHOLE_LINE_HEIGHT * pahole.lines.length + SCROLLBAR)}
          >
            {side === 'pahole' && text === '' ? (
              <p className={styles.note}>{HUGE_NAMES}</p>
            ) : side === 'pahole' ? (
              <PaholePane
                pahole={pahole}
                selectedLine={pahole.lineOfPath.get(pathKey(memberPath)) ?? null}
                onChoose={choose}
              />
            ) : (
              <MembersPane
                types={types}
                rows={rows}
                onlyHoles={onlyHoles}
                memberPath={memberPath}
                onChoose={choose}
                toggle={toggle}
              />
            )}
          </div>
        </div>
      </div>
    </section>
  );
}

const SCROLLBAR = 18;

/** As high as its content, up to what leaves room for the rest of the page. */
function heightOf(pixels: number) {
  return { height: `min(${Math.max(160, pixels)}px, 60vh)` };
}
