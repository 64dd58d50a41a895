import { Workflow } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Scene, SceneBox } from '#analysis/graph/scene.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { CoreIndex, TypeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { usePaneHighlight } from '#store/session/highlight.ts';
import { useActive } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Chip } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { column, NUMBER, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { MemberContextMenu, MemberMenu } from '#views/parts/MemberMenu.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, shortSize } from '#views/parts/number-text.ts';
import { Pinned, usePinsByType } from '#views/parts/PinMark.tsx';
import { TypeSuggestions } from '#views/parts/TypePicker.tsx';
import { ExportButtons } from './ExportButtons.tsx';
import { GraphStage } from './GraphStage.tsx';
import styles from './GraphView.module.css';
import { selectNode, startAt, toggleNode } from './graph-actions.ts';
import {
  type BoxPin,
  type GraphSubject,
  marksOf,
  matchesIn,
  pinsIn,
  subjectOf,
  useGraph,
} from './graph-marks.ts';
import { edgesFromText, edgesToText } from './graph-text.ts';
import { PathsPane } from './PathsPane.tsx';
import { ReferrersPanel } from './ReferrersPanel.tsx';
import { graphState } from './state.ts';

/** Shows the graph of types around the selected type, or paths between two types. */
export function GraphView() {
  const active = useActive();
  const isPaths = graphState.useOf(active?.id ?? 0).path !== null;
  const model = active?.model ?? null;
  const selection = active?.selection ?? null;
  const subject = useMemo(
    () =>
      model === null || model.types === null || selection === null
        ? null
        : subjectOf(model, model.types, selection),
    [model, selection],
  );
  if (active === null || model === null) return null;
  if (model.types === null) {
    return (
      <EmptyState
        icon={<Workflow size={28} aria-hidden />}
        title="No graph: no readable BTF"
        text="The graph shows how types refer to each other, as section .BTF describes them."
      />
    );
  }
  const mode = <ModeSwitch isPaths={isPaths} />;
  if (!isPaths && subject !== null) {
    return (
      <GraphPane
        id={active.id}
        types={model.types}
        subject={subject}
        selection={active.selection}
        mode={mode}
      />
    );
  }
  return (
    <div className="stack shrink-y tall head-and-body">
      <Toolbar label="Graph">{mode}</Toolbar>
      {isPaths ? (
        <PathsPane key={active.id} active={active} types={model.types} />
      ) : (
        <EmptyState
          icon={<Workflow size={28} aria-hidden />}
          title="No type selected"
          text="The graph shows the types that a struct contains and points to, up to three steps away. Open any type from Types."
          actions={<TypeSuggestions model={model} view="graph" />}
        />
      )}
    </div>
  );
}

type GraphPaneProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly subject: GraphSubject;
  readonly selection: Selection;
  readonly mode: ReactNode;
};

const NO_PATH: readonly number[] = [];
const NO_PINS: ReadonlyMap<number, readonly BoxPin[]> = new Map();

/** Shows the graph around a root, the type most recently selected in another view. */
function GraphPane({ id, types, subject, selection, mode }: GraphPaneProps) {
  const scene = useGraph(id, types, subject);
  const [isTable, setTable] = useState(false);
  const [hasReferrers, setReferrers] = useState(false);
  const { type } = subject;
  const path = selection.kind === 'type' ? selection.memberPath : NO_PATH;
  const written = usePaneHighlight()?.written ?? null;
  const marks = useMemo(
    () => (scene === null ? null : marksOf(scene, subject, written)),
    [scene, subject, written],
  );
  const pinned = usePinsByType(id, types);
  const pins = useMemo(() => (scene === null ? NO_PINS : pinsIn(scene, pinned)), [scene, pinned]);
  return (
    <div className="column tall">
      <GraphToolbar
        types={types}
        scene={scene}
        selected={type}
        mode={mode}
        end={
          <>
            <MemberMenu types={types} type={type} memberPath={path} />
            <Button aria-pressed={hasReferrers} onClick={() => setReferrers(!hasReferrers)}>
              Referrers
            </Button>
            <Button aria-pressed={isTable} onClick={() => setTable(!isTable)}>
              Show as table
            </Button>
            {scene === null ? null : (
              <ExportButtons scene={scene} name={visible(typeTitle(types, scene.picture.root))} />
            )}
          </>
        }
      />
      {selection.kind === 'core' ? (
        <PathBar core={selection.core} path={subject.path} step={subject.step} />
      ) : null}
      <div className={styles.body}>
        {scene === null || marks === null ? (
          <p className={styles.waiting}>Laying out the graph…</p>
        ) : isTable ? (
          <GraphTable scene={scene} selected={marks.selected} pins={pins} />
        ) : (
          <MemberContextMenu className={styles.stage} types={types} type={type} memberPath={path}>
            <GraphStage
              // A new key resets the camera when the root changes.
              key={`${id}:${scene.picture.root}`}
              scene={scene}
              marks={marks}
              pins={pins}
            />
          </MemberContextMenu>
        )}
        {scene !== null && hasReferrers ? (
          <ReferrersPanel id={id} scene={scene} type={type} onClose={() => setReferrers(false)} />
        ) : null}
      </div>
    </div>
  );
}

type PathBarProps = { readonly core: CoreIndex } & Pick<GraphSubject, 'path' | 'step'>;

/** Shows the access string of the selected CO-RE record. A click on an index shows its edge. */
function PathBar({ core, path, step }: PathBarProps) {
  return (
    <div role="toolbar" aria-label="Access string" className={styles.bar}>
      <span className={styles.word}>CO-RE access string</span>
      {path?.map(({ step: at, text, name }) => (
        <Chip
          key={at}
          isMono
          tone={at === step ? 'reloc-3' : 'neutral'}
          isPressed={at === step}
          onClick={() => select({ kind: 'core', core, step: at === step ? null : at })}
        >
          {drawnName(`${text} ${name}`.trim())}
        </Chip>
      ))}
    </div>
  );
}

type GraphToolbarProps = {
  readonly types: TypeTable;
  readonly scene: Scene | null;
  readonly selected: TypeId;
  /** Buttons that switch between the graph and paths. */
  readonly mode: ReactNode;
  readonly end: ReactNode;
};

const STEPS: Readonly<Record<string, string>> = { '1': '1', '2': '2', '3': '3' };

/** Shows the root of the graph, the depth, a search, and actions on the selected type. */
function GraphToolbar({ types, scene, selected, mode, end }: GraphToolbarProps) {
  const root = scene?.picture.root ?? selected;
  return (
    <Toolbar label="Graph" end={end}>
      {mode}
      <h2 className="row gap-2 shrink fit">
        <span className="visually-hidden">Graph of </span>
        <KindBadge kind={kindOf(types, root)} />
        <span className="shrink ellipsis">
          <Name text={typeTitle(types, root)} />
        </span>
      </h2>
      <p className="small muted" aria-live="polite">
        {scene === null ? 'Laying out…' : countText(scene)}
      </p>
      <span className="row gap-2 small muted">
        <span aria-hidden>Depth</span>
        <Segmented
          label="Depth"
          options={STEPS}
          value={`${scene?.picture.depth ?? ''}`}
          onChange={(value) => graphState.set({ depth: value })}
        />
      </span>
      <GraphSearch scene={scene} selected={selected} />
      <Button disabled={selected === root} onClick={() => startAt(selected)}>
        Start here
      </Button>
      <Button variant="quiet" onClick={() => select(typeSelection(selected), 'types')}>
        Show type
      </Button>
    </Toolbar>
  );
}

type GraphSearchProps = {
  /** Graph to search; null until its layout is ready. */
  readonly scene: Scene | null;
  readonly selected: TypeId;
};

/** Shows a search for types in the graph by name or member. Enter goes to the next match. */
function GraphSearch({ scene, selected }: GraphSearchProps) {
  const [text, setText] = useState('');
  const matches = useMemo(() => (scene === null ? [] : matchesIn(scene, text)), [scene, text]);
  const at = matches.findIndex((index) => scene?.box(index).type === selected);
  const found = at < 0 ? `${matches.length}` : `${at + 1} of ${matches.length}`;
  const goOn = (isShift: boolean) => {
    if (scene === null || matches.length === 0) return;
    const first = isShift ? matches.length - 1 : 0;
    const next = at < 0 ? first : (at + (isShift ? -1 : 1) + matches.length) % matches.length;
    const box = matches[next];
    if (box !== undefined) selectNode(scene, scene.box(box).type);
  };
  return (
    <div className={styles.search}>
      <FoundList
        label="Find in the graph"
        placeholder="Find in graph"
        hint="/"
        value={text}
        onChange={setText}
        isWaiting={scene === null}
        onEnter={({ isShift }) => goOn(isShift)}
        {...(text === '' ? {} : { found })}
      />
    </div>
  );
}

function countText({ boxCount, linkCount, picture }: Scene): string {
  if (boxCount === 1 && picture.boxes.state[0] === 0) return 'refers to no other shown type';
  const count = `${countOf(boxCount, 'type')}, ${countOf(linkCount, 'edge')}`;
  return picture.truncated ? `the nearest ${count}` : count;
}

const MODES = { explore: 'Explore', paths: 'Paths' } as const;

function ModeSwitch({ isPaths }: { readonly isPaths: boolean }) {
  return (
    <Segmented
      label="Graph options"
      options={MODES}
      value={isPaths ? 'paths' : 'explore'}
      onChange={(mode) => graphState.set({ path: mode === 'paths' ? '' : null })}
    />
  );
}

type GraphTableProps = {
  readonly scene: Scene;
  readonly selected: number | null;
  readonly pins: ReadonlyMap<number, readonly BoxPin[]>;
};

/** Shows the types as a table with incoming and outgoing edges. Enter expands or collapses. */
function GraphTable({ scene, selected, pins }: GraphTableProps) {
  const columns = useMemo(() => columnsOf(scene, pins), [scene, pins]);
  return (
    <VirtualTable
      label="Types of the graph"
      columns={columns}
      count={scene.boxCount}
      selectedIndex={selected}
      scrollToIndex={selected}
      onSelect={(row) => selectNode(scene, scene.box(row).type)}
      onActivate={(row) => toggleNode(scene, scene.box(row))}
    />
  );
}

function columnsOf(scene: Scene, pins: GraphTableProps['pins']): TableColumn[] {
  const type = ({ text, index }: SceneBox) => (
    <Pinned pins={pins.get(index)?.map(({ pin }) => pin) ?? []}>
      <span className="row gap-2 small">
        <KindBadge kind={text.kind} />
        <Name text={text.name} />
      </span>
    </Pinned>
  );
  return rowColumns<SceneBox>(
    (row) => scene.box(row),
    [
      column('type', 'Type', 190, type, { grow: 2 }),
      column('column', 'Column', 70, (box) => box.column, NUMBER),
      column('size', 'Size', 84, ({ text }) => shortSize(text.size), NUMBER),
      column('to', 'Reached by', 220, (_, row) => edgesToText(scene, row), { grow: 4, mono: true }),
      column('from', 'Leads to', 180, (_, row) => edgesFromText(scene, row), {
        grow: 3,
        mono: true,
      }),
    ],
  );
}
