import { type HierarchyRectangularNode, hierarchy, treemap } from 'd3-hierarchy';
import { useMemo } from 'react';
import type { StructSize, TypeCensus } from '#analysis/types/type-census.ts';
import { drawnName } from '#bytes/text.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { type Active, useAnswer } from '#store/session/hooks.ts';
import { Histogram } from '#ui/bars.tsx';
import { grouped } from '#ui/grouped.ts';
import { hint } from '#ui/hints.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { OverviewCard } from './OverviewCard.tsx';
import styles from './StructsCard.module.css';

/** Number of structs from which on their areas tell something. */
const LEAST_DRAWN = 4;
const ASKED = { structs: 120, referred: 12 };

/** Shows a treemap of the largest structs, and the types with the most references to them. */
export function StructsCard({ id, types }: Active & { readonly types: TypeTable }) {
  const { value: census } = useAnswer(id, 'census', ASKED);
  if (census === null || census.structs.length === 0) return null;
  return (
    <>
      {census.structs.length < LEAST_DRAWN ? null : (
        <div className={styles.picture}>
          <OverviewCard
            title="Structs by size"
            aside={aside(census)}
            about="Areas are to scale; the hatched part of a struct are holes and padding."
          >
            <Treemap types={types} census={census} />
          </OverviewCard>
        </div>
      )}
      {census.referred.length === 0 ? null : (
        <OverviewCard
          title="Most referred-to types"
          about="How many members, parameters, results, variables and typedefs are of the type or lead to it."
        >
          <Histogram
            label="Most referred-to types"
            items={census.referred.map(({ type, count }) => ({
              id: `${type}`,
              label: drawnName(nameOf(types, type)),
              value: count,
              mark: <KindBadge kind={kindOf(types, type)} decorative />,
            }))}
            onSelect={(row) => {
              select(typeSelection(typeId(Number(row))), 'types');
            }}
          />
        </OverviewCard>
      )}
    </>
  );
}

function aside({ structs, others }: TypeCensus): string {
  const shown = `the largest ${grouped(structs.length)}`;
  if (others.count === 0) return shown;
  return `${shown}; ${countOf(others.count, 'other')} of ${sizeText(others.bytes)} in all are not drawn`;
}

/** Width of the treemap in its own units. The treemap is scaled to the card. */
const WIDTH = 1000;
const HEIGHT = 420;
/** Size in units of the treemap below which a cell does not show its name. */
const NAMED = { width: 46, height: 18 };

function Treemap({ types, census }: { readonly types: TypeTable; readonly census: TypeCensus }) {
  const cells = useMemo(() => cellsOf(census.structs), [census]);
  return (
    <ul className={styles.map} aria-label="Structs by size" data-to-scale>
      {cells.map((cell) => (
        <Cell key={cell.data.struct?.type} types={types} cell={cell} />
      ))}
    </ul>
  );
}

/** A cell of the treemap. `struct` is null for the root, which contains all other cells. */
type Part = { readonly struct: StructSize | null; readonly children?: readonly Part[] };
type PlacedPart = HierarchyRectangularNode<Part>;

function cellsOf(structs: readonly StructSize[]): readonly PlacedPart[] {
  const whole: Part = { struct: null, children: structs.map((struct) => ({ struct })) };
  const root = hierarchy(whole, ({ children }) => children).sum(({ struct }) => struct?.bytes ?? 0);
  return treemap<Part>().size([WIDTH, HEIGHT]).padding(1)(root).children ?? [];
}

function Cell({ types, cell }: { readonly types: TypeTable; readonly cell: PlacedPart }) {
  const { x0, x1, y0, y1, data } = cell;
  if (data.struct === null) return null;
  const { type, bytes, padding } = data.struct;
  const name = drawnName(nameOf(types, type));
  const about = `${name}, ${countOf(bytes, 'byte')}${padding === 0 ? '' : `, ${countOf(padding, 'byte')} of holes and padding`}`;
  const isNamed = x1 - x0 >= NAMED.width && y1 - y0 >= NAMED.height;
  return (
    <li
      className={styles.cell}
      style={{
        left: `${(100 * x0) / WIDTH}%`,
        top: `${(100 * y0) / HEIGHT}%`,
        width: `${(100 * (x1 - x0)) / WIDTH}%`,
        height: `${(100 * (y1 - y0)) / HEIGHT}%`,
      }}
    >
      <button
        type="button"
        className={styles.struct}
        aria-label={about}
        {...hint(about)}
        onClick={() => select(typeSelection(type), 'types')}
      >
        {padding === 0 ? null : (
          <span
            aria-hidden
            className={styles.padding}
            style={{ height: `${(100 * padding) / Math.max(1, bytes)}%` }}
          />
        )}
        {isNamed ? <span className={styles.name}>{name}</span> : null}
      </button>
    </li>
  );
}
