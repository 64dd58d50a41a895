import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { getOrCreate } from '#bytes/cache.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { showTab, showView } from '#store/address/navigation.ts';
import { useJudging } from '#store/kernels/judged-kernels.ts';
import { whenIdle } from '#store/page/when-idle.ts';
import { closeFile } from '#store/session/files.ts';
import { PaneProvider, type Panes, type ShownPane, workIn } from '#store/session/panes.ts';
import { type FileId, modelOf, type OpenFile, type Pane } from '#store/session/session.ts';
import {
  firstOfTab,
  tabOf,
  tabsOf,
  tabTitle,
  type UnloadedCounts,
  type ViewName,
  viewFor,
  viewOf,
  viewsOfTab,
} from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { ViewWidth } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { ToolbarSlot } from '#ui/Panel.tsx';
import { type Tab, Tabs } from '#ui/Tabs.tsx';
import { damageText } from '#views/issues/damage-text.ts';
import { NotesButton } from '#views/notes/NotesParts.tsx';
import { useProgramProblems } from '#views/parts/core/LoadSummary.tsx';
import { BaseBar } from './BaseBar.tsx';
import { FileState } from './FileState.tsx';
import styles from './FileViews.module.css';
import { KeptViews } from './KeptViews.tsx';
import { BesideMenu, PanePair, tabMenu } from './PanePair.tsx';
import { SelectionTools } from './SelectionTools.tsx';
import { preloadViews, ViewPanel } from './ViewPanel.tsx';

export type FileViewsProps = {
  readonly panes: Panes;
  readonly model: ObjectModel;
  readonly onOpen: () => void;
};

/** Draws the tabs and panes of a file. A view is fetched when first shown, and can fail alone. */
export function FileViews({ panes, model, onOpen }: FileViewsProps) {
  useEffect(() => whenIdle(preloadViews), []);
  const { first, second } = panes;
  const { file } = first;
  const view = viewFor(model, first.view);
  const [dragged, setDragged] = useState<ViewName | null>(null);
  const { findings } = file;
  useJudging(file.id);
  const { refused, depends } = useUnloaded(file.id);
  const tabs = useMemo(
    () => tabItems(model, findings, { refused, depends }),
    [model, findings, refused, depends],
  );
  const menuOf = useCallback((tab: ViewName) => tabMenu(model, tab), [model]);
  return (
    <>
      <h1 className="visually-hidden">{drawnName(file.name)}</h1>
      <SelectionTools panes={panes} />
      <ViewWidth className="tall">
        <Tabs
          label="Views"
          tabs={tabs}
          value={firstOfTab(model, view)}
          onChange={show}
          onDrag={setDragged}
          menuOf={menuOf}
          end={
            <>
              <NotesButton id={file.id} />
              <BesideMenu model={model} />
            </>
          }
          around={(panel) => (
            <PanePair
              panes={panes}
              panel={panel}
              second={
                second === null ? null : (
                  <SecondView pane={second} isOther={second.file.id !== file.id} onOpen={onOpen} />
                )
              }
              dragged={dragged === firstOfTab(model, view) ? null : dragged}
            />
          )}
          renderPanel={() => <PaneViews file={file} model={model} view={view} hasBars />}
        />
      </ViewWidth>
    </>
  );
}

function show(tab: ViewName): void {
  workIn('first');
  showTab(tab);
}

/** Returns the same object for the same file and view, so that components do not render again. */
const placeOf = (() => {
  const places = new Map<string, Pane>();
  return (fileId: FileId, view: ViewName): Pane =>
    getOrCreate(places, `${fileId} ${view}`, () => ({ fileId, view }));
})();

type SecondViewProps = {
  readonly pane: ShownPane;
  /** Whether this pane shows a different file than the first pane. */
  readonly isOther: boolean;
  readonly onOpen: () => void;
};

/** Draws the second pane: another view of the file, or another file, which may be opening. */
function SecondView({ pane, isOther, onOpen }: SecondViewProps) {
  const { file } = pane;
  const model = modelOf(file);
  if (model === null) return <FileState file={file} onOpen={onOpen} />;
  return (
    <PaneViews
      key={file.id}
      file={file}
      model={model}
      view={viewFor(model, pane.view)}
      hasBars={isOther}
    />
  );
}

type FileViewProps = {
  readonly file: OpenFile;
  readonly model: ObjectModel;
  readonly view: ViewName;
  /** Whether to draw the warnings about the whole file above the view. */
  readonly hasBars: boolean;
};

/** Draws a view with its bars. The last views of the file in the pane stay mounted. */
function PaneViews({ file, model, view, hasBars }: FileViewProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const hasSwitch = (shown: ViewName) => viewsOfTab(model, shown).length > 1;
  return (
    <div className="column shrink-y tall">
      {hasBars ? (
        <>
          <FaultBar file={file} />
          {view === 'issues' ? null : <DamageBar model={model} />}
          <BaseBar file={file} model={model} />
        </>
      ) : null}
      {/* Stays in the page, since it also has the toolbars of the views that are not shown. */}
      <div className={styles.tools} hidden={!hasSwitch(view)}>
        <ViewSwitch file={file} model={model} view={view} />
        <div ref={setSlot} className={styles.slot} />
      </div>
      <KeptViews
        shown={view}
        renderView={(kept) => (
          <PaneProvider value={placeOf(file.id, kept)}>
            <ToolbarSlot value={hasSwitch(kept) ? slot : undefined}>
              <ViewPanel view={kept} />
            </ToolbarSlot>
          </PaneProvider>
        )}
      />
    </div>
  );
}

/** Draws the switch between the views of a tab. */
function ViewSwitch({ file, model, view }: Omit<FileViewProps, 'hasBars'>) {
  const views = viewsOfTab(model, view);
  const unloaded = useUnloaded(file.id);
  const countOf = (other: ViewName) =>
    viewOf(other)?.count?.(model, file.findings, unloaded).count ?? 0;
  const counted = views.filter((other) => countOf(other) > 0);
  const titleOf = (other: ViewName) => {
    const { title = other, switchTitle = title } = viewOf(other) ?? {};
    // If only the first view of a tab has a count, the tab shows the count.
    const isShown = tabOf(other) !== other || counted.length > 1;
    const number = isShown ? countOf(other) : 0;
    return number > 0 ? `${switchTitle} ${grouped(number)}` : switchTitle;
  };
  return (
    <div className={styles.switch}>
      <Segmented
        label={tabTitle(view)}
        options={Object.fromEntries(views.map((other) => [other, titleOf(other)]))}
        value={view}
        onChange={showView}
      />
    </div>
  );
}

function tabItems(
  model: ObjectModel,
  findings: OpenFile['findings'],
  unloaded: UnloadedCounts,
): readonly Tab<ViewName>[] {
  return tabsOf(model).map((id) => {
    const counts = viewsOfTab(model, id).flatMap(
      (view) => viewOf(view)?.count?.(model, findings, unloaded) ?? [],
    );
    const count = counts.reduce((sum, counted) => sum + counted.count, 0);
    const tones = counts.filter((counted) => counted.count > 0).map(({ tone }) => tone);
    const tone = tones.find((one) => one === 'danger') ?? tones[0];
    return {
      id,
      label: tabTitle(id),
      ...(count > 0 ? { count, ...(tone === undefined ? {} : { tone }) } : {}),
    };
  });
}

/** Returns how many programs of a file do not load on open kernels. React hook. */
function useUnloaded(file: FileId): UnloadedCounts {
  const problems = useProgramProblems(file);
  const refused = problems.filter((problem) => problem.refused.length > 0).length;
  return { refused, depends: problems.length - refused };
}

/** Draws the warning that damaged parts of the file are not shown, with a link to the issues. */
function DamageBar({ model }: { readonly model: ObjectModel }) {
  const text = useMemo(() => damageText(model), [model]);
  return text === null ? null : (
    <ErrorBar title={text} action="Show issues" onAction={() => showView('issues')}>
      What can be read is shown; numbers and lists of the other parts are incomplete.
    </ErrorBar>
  );
}

/** Draws the reason why the rest of the file cannot be read. */
function FaultBar({ file }: { readonly file: OpenFile }) {
  const { fault } = file;
  return fault === undefined ? null : (
    <ErrorBar
      title={drawnName(fault.message)}
      action="Close it"
      onAction={() => closeFile(file.id)}
    >
      What is already shown stays; the rest cannot be read. {drawnName(fault.advice ?? '')}
    </ErrorBar>
  );
}

function ErrorBar(props: {
  readonly title: string;
  readonly action: string;
  readonly onAction: () => void;
  readonly children: ReactNode;
}) {
  const { title, action, onAction, children } = props;
  const button = (
    <Button size="small" onClick={onAction}>
      {action}
    </Button>
  );
  return (
    <div className={styles.bar}>
      <Callout severity="error" title={title} actions={button}>
        {children}
      </Callout>
    </div>
  );
}
