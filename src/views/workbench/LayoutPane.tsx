import { useMemo } from 'react';
import { keysToUnfold, memberRows } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import { type StructLayout, structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Panel } from '#ui/Panel.tsx';
import { countOf, widthText } from '#views/parts/number-text.ts';
import { LayoutDrawing } from './LayoutDrawing.tsx';
import styles from './LayoutPane.module.css';
import type { Lit, PaneProps } from './subject.ts';

const LINE_BYTES = 8;
/** Rows that are drawn; Types has the rest. */
const MAX_MEMBERS = 500;

type LayoutPaneProps = PaneProps & {
  /** The struct or union to be drawn; null where there is none. */
  readonly composite: TypeId | null;
  readonly memberPath: readonly number[];
  readonly lit: Lit | null;
};

/** The selected struct or union to scale, eight bytes a line. */
export function LayoutPane(props: LayoutPaneProps) {
  const { composite, types } = props;
  return (
    <Panel
      title="Layout"
      aside={composite === null ? null : <Facts types={types} composite={composite} />}
    >
      {composite === null ? (
        <p className={styles.none}>No struct and no union is declared.</p>
      ) : (
        <Drawing {...props} composite={composite} />
      )}
    </Panel>
  );
}

function Facts({ types, composite }: { readonly types: TypeTable; readonly composite: TypeId }) {
  const name = drawnName(typeExpression(types, composite));
  const words = useMemo(() => layoutWords(structLayout(types, composite)), [types, composite]);
  return (
    <span className="small muted ellipsis" title={`${name}: ${words}`}>
      <bdi className={styles.name}>{name}</bdi> {words}
    </span>
  );
}

function Drawing(props: LayoutPaneProps & { readonly composite: TypeId }) {
  const { types, composite, memberPath, changes, pointed, onPoint } = props;
  const layout = useMemo(() => structLayout(types, composite), [types, composite]);
  const rows = useMemo(
    () =>
      memberRows(types, composite, keysToUnfold(types, composite, 'unnamed')).slice(0, MAX_MEMBERS),
    [types, composite],
  );
  const scale = useMemo(
    () => drawToScale(rows, layout.sizeBytes, LINE_BYTES, false),
    [rows, layout],
  );
  if (layout.sizeBytes === 0) return <p className={styles.none}>It takes no bytes.</p>;
  return (
    <LayoutDrawing
      types={types}
      composite={composite}
      rows={rows}
      scale={scale}
      memberPath={memberPath}
      changes={changes}
      pointed={pointed}
      onPoint={onPoint}
    />
  );
}

/** The figures of a layout in a few words. */

/** `48 bytes, 2 holes of 7 bytes, 3 bytes of padding`. */
function layoutWords({ sizeBytes, holes, holeBits, paddingBits }: StructLayout): string {
  return [
    countOf(sizeBytes, 'byte'),
    holes > 0 ? `${countOf(holes, 'hole')} of ${widthText(holeBits)}` : '',
    paddingBits > 0 ? `${widthText(paddingBits)} of padding` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
