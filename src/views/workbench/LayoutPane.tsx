import { useMemo } from 'react';
import { keysToUnfold, memberRows, rowOfPath } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { changeOfItem } from '#analysis/workbench/changes.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Panel } from '#ui/Panel.tsx';
import { countOf, unusedTexts } from '#views/parts/number-text.ts';
import { StructDrawing } from '#views/parts/StructStrip.tsx';
import styles from './LayoutPane.module.css';
import type { PaneProps } from './subject.ts';

const LINE_BYTES = 8;
/** Rows that are drawn; Types has the rest. */
const MAX_MEMBERS = 500;

type LayoutPaneProps = PaneProps & {
  /** The struct or union to be drawn; null where there is none. */
  readonly composite: TypeId | null;
  readonly memberPath: readonly number[];
};

/** The selected struct or union to scale, eight bytes a line. */
export function LayoutPane({ composite, ...props }: LayoutPaneProps) {
  if (composite !== null) return <Layout {...props} composite={composite} />;
  return (
    <Panel title="Layout">
      <p className={styles.none}>No struct or union declared.</p>
    </Panel>
  );
}

/** For the eye and the pointer: the list of records says the same to the keyboard. */
function Layout(props: LayoutPaneProps & { readonly composite: TypeId }) {
  const { types, composite, memberPath, changes, pointed, onPoint } = props;
  const layout = useMemo(() => structLayout(types, composite), [types, composite]);
  const { sizeBytes } = layout;
  const rows = useMemo(
    () =>
      memberRows(types, composite, keysToUnfold(types, composite, 'unnamed')).slice(0, MAX_MEMBERS),
    [types, composite],
  );
  const scale = useMemo(() => drawToScale(rows, sizeBytes, LINE_BYTES, false), [rows, sizeBytes]);
  const name = drawnName(typeExpression(types, composite));
  const text = [countOf(sizeBytes, 'byte'), ...unusedTexts(layout)].join(', ');
  return (
    <Panel
      title="Layout"
      aside={
        <span className="small muted ellipsis" title={`${name}: ${text}`}>
          <bdi className="mono strong">{name}</bdi> {text}
        </span>
      }
    >
      {sizeBytes === 0 ? (
        <p className={styles.none}>It takes no bytes.</p>
      ) : (
        <div className={styles.scroller} {...scrollRegion('Layout to scale')}>
          <StructDrawing
            types={types}
            rows={rows}
            strips={scale.strips}
            lineBytes={LINE_BYTES}
            selectedRow={rowOfPath(rows, memberPath)}
            dataOf={({ path: [item = -1] }) => ({
              'data-change': (changes && changeOfItem(changes, composite, item)) ?? undefined,
              'data-pointed':
                pointed?.kind === 'record' && pointed.type === composite && pointed.item === item,
            })}
            onSelect={({ path }) => select(typeSelection(composite, path))}
            onPoint={(row) =>
              onPoint(row && { kind: 'record', type: composite, item: row.path[0] ?? null })
            }
          />
        </div>
      )}
    </Panel>
  );
}
