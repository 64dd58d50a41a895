import { Waypoints, Workflow } from 'lucide-react';
import { openParamOf } from '#analysis/graph/grow.ts';
import type { DescribedPath } from '#analysis/paths/describe-path.ts';
import { declarationOf, pathInBpf, pathInC } from '#analysis/paths/path-text.ts';
import { visible } from '#bytes/text.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { setCoreMode } from '#store/core-view.ts';
import { select } from '#store/navigation.ts';
import { setViewParam } from '#store/view-state.ts';
import { Button } from '#ui/Button.tsx';
import { Code } from '#ui/Code.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { AccessTable } from './AccessTable.tsx';
import styles from './WayTexts.module.css';

/** What to write for a way, and what the compiler makes of it. */
export function WayTexts({
  types,
  way,
}: {
  readonly types: TypeTable;
  readonly way: DescribedPath;
}) {
  const inC = pathInC(types, way);
  const inBpf = pathInBpf(types, way);
  const [first] = way.steps;
  return (
    <div className={styles.texts}>
      {inC === null || inBpf === null ? (
        <p className="soft">
          C has no name for an anonymous member. The access strings lead to it all the same.
        </p>
      ) : (
        <div className={styles.codes}>
          <section className={styles.part}>
            <h4 className="small soft">In C</h4>
            <Lines label="C expression" lines={[declarationOf(types, way), `${inC};`]} />
          </section>
          <section className={styles.part}>
            <h4 className="small soft">In a BPF program</h4>
            <Lines label="BPF reads" lines={inBpf} />
          </section>
        </div>
      )}
      <section className={styles.part}>
        <h4 className="small soft">CO-RE access strings, one for each object</h4>
        <AccessTable types={types} way={way} />
      </section>
      <div className="wrapping gap-2">
        <Button size="small" onClick={() => showInGraph(types, way)}>
          <Workflow size={14} aria-hidden />
          Show in the graph
        </Button>
        {first === undefined ? null : (
          <Button
            size="small"
            onClick={() => {
              setCoreMode('playground');
              select(typeSelection(first.root, first.memberPath), 'core');
            }}
          >
            <Waypoints size={14} aria-hidden />
            Show in the CO-RE playground
          </Button>
        )}
      </div>
    </div>
  );
}

function Lines({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  const text = lines.map(visible).join('\n');
  return (
    <Code label={label} text={text}>
      {drawnLines(text)}
    </Code>
  );
}

function showInGraph(types: TypeTable, way: DescribedPath): void {
  // The selected member is lit in the graph: the first step of the way.
  select(typeSelection(way.start, way.steps[0]?.memberPath ?? []), 'graph');
  const roots = [...new Set([way.start, ...way.steps.map(({ root }) => root)])];
  setViewParam('graph', 'open', openParamOf(types, roots));
  setViewParam('graph', 'path', null);
}
