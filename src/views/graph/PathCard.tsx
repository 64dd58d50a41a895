import { ChevronRight, Waypoints, Workflow } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { openParamOf } from '#analysis/graph/grow.ts';
import type { TypePath } from '#analysis/paths/ask-paths.ts';
import { type DescribedPath, describePath, type PathStep } from '#analysis/paths/describe-path.ts';
import { CONTAINER_TEXT, declarationOf, pathInBpf, pathInC } from '#analysis/paths/path-text.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { Code, CopyButton } from '#ui/CopyButton.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { Offset } from '#views/parts/Offset.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { placeText, pointersText, stepNotes } from './graph-text.ts';
import styles from './PathCard.module.css';
import { graphState } from './state.ts';

type PathCardProps = {
  readonly types: TypeTable;
  readonly path: TypePath;
  /** Position of the path in the list: 1 for the best path. */
  readonly rank: number;
  readonly isOpenAtFirst: boolean;
  readonly onHeadKey: (event: KeyboardEvent) => void;
};

/** Shows a path: its accesses and cost, and its code while the card is open. */
export function PathCard({ types, path, rank, isOpenAtFirst, onHeadKey }: PathCardProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const described = useMemo(() => describePath(types, path), [types, path]);
  const inC = pathInC(types, described);
  return (
    <li className={styles.card} data-open={isOpen}>
      <h3 className={styles.title}>
        <button
          type="button"
          className={styles.head}
          data-path-head
          aria-expanded={isOpen}
          aria-controls={`${id}body`}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={onHeadKey}
        >
          <ChevronRight size={14} aria-hidden className={styles.arrow} />
          <span className={styles.rank}>{rank}</span>
          <span className={styles.text}>
            {inC === null ? 'ends at a member without a name' : drawnName(inC)}
          </span>
          <Costs path={described} />
        </button>
      </h3>
      <div className={styles.chain}>
        <PathSteps types={types} path={described} />
      </div>
      <div id={`${id}body`} hidden={!isOpen}>
        {isOpen ? <PathTexts types={types} path={described} /> : null}
      </div>
    </li>
  );
}

type OfPath = { readonly types: TypeTable; readonly path: DescribedPath };

type StepProps = {
  readonly types: TypeTable;
  readonly step: PathStep;
  readonly through: DescribedPath['through'];
};

function Costs({ path }: Pick<OfPath, 'path'>) {
  const { cost, through } = path;
  return (
    <span className="wrapping gap-1">
      <Badge text={pointersText(path)} tone={cost.pointers === 0 ? 'ok' : 'kind-ptr'} />
      <Badge text={countOf(cost.members, 'step')} />
      {through === null ? null : <Badge text={CONTAINER_TEXT[through]} tone="warning" />}
    </span>
  );
}

/** Shows the objects in memory as boxes and the accesses as arrows between the boxes. */
function PathSteps({ types, path }: OfPath) {
  return (
    <ol className={styles.pathStepsChain} aria-label="Accesses">
      <li className={styles.link}>
        <TypeBox types={types} type={path.start} isEnd={false} />
      </li>
      {path.steps.map((step, i) => {
        const isLast = i === path.steps.length - 1;
        return (
          <li key={`${step.root}:${step.accessStr}:${step.to}`} className={styles.link}>
            <StepArrow types={types} step={step} through={path.through} />
            <TypeBox types={types} type={step.to} isEnd={isLast} />
          </li>
        );
      })}
    </ol>
  );
}

type TypeBoxProps = Pick<OfPath, 'types'> & { readonly type: TypeId; readonly isEnd: boolean };

function TypeBox({ types, type, isEnd }: TypeBoxProps) {
  const text = drawnName(typeExpression(types, type));
  if (type === 0) return <span className={styles.box}>{text}</span>;
  return (
    <button
      type="button"
      className={styles.box}
      data-end={isEnd}
      title={`Show ${text} under Types`}
      onClick={() => select(typeSelection(type), 'types')}
    >
      <KindBadge kind={kindOf(types, type)} decorative />
      <bdi className="ellipsis">{text}</bdi>
    </button>
  );
}

function StepArrow({ types, step, through }: StepProps) {
  const field = step.field === '' ? '(anonymous)' : drawnName(step.field);
  const isContainer = step.kind === 'container';
  const root = drawnName(typeExpression(types, step.root));
  const notes = stepNotes(step, through).map(drawnName);
  return (
    <button
      type="button"
      className={styles.pathStepsArrow}
      data-kind={step.beyond.length === 0 && !isContainer ? 'value' : step.kind}
      title={[`Show this member of ${root} under Types`, ...notes].join('\n')}
      onClick={() => select(typeSelection(step.root, step.memberPath), 'types')}
    >
      <span className="ellipsis text-center">
        <span className={styles.sign}>{isContainer ? 'container_of' : '.'}</span>
        <bdi className={styles.member}>{isContainer ? ` ${field}` : field}</bdi>
        {step.throughUnion ? <span className={styles.mark}>union</span> : null}
        {step.tags.map((tag) => (
          <span key={tag} className={styles.mark}>
            {drawnName(tag)}
          </span>
        ))}
      </span>
      <span className={styles.line} aria-hidden />
      <span className="tiny muted text-center">
        <Offset text={placeText(step)} />
      </span>
    </button>
  );
}

/** Shows a path as C code, as BPF code and as CO-RE access strings. */
function PathTexts({ types, path }: OfPath) {
  const inC = pathInC(types, path);
  const inBpf = pathInBpf(types, path);
  const [first] = path.steps;
  return (
    <div className="stack gap-3 line-above pad-3">
      {inC === null || inBpf === null ? (
        <p className="soft">
          An anonymous member has no name in C. The access strings still reach it.
        </p>
      ) : (
        <div className={styles.codes}>
          <section className="stack gap-1 shrink at-top">
            <h4 className="small soft">In C</h4>
            <Lines label="C expression" lines={[declarationOf(types, path), `${inC};`]} />
          </section>
          <section className="stack gap-1 shrink at-top">
            <h4 className="small soft">In a BPF program</h4>
            <Lines label="BPF reads" lines={inBpf} />
          </section>
        </div>
      )}
      <section className="stack gap-1 shrink at-top">
        <h4 className="small soft">CO-RE access strings</h4>
        <AccessTable types={types} path={path} />
      </section>
      <div className="wrapping gap-2">
        <Button size="small" onClick={() => showInGraph(types, path)} icon={Workflow}>
          Show in the graph
        </Button>
        {first === undefined ? null : (
          <Button size="small" onClick={() => showInPlayground(first)} icon={Waypoints}>
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

function showInPlayground({ root, memberPath }: PathStep): void {
  select(typeSelection(root, memberPath), 'playground');
}

function showInGraph(types: TypeTable, path: DescribedPath): void {
  // Select the member of the first step, because the graph highlights the selected member.
  select(typeSelection(path.start, path.steps[0]?.memberPath ?? []), 'graph');
  const roots = [...new Set([path.start, ...path.steps.map(({ root }) => root)])];
  graphState.set({ open: openParamOf(types, roots), path: null });
}

/** Shows the access strings of a path, as CO-RE records have them. */
function AccessTable({ types, path }: OfPath) {
  return (
    <div className={styles.scroller} {...scrollRegion('Access strings')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Root type</th>
            <th scope="col">Access string</th>
            <th scope="col">Member</th>
            <th scope="col">Offset</th>
            <th scope="col">Try it</th>
          </tr>
        </thead>
        <tbody>
          {path.steps.map((step) => (
            <AccessRow
              key={`${step.root}:${step.accessStr}:${step.to}`}
              types={types}
              step={step}
              through={path.through}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AccessRow({ types, step, through }: StepProps) {
  const notes = stepNotes(step, through);
  const isContainer = step.kind === 'container';
  return (
    <tr>
      <td>
        <TypeLink types={types} type={step.root} badge />
      </td>
      <td className="mono-code">
        <span className="inline-row gap-hair">
          {step.accessStr}
          <CopyButton text={step.accessStr} label={`Copy ${step.accessStr}`} isIconOnly />
        </span>
      </td>
      <td className="mono-code">
        {isContainer ? 'back from ' : ''}
        {step.field === '' ? '(anonymous)' : drawnName(step.field)}
        {notes.map((note) => (
          <p key={note} className={styles.note}>
            {drawnName(note)}
          </p>
        ))}
      </td>
      <td className="mono-code">
        <Offset text={placeText(step)} />
      </td>
      <td className={styles.try}>
        <Button
          size="small"
          variant="quiet"
          aria-label={`Try ${drawnName(typeExpression(types, step.root))} ${step.accessStr} in the playground`}
          onClick={() => showInPlayground(step)}
        >
          Playground
        </Button>
      </td>
    </tr>
  );
}
