import { useCallback, useId, useMemo, useState } from 'react';
import { keysToUnfold, memberRows, pathKey, rowOfPath } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import { reorderedStruct, type WhatIf, whatIf } from '#analysis/layout/what-if.ts';
import { visible } from '#bytes/text.ts';
import { typeSelection } from '#model/selection.ts';
import { membersOf } from '#model/type-items.ts';
import { sizeOrTypeOf } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { Landmark } from '#ui/aria.tsx';
import { Callout } from '#ui/Callout.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LayoutSection.module.css';
import { usePahole } from './LayoutSection.tsx';
import { HUGE_NAMES, PAHOLE_LINE_HEIGHT, PaholePane } from './PaholePane.tsx';
import { DrawingControls, drawingHeight, type LineBytes, ScaleDrawing } from './ScaleDrawing.tsx';
import { type StructProps, useUnfolded } from './use-members.ts';

/** Shows a smaller order of the members, or why there is none. */
export function WhatIfSection(props: StructProps) {
  const titleId = useId();
  const { types, composite } = props;
  const outcome = useMemo<WhatIf>(() => whatIf(types, composite), [types, composite]);
  const verdict = useMemo(() => {
    const members = outcome.kind === 'smaller' ? membersOf(types, composite) : [];
    return verdictOf(outcome, sizeOrTypeOf(types, composite), members);
  }, [outcome, types, composite]);
  return (
    <Landmark className={styles.layout} aria-labelledby={titleId}>
      <h3 id={titleId} className="visually-hidden">
        Reorder members
      </h3>
      <Callout severity="note" title={verdict.title}>
        {verdict.text}
      </Callout>
      {outcome.kind === 'smaller' ? <Proposal {...props} proposal={outcome} /> : null}
      {outcome.kind === 'smaller' ? <p className={styles.note}>{CAVEAT}</p> : null}
    </Landmark>
  );
}

type ProposalProps = StructProps & {
  readonly proposal: Extract<WhatIf, { kind: 'smaller' }>;
};

/** Shows the present and the proposed order side by side, and the proposed order as text. */
function Proposal({ types, type, composite, memberPath, proposal }: ProposalProps) {
  const [lineBytes, setLineBytes] = useState<LineBytes>('8');
  const [onlyHoles, setOnlyHoles] = useState(false);
  const { order, moved } = proposal;
  const after = useMemo(
    () => reorderedStruct(types, composite, proposal),
    [types, composite, proposal],
  );
  const placeOf = useMemo(() => new Map(order.map((index, place) => [index, place])), [order]);
  const movedAfter = useMemo(
    () => new Set([...moved].map((index) => placeOf.get(index) ?? -1)),
    [moved, placeOf],
  );
  const pathAfter = useMemo(() => mapped(memberPath, (i) => placeOf.get(i)), [memberPath, placeOf]);
  const { text, pahole } = usePahole(after.types, after.type);
  const choose = useCallback(
    (path: readonly number[]) => select(typeSelection(type, path)),
    [type],
  );
  const chooseAfter = useCallback(
    (path: readonly number[]) => choose(mapped(path, (place) => order[place])),
    [choose, order],
  );
  const shown = { lineBytes: Number(lineBytes), onlyHoles };
  return (
    <>
      <DrawingControls
        lineBytes={lineBytes}
        onLineBytes={setLineBytes}
        hasHoles
        onlyHoles={onlyHoles}
        onOnlyHoles={setOnlyHoles}
      />
      <div className={styles.panes}>
        <ComparedDrawing
          title="Now"
          types={types}
          composite={composite}
          memberPath={memberPath}
          moved={moved}
          onChoose={choose}
          {...shown}
        />
        <ComparedDrawing
          title="Reordered"
          types={after.types}
          composite={after.type}
          memberPath={pathAfter}
          moved={movedAfter}
          onChoose={chooseAfter}
          {...shown}
        />
      </div>
      <div className={styles.line}>
        <h4 className="size-13">Proposed order</h4>
        <span className="at-end">
          <CopyButton text={text} label="Copy proposed order" isIconOnly />
        </span>
      </div>
      {text === '' ? (
        <p className={styles.note}>{HUGE_NAMES}</p>
      ) : (
        <div style={{ height: `min(${PAHOLE_LINE_HEIGHT * pahole.lines.length + 18}px, 58vh)` }}>
          <PaholePane
            pahole={pahole}
            selectedLine={pahole.lineOfPath.get(pathKey(pathAfter)) ?? null}
            onChoose={chooseAfter}
          />
        </div>
      )}
    </>
  );
}

/** Returns a member path whose first index is translated to the other order. */
function mapped(
  path: readonly number[],
  translate: (index: number) => number | undefined,
): readonly number[] {
  const [first, ...rest] = path;
  const index = first === undefined ? undefined : translate(first);
  return index === undefined ? [] : [index, ...rest];
}

type ComparedDrawingProps = Omit<StructProps, 'type'> & {
  readonly title: string;
  /** Indexes of the members that have another place in the other drawing. */
  readonly moved: ReadonlySet<number>;
  readonly lineBytes: number;
  readonly onlyHoles: boolean;
  readonly onChoose: (path: readonly number[]) => void;
};

/** Shows one of two orders of the same members, to scale. */
function ComparedDrawing(props: ComparedDrawingProps) {
  const { title, types, composite, memberPath, moved, lineBytes, onlyHoles, onChoose } = props;
  const { unfolded, toggle } = useUnfolded(memberPath, onChoose, () =>
    keysToUnfold(types, composite, 'unnamed'),
  );
  const rows = useMemo(() => memberRows(types, composite, unfolded), [types, composite, unfolded]);
  const sizeBytes = sizeOrTypeOf(types, composite);
  const scale = useMemo(
    () => drawToScale(rows, sizeBytes, lineBytes, onlyHoles),
    [rows, sizeBytes, lineBytes, onlyHoles],
  );
  return (
    <figure className={styles.figure}>
      <figcaption className="medium">
        {title} <span className="small mono soft regular">{countOf(sizeBytes, 'byte')}</span>
      </figcaption>
      <div style={{ height: `min(${Math.max(120, drawingHeight(scale))}px, 58vh)` }}>
        <ScaleDrawing
          label={`${title}, to scale`}
          types={types}
          rows={rows}
          scale={scale}
          selectedRow={rowOfPath(rows, memberPath)}
          marked={moved}
          firstShown={rows.findIndex((row) => moved.has(row.path[0] ?? -1) && row.depth === 0)}
          onSelect={onChoose}
          onToggle={toggle}
        />
      </div>
    </figure>
  );
}

type Verdict = { readonly title: string; readonly text: string };

const WHY: Readonly<Record<Extract<WhatIf, { kind: 'none' }>['why'], Verdict>> = {
  union: {
    title: 'The members of a union have no order',
    text: 'All members start at byte 0; the size is that of the largest.',
  },
  few: {
    title: 'Nothing to reorder',
    text: 'The struct has fewer than two members.',
  },
  wide: {
    title: 'Too many members to reorder',
    text: 'The limit is 10,000 members.',
  },
  base: {
    title: 'Unknown sizes',
    text: 'Types of members are in the base, which is not open. Open the base to reorder the members.',
  },
  packed: {
    title: 'This struct is packed',
    text: 'A member or the end of the struct is not aligned, as with __attribute__((packed)). No order is smaller.',
  },
  gap: {
    title: 'Unexplained gap',
    text: 'Alignment does not explain a gap: it may be an unnamed bit-field or reserved bytes. BTF does not record which, so no order is proposed.',
  },
  irregular: {
    title: 'Unusual layout',
    text: 'Members overlap, extend past the end, or are not in offset order. No order is proposed.',
  },
};

/** Maximum number of moved members that the sentence names. */
const MAX_NAMED = 6;

/** Describes the smaller order in a sentence, not escaped. `sizeBytes` is the present size. */
export function verdictOf(
  outcome: WhatIf,
  sizeBytes: number,
  members: readonly { readonly name: string }[],
): Verdict {
  switch (outcome.kind) {
    case 'none':
      return WHY[outcome.why];
    case 'same':
      return outcome.isLeast
        ? {
            title: `${countOf(sizeBytes, 'byte')} is the minimum for these members`,
            text: 'The unused bytes only round the size up to the alignment: in any order they remain as padding.',
          }
        : {
            title: 'No smaller order was found',
            text: 'Alignment, markers and bit-fields that must stay together allow no smaller order.',
          };
    case 'smaller':
      return {
        title: `${countOf(outcome.savedBytes, 'byte')} smaller: ${countOf(outcome.sizeBytes, 'byte')} instead of ${countOf(sizeBytes, 'byte')}`,
        text: `${countOf(outcome.moved.size, 'member')} of ${members.length} would move${movedNames(outcome.moved, members)}${linesSaved(sizeBytes, outcome.sizeBytes)}.${forcedText(outcome.forced)}`,
      };
  }
}

const CAVEAT =
  'Do not reorder structs whose layout is an interface: UAPI, on-disk and wire formats, hardware and assembly. BTF does not show which members share cache lines, nor attributes without effect today.';

function movedNames(
  moved: ReadonlySet<number>,
  members: readonly { readonly name: string }[],
): string {
  if (moved.size > MAX_NAMED) return '';
  const names = [...moved].map((index) => visible(members[index]?.name.slice(0, 60) ?? ''));
  return ` (${names.map((name) => name || '(anon)').join(', ')})`;
}

function linesSaved(before: number, after: number): string {
  const saved = Math.ceil(before / 64) - Math.ceil(after / 64);
  return saved > 0 ? `, and it would touch ${countOf(saved, 'cache line')} less` : '';
}

function forcedText(forced: ReadonlyMap<number, number>): string {
  if (forced.size === 0) return '';
  let most = 0;
  for (const bytes of forced.values()) most = Math.max(most, bytes);
  return ` ${countOf(forced.size, 'member')} appear${forced.size === 1 ? 's' : ''} over-aligned, up to ${countOf(most, 'byte')}; that alignment is kept.`;
}
