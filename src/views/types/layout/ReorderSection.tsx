import { useCallback, useMemo, useState } from 'react';
import { keysToUnfold, memberRows, pathKey, rowOfPath } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import { reorderedStruct, type WhatIf, whatIf } from '#analysis/layout/what-if.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { membersOf } from '#model/type-items.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { select } from '#store/navigation.ts';
import { Callout } from '#ui/Callout.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { HUGE_NAMES, hasHugeNames } from './huge-names.ts';
import styles from './LayoutSection.module.css';
import { PAHOLE_LINE_HEIGHT, PaholePane } from './PaholePane.tsx';
import { paholeLines } from './pahole-lines.ts';
import { CAVEAT, verdictOf } from './reorder-text.ts';
import { DrawingControls, drawingHeight, type LineBytes, ScaleDrawing } from './ScaleDrawing.tsx';
import { useUnfolded } from './use-members.ts';

export type WhatIfSectionProps = {
  readonly types: TypeTable;
  /** The selected type: a struct or union, or what stands for one. */
  readonly type: TypeId;
  /** The struct or union itself. */
  readonly composite: TypeId;
  readonly memberPath: readonly number[];
};

/** What if the members stood in another order: fewer bytes, or why not. */
export function WhatIfSection(props: WhatIfSectionProps) {
  const { types, composite } = props;
  const outcome = useMemo<WhatIf>(() => whatIf(types, composite), [types, composite]);
  const verdict = useMemo(() => {
    const members = outcome.kind === 'smaller' ? membersOf(types, composite) : [];
    return verdictOf(outcome, sizeOrTypeOf(types, composite), members);
  }, [outcome, types, composite]);
  return (
    <section className={styles.layout} aria-labelledby="what-if-heading">
      <h3 id="what-if-heading" className="visually-hidden">
        Reorder members
      </h3>
      <Callout severity="note" title={verdict.title}>
        {verdict.text}
      </Callout>
      {outcome.kind === 'smaller' ? <Proposal {...props} proposal={outcome} /> : null}
      {outcome.kind === 'smaller' ? <p className={styles.note}>{CAVEAT}</p> : null}
    </section>
  );
}

type ProposalProps = WhatIfSectionProps & {
  readonly proposal: Extract<WhatIf, { kind: 'smaller' }>;
};

/** The struct as it is and as it could be, beside each other, and the latter as text. */
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
  const text = useMemo(
    () => (hasHugeNames(after.types, after.type) ? '' : paholeOf(after.types, after.type)),
    [after],
  );
  const pahole = useMemo(() => paholeLines(after.types, after.type, text), [after, text]);
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
        <h4 className={styles.title}>Proposed order</h4>
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

/** The path with its first number as the other order has it. */
function mapped(
  path: readonly number[],
  other: (index: number) => number | undefined,
): readonly number[] {
  const [first, ...rest] = path;
  const found = first === undefined ? undefined : other(first);
  return found === undefined ? [] : [found, ...rest];
}

type ComparedDrawingProps = {
  readonly title: string;
  readonly types: TypeTable;
  readonly composite: TypeId;
  readonly memberPath: readonly number[];
  /** Numbers of the members that stand elsewhere in the other drawing. */
  readonly moved: ReadonlySet<number>;
  readonly lineBytes: number;
  readonly onlyHoles: boolean;
  readonly onChoose: (path: readonly number[]) => void;
};

/** One of two orders of the same members, to scale. */
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
        {title} <span className={styles.size}>{countOf(sizeBytes, 'byte')}</span>
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
          onSelect={(index) => {
            const row = rows[index];
            if (row !== undefined) onChoose(row.path);
          }}
          onToggle={(index) => {
            const row = rows[index];
            if (row !== undefined && row.inner !== null) toggle(row.path);
          }}
        />
      </div>
    </figure>
  );
}
