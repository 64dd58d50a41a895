import { typeTitle } from '#analysis/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './GraphToolbar.module.css';
import { DEPTHS, type Depth, type TypeGraph } from './graph-model.ts';

type GraphToolbarProps = {
  readonly types: TypeTable;
  readonly graph: TypeGraph;
  readonly selected: TypeId;
  readonly depth: Depth;
  readonly onDepth: (depth: Depth) => void;
  readonly onStart: (type: TypeId) => void;
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
};

const STEPS = DEPTHS.map((depth) => ({
  value: `${depth}`,
  label: depth === 1 ? '1 step' : `${depth} steps`,
}));

/** What the graph is of, how far it goes, and what can be done with the selected type. */
export function GraphToolbar(props: GraphToolbarProps) {
  const { types, graph, selected, depth, onDepth, onStart, isTable, onTable } = props;
  return (
    <Toolbar
      label="Graph"
      end={
        <Button aria-pressed={isTable} onClick={() => onTable(!isTable)}>
          Show as table
        </Button>
      }
    >
      <h2 className={styles.title}>
        <span className="visually-hidden">Graph of </span>
        <KindBadge kind={kindOf(types, graph.root)} />
        <span className={styles.name}>
          <Name text={typeTitle(types, graph.root)} />
        </span>
      </h2>
      <p className={styles.count} aria-live="polite">
        {countText(graph)}
      </p>
      <Segmented
        label="Depth"
        options={STEPS}
        value={`${depth}`}
        onChange={(value) => onDepth(DEPTHS.find((one) => `${one}` === value) ?? 1)}
      />
      <Button disabled={selected === graph.root} onClick={() => onStart(selected)}>
        Start here
      </Button>
      <Button variant="quiet" onClick={() => select(typeSelection(selected), 'types')}>
        Show type
      </Button>
    </Toolbar>
  );
}

function countText({ nodes, truncated }: TypeGraph): string {
  const others = nodes.length - 1;
  if (others === 0) return 'it refers to no other struct, union, enum or function';
  return truncated ? `the nearest ${countOf(nodes.length, 'type')}` : countOf(nodes.length, 'type');
}
