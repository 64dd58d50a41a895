import { useCallback, useMemo, useState } from 'react';
import { pathKey } from '#analysis/layout/member-rows.ts';
import { reorderedStruct, type WhatIf } from '#analysis/layout/what-if.ts';
import { typeSelection } from '#model/selection.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { select } from '#store/navigation.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { HUGE_NAMES, hasHugeNames } from '#views/types/huge-names.ts';
import { ComparedDrawing } from './ComparedDrawing.tsx';
import { DrawingControls } from './DrawingControls.tsx';
import styles from './LayoutSection.module.css';
import type { LineBytes } from './line-bytes.ts';
import { PAHOLE_LINE_HEIGHT, PaholePane } from './PaholePane.tsx';
import { paholeLines } from './pahole-lines.ts';
import type { WhatIfSectionProps } from './WhatIfSection.tsx';

type ProposalProps = WhatIfSectionProps & {
  readonly proposal: Extract<WhatIf, { kind: 'smaller' }>;
};

/** The struct as it is and as it could be, beside each other, and the latter as text. */
export function Proposal({ types, type, composite, memberPath, proposal }: ProposalProps) {
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
          title="In another order"
          types={after.types}
          composite={after.type}
          memberPath={pathAfter}
          moved={movedAfter}
          onChoose={chooseAfter}
          {...shown}
        />
      </div>
      <div className={styles.line}>
        <h4 className={styles.title}>The proposed order as text</h4>
        <span className={styles.end}>
          <CopyButton text={text} label="Copy: the proposed order" isIconOnly />
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
