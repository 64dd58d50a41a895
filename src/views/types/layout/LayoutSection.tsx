import { Shrink } from 'lucide-react';
import { useCallback, useId, useMemo, useState } from 'react';
import {
  keysToUnfold,
  type MemberRow,
  memberRows,
  rowOfPath,
} from '#analysis/layout/member-rows.ts';
import { drawLinesToScale, drawToScale } from '#analysis/layout/scale.ts';
import { whatIf } from '#analysis/layout/what-if.ts';
import { tagKeyword } from '#analysis/types/declarator.ts';
import { hasHugeNames } from '#analysis/types/wide-types.ts';
import { visible } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { memberAt, memberCount } from '#model/type-items.ts';
import { kindOf, sizeOrTypeOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { select } from '#store/address/navigation.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { MemberContextMenu, MemberMenu } from '#views/parts/MemberMenu.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { boxSize, gapText, longPlaceText, StructDrawing } from '#views/parts/StructStrip.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './LayoutSection.module.css';
import { MemberPager, MembersPane } from './MembersTable.tsx';
import { HUGE_NAMES, PAHOLE_LINE_HEIGHT, PaholePane } from './PaholePane.tsx';
import {
  type LayoutFact,
  layoutFacts,
  lineOfPath,
  paholeLines,
  unionFacts,
} from './pahole-lines.ts';
import { DrawingControls, drawingHeight, type LineBytes, ScaleDrawing } from './ScaleDrawing.tsx';
import { type StructProps, useMemberPage, useUnfolded } from './use-members.ts';

const SIDES = { pahole: 'pahole', members: 'Table' } as const;

type LayoutSectionProps = StructProps & {
  /** Called to open the mode Reorder. */
  readonly onReorder: () => void;
};

/** Shows a struct or union to scale, beside pahole's text or a table of its members. */
export function LayoutSection(props: LayoutSectionProps) {
  const { types, type, composite, memberPath, onReorder } = props;
  const titleId = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const layout = useLayout(props);
  const { rows, lineBytes, sizeBytes, selectedRow, choose } = layout;
  const bits = useMemo(
    () => bitsAround(rows, selectedRow, sizeBytes),
    [rows, selectedRow, sizeBytes],
  );
  const pahole = usePahole(types, composite);

  if (memberCount(types, composite) === 0 || sizeBytes === 0) {
    return <p className={styles.note}>This {tagKeyword(types, composite)} has no bytes.</p>;
  }
  return (
    <Landmark className={styles.layout} aria-labelledby={titleId}>
      <h3 id={titleId} className="visually-hidden">
        Layout
      </h3>
      <div className={styles.figures}>
        <LayoutFacts facts={pahole.facts} />
        <WhatIfHint types={types} composite={composite} onReorder={onReorder} />
      </div>
      <MemberPager page={layout.page} onPage={layout.setPage} />
      <div className={styles.line}>
        <MemberReadout
          types={types}
          composite={composite}
          row={rows[pointed ?? selectedRow ?? -1] ?? null}
        />
        {memberPath.length === 0 ? null : (
          <MemberMenu types={types} type={type} memberPath={memberPath} />
        )}
      </div>
      {bits === null || lineBytes === '1' ? null : (
        <div className={styles.bits}>
          <StructDrawing
            label="The selected bit-field and those beside it, larger"
            types={types}
            rows={rows}
            lineBytes={bits.lineBytes}
            strips={bits.strips}
            selectedRow={selectedRow}
            onSelect={({ path }) => choose(path)}
          />
        </div>
      )}
      <MemberContextMenu className={styles.panes} types={types} type={type} memberPath={memberPath}>
        <LayoutDrawing {...{ types, composite, memberPath, layout }} onPoint={setPointed} />
        <BesideDrawing {...{ types, memberPath, layout, pahole }} />
      </MemberContextMenu>
    </Landmark>
  );
}

type Layout = ReturnType<typeof useLayout>;

/** Returns the state of the drawing: unfolded members, page, bytes per row. */
function useLayout({ types, type, composite, memberPath }: StructProps) {
  const [chosenBytes, setLineBytes] = useState<LineBytes | null>(null);
  const [onlyHoles, setOnlyHoles] = useState(false);
  const choose = useCallback(
    (path: readonly number[]) => select(typeSelection(type, path)),
    [type],
  );
  const folding = useUnfolded(memberPath, choose, () => keysToUnfold(types, composite, 'unnamed'));
  const { unfolded } = folding;
  const [page, setPage] = useMemberPage(types, composite, memberPath);
  const { first, end } = page;
  const rows = useMemo(
    () => memberRows(types, composite, unfolded, { first, end }),
    [types, composite, unfolded, first, end],
  );
  const sizeBytes = sizeOrTypeOf(types, composite);
  const lineBytes = chosenBytes ?? (isMostlyBits(rows) ? '1' : '8');
  const scale = useMemo(
    () => drawToScale(rows, sizeBytes, Number(lineBytes), onlyHoles),
    [rows, sizeBytes, lineBytes, onlyHoles],
  );
  return {
    ...folding,
    choose,
    page,
    setPage,
    rows,
    sizeBytes,
    lineBytes,
    setLineBytes,
    onlyHoles,
    setOnlyHoles,
    scale,
    selectedRow: rowOfPath(rows, memberPath),
  };
}

/** Returns pahole's text of the type, its lines, and its summary. */
export function usePahole(types: TypeTable, composite: TypeId) {
  const text = useMemo(
    () => (hasHugeNames(types, composite) ? '' : paholeOf(types, composite)),
    [types, composite],
  );
  const pahole = useMemo(() => paholeLines(types, composite, text), [types, composite, text]);
  const facts = useMemo(() => {
    const summary = layoutFacts(pahole.lines);
    return summary.length > 0
      ? summary
      : unionFacts(sizeOrTypeOf(types, composite), memberCount(types, composite));
  }, [pahole, types, composite]);
  return { text, pahole, facts };
}

type LayoutDrawingProps = Pick<StructProps, 'types' | 'composite' | 'memberPath'> & {
  readonly layout: Layout;
  /** Called with the index of the row under the pointer; null if there is none. */
  readonly onPoint: (row: number | null) => void;
};

/** Shows the members to scale, with controls for the drawing. */
function LayoutDrawing({ types, composite, memberPath, layout, onPoint }: LayoutDrawingProps) {
  const { rows, scale, choose, setUnfolded } = layout;
  return (
    <div className="stack gap-2">
      <DrawingControls
        lineBytes={layout.lineBytes}
        onLineBytes={layout.setLineBytes}
        hasHoles={rows.some((row) => row.kind !== 'member')}
        onlyHoles={layout.onlyHoles}
        onOnlyHoles={layout.setOnlyHoles}
        onUnfoldAll={() => setUnfolded(keysToUnfold(types, composite, 'all'))}
        onFoldAll={() => {
          const [first] = memberPath;
          if (memberPath.length > 1 && first !== undefined) choose([first]);
          setUnfolded(new Set());
        }}
      />
      <div className="shrink-y" style={heightOf(drawingHeight(scale))}>
        <ScaleDrawing
          label="Layout to scale"
          types={types}
          rows={rows}
          scale={scale}
          selectedRow={layout.selectedRow}
          onSelect={choose}
          onToggle={layout.toggle}
          onPoint={onPoint}
        />
      </div>
      {scale.isCut ? (
        <p className={styles.note}>
          Too many overlapping members to draw the whole struct; the table lists all of them.
        </p>
      ) : null}
      <KindLegend />
    </div>
  );
}

type BesideDrawingProps = Pick<StructProps, 'types' | 'memberPath'> & {
  readonly layout: Layout;
  readonly pahole: ReturnType<typeof usePahole>;
};

/** Shows pahole's text or the table of members. */
function BesideDrawing({ types, memberPath, layout, pahole }: BesideDrawingProps) {
  const [side, setSide] = useState<keyof typeof SIDES>('pahole');
  const { rows, onlyHoles, choose, toggle } = layout;
  const { text, pahole: lines } = pahole;
  return (
    <div className="stack gap-2">
      <div className={styles.line}>
        <Segmented label="Beside it" options={SIDES} value={side} onChange={setSide} />
        <span className="at-end">
          <CopyButton text={text} label="Copy: layout as pahole prints it" isIconOnly />
        </span>
      </div>
      <div
        className="shrink-y"
        style={heightOf(PAHOLE_LINE_HEIGHT * lines.lines.length + SCROLLBAR)}
      >
        {side === 'pahole' && text === '' ? (
          <p className={styles.note}>{HUGE_NAMES}</p>
        ) : side === 'pahole' ? (
          <PaholePane
            pahole={lines}
            selectedLine={lineOfPath(lines, memberPath)}
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
  );
}

/** Returns true if half of the members are bit-fields: rows of 8 bytes are then too coarse. */
export function isMostlyBits(rows: readonly MemberRow[]): boolean {
  const members = rows.filter(({ kind }) => kind === 'member');
  const bitfields = members.filter((row) => row.kind === 'member' && row.isBitfield);
  return bitfields.length > 0 && 2 * bitfields.length >= members.length;
}

/** Number of bytes in the enlarged line. */
const BITS_LINE = 2;

/** Returns an enlarged line with the selected bit-field; null if no bit-field is selected. */
function bitsAround(rows: readonly MemberRow[], selected: number | null, sizeBytes: number) {
  const row = rows[selected ?? -1];
  if (row?.kind !== 'member' || !row.isBitfield) return null;
  const line = Math.floor(row.bitOffset / (8 * BITS_LINE));
  const { lineBytes, strips } = drawLinesToScale(rows, sizeBytes, BITS_LINE, [line]);
  const isBitfield = (index: number) => {
    const member = rows[index];
    return member?.kind === 'member' && member.isBitfield;
  };
  // Keep only bit-fields: neither the members around them nor other members on the same bytes.
  const shown = strips.filter(
    (strip) => strip.kind === 'bytes' && strip.boxes.some((box) => isBitfield(box.row)),
  );
  return { lineBytes, strips: shown };
}

const SCROLLBAR = 18;

/** Returns the height of the content, limited so that the rest of the page stays visible. */
function heightOf(pixels: number) {
  return { height: `min(${Math.max(160, pixels)}px, 60vh)` };
}

/** Names of the facts about unused bytes, which are shown as warnings. */
const LOSSES: ReadonlySet<string> = new Set([
  'holes',
  'sum holes',
  'padding',
  'bit holes',
  'sum bit holes',
  'bit_padding',
]);

/** Shows the summary at the end of pahole's text. */
function LayoutFacts({ facts }: { readonly facts: readonly LayoutFact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ term, value }) => (
        <div key={term} className={styles.fact} data-loss={LOSSES.has(term)}>
          <dt>{term}</dt>
          <dd>{value.replace(/^\d+/, (digits) => grouped(Number(digits)))}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows a button that leads to a smaller order of the members; hidden if there is none. */
function WhatIfHint({
  types,
  composite,
  onReorder,
}: Pick<LayoutSectionProps, 'types' | 'composite' | 'onReorder'>) {
  const proposal = useMemo(() => whatIf(types, composite), [types, composite]);
  if (proposal.kind !== 'smaller') return null;
  return (
    <Button size="small" onClick={onReorder} icon={Shrink}>
      Reordering saves {countOf(proposal.savedBytes, 'byte')}
    </Button>
  );
}

const FAMILIES: readonly (readonly [kind: number, name: string])[] = [
  [BtfKind.INT, 'number'],
  [BtfKind.PTR, 'pointer'],
  [BtfKind.ARRAY, 'array'],
  [BtfKind.STRUCT, 'struct'],
  [BtfKind.UNION, 'union'],
  [BtfKind.ENUM, 'enum'],
];

function KindLegend() {
  return (
    <p className={styles.legend}>
      {FAMILIES.map(([kind, name]) => (
        <span key={kind} className={styles.entry}>
          <KindBadge kind={kind} decorative />
          {name}
        </span>
      ))}
      <span className={styles.entry}>
        <span className={styles.hatch} aria-hidden="true" />
        hole, padding
      </span>
    </p>
  );
}

type MemberReadoutProps = Pick<StructProps, 'types' | 'composite'> & {
  /** Row under the pointer, else the selected row; null if there is neither. */
  readonly row: MemberRow | null;
};

/** Shows offset, size, bits and type of one member, in a line of constant height. */
function MemberReadout({ types, composite, row }: MemberReadoutProps) {
  if (row === null) {
    return (
      <p className={styles.readout}>
        <span className={styles.hint}>
          Point at a member or use the arrow keys. Enter expands it.
        </span>
      </p>
    );
  }
  const { bitOffset, bitSize } = row;
  const cacheLine = Math.floor(bitOffset / 512);
  return (
    <p className={styles.readout}>
      {row.kind === 'member' ? (
        <>
          <KindBadge kind={kindOf(types, skipModifiers(types, row.type))} decorative />
          <strong className="shrink ellipsis strong">{pathText(types, composite, row.path)}</strong>
        </>
      ) : (
        <strong className={styles.gap}>{gapText(row)}</strong>
      )}
      <span>at {longPlaceText(bitOffset)}</span>
      <span>{boxSize(row)}</span>
      <span>
        bits {grouped(bitOffset)}–{grouped(Math.max(bitOffset, bitOffset + bitSize - 1))}
      </span>
      <span>cache line {grouped(cacheLine)}</span>
      {row.kind === 'member' ? (
        <span className="shrink clip">
          <TypeLink types={types} type={row.type} />
        </span>
      ) : null}
    </p>
  );
}

const MAX_STEPS = 12;
const MAX_NAME = 100;

/** Returns the path of a member, escaped: `se.cfs_rq`; `(anon)` without a name. Cuts long paths. */
export function pathText(types: TypeTable, composite: TypeId, path: readonly number[]): string {
  const names: string[] = [];
  let at = composite;
  for (const index of path) {
    const member = memberAt(types, at, index);
    if (member === null) break;
    if (member.name !== '') names.push(visible(member.name.slice(0, MAX_NAME)));
    at = skipModifiers(types, member.type);
  }
  if (names.length === 0) return '(anon)';
  return names.length > MAX_STEPS ? `….${names.slice(-MAX_STEPS).join('.')}` : names.join('.');
}
