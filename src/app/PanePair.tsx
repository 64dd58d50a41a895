/** Two panes side by side, and the commands to open, change and close the second. */
import { ArrowLeftRight, Columns2, X } from 'lucide-react';
import { memo, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { showFileBeside, showView } from '#store/address/navigation.ts';
import {
  closeBeside,
  openBeside,
  type Panes,
  panesOf,
  type ShownPane,
  swapPanes,
  workIn,
} from '#store/session/panes.ts';
import { modelOf, type OpenFile, session } from '#store/session/session.ts';
import {
  tabsOf,
  type ViewName,
  viewFor,
  viewsOf,
  viewsOfTab,
  viewTitle,
} from '#store/session/views.ts';
import { LandmarkPart } from '#ui/aria.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { KeyScope, onKeyDown, PANE_BODY } from '#ui/keys.tsx';
import { Menu, type MenuGroups, type MenuItem } from '#ui/Menu.tsx';
import { Split } from '#ui/Split.tsx';
import { DIGITS } from './keys.ts';
import styles from './PanePair.module.css';

type Which = 'first' | 'second';

type PanePairProps = {
  readonly panes: Panes;
  /** Content of the first pane. */
  readonly panel: ReactNode;
  readonly second: ReactNode;
  /** View whose tab is dragged; null without a drag, or if the first pane shows that view. */
  readonly dragged: ViewName | null;
};

/** Draws the panes. Each pane is a landmark with its own keys. */
export function PanePair({ panes, panel, second, dragged }: PanePairProps) {
  const isNarrow = useNarrow(NARROW);
  const pair = useRef<HTMLDivElement>(null);
  const partId = useId();
  const { isSecondCurrent } = panes;
  const current = isSecondCurrent ? 'second' : 'first';
  const isPair = panes.second !== null;
  useFocusIn(pair, isPair ? current : null);
  const otherName =
    panes.second === null || panes.second.file.id === panes.first.file.id
      ? null
      : panes.second.file.name;
  const first = (
    <PaneBox which="first" pane={panes.first} isCurrent={!isSecondCurrent} isPair={isPair}>
      {panel}
    </PaneBox>
  );
  const beside =
    panes.second === null ? null : (
      <PaneBox which="second" pane={panes.second} isCurrent={isSecondCurrent} isPair>
        <PaneBar
          view={panes.second.view}
          model={modelOf(panes.second.file)}
          otherName={otherName}
          firstView={panes.first.view}
        />
        <span id={partId} hidden>
          {otherName === null ? 'in the second pane' : `of ${drawnName(otherName)}, second pane`}
        </span>
        <LandmarkPart value={partId}>
          <div className={styles.body} data-pane-body tabIndex={-1}>
            {second}
          </div>
        </LandmarkPart>
      </PaneBox>
    );
  const isSheet = isNarrow && beside !== null;
  return (
    <div ref={pair} className={styles.pair} data-sheet={isSheet}>
      <Split
        label="Resize the panes"
        narrow="first"
        minFirst={300}
        minSecond={300}
        first={first}
        second={isNarrow ? null : beside}
      />
      {isSheet ? <div className={styles.sheet}>{beside}</div> : null}
      {dragged === null ? null : <DropZone view={dragged} />}
    </div>
  );
}

type PaneBoxProps = {
  readonly which: Which;
  readonly pane: ShownPane;
  readonly isCurrent: boolean;
  readonly isPair: boolean;
  readonly children: ReactNode;
};

function PaneBox({ which, pane, isCurrent, isPair, children }: PaneBoxProps) {
  const isHere = useMemo(() => () => currentPane() === which, [which]);
  const ordinal = which === 'first' ? 'First' : 'Second';
  const name = `${viewTitle(pane.view)} of ${drawnName(pane.file.name)}`;
  return (
    <section
      className={styles.pane}
      data-pane={which}
      data-current={isCurrent}
      // A single pane has no accessible name.
      aria-label={isPair ? `${ordinal} pane: ${name}` : undefined}
      onPointerDownCapture={() => workIn(which)}
      onFocusCapture={() => workIn(which)}
    >
      <KeyScope value={isHere}>{children}</KeyScope>
    </section>
  );
}

function currentPane(): Which {
  return panesOf(session.getState())?.isSecondCurrent === true ? 'second' : 'first';
}

/** Moves the focus into a pane when the pane becomes the current one. */
function useFocusIn(pair: React.RefObject<HTMLDivElement | null>, current: Which | null): void {
  const before = useRef(current);
  useEffect(() => {
    const was = before.current;
    before.current = current;
    if (current === null || was === null || was === current) return;
    const box = pair.current?.querySelector(`[data-pane="${current}"]`);
    const active = document.activeElement;
    // An open dialog, such as the palette, keeps the focus and restores it on closing.
    if (box == null || box.contains(active) || active?.closest('[role="dialog"]') != null) return;
    focusPanel(box);
  }, [pair, current]);
}

function focusPanel(pane: Element): void {
  const panel = pane.querySelector<HTMLElement>(PANE_BODY);
  panel?.focus({ preventScroll: true });
}

type PaneBarProps = {
  readonly view: ViewName;
  readonly model: ObjectModel | null;
  /** Name of the file in the second pane; null if both panes show the same file. */
  readonly otherName: string | null;
  readonly firstView: ViewName;
};

/** Draws the bar of the second pane: menu of views, file name, *Swap*, *Close*. */
const PaneBar = memo(function PaneBar({ view: shown, model, otherName, firstView }: PaneBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const close = () => {
    const pair = bar.current?.closest('[data-sheet]');
    closeBeside();
    const box = pair?.querySelector('[data-pane="first"]');
    if (box != null) focusPanel(box);
  };
  useEscape(bar, close);
  const views = model === null ? [] : viewsOf(model);
  return (
    <div ref={bar} className={styles.bar}>
      <Menu
        trigger={
          <Button variant="quiet" size="small" isMenu aria-label={`View: ${viewTitle(shown)}`}>
            {viewTitle(shown)}
          </Button>
        }
        groups={[
          views
            .filter((view) => otherName !== null || view !== firstView)
            .map((view) => ({
              id: view,
              label: viewTitle(view),
              isChecked: view === shown,
              onSelect: () => {
                workIn('second');
                showView(view);
              },
            })),
        ]}
      />
      {otherName === null ? null : <bdi className={styles.file}>{drawnName(otherName)}</bdi>}
      <span className="row gap-1 rigid at-end">
        <IconButton label="Swap the panes" icon={ArrowLeftRight} onClick={swapPanes} />
        <IconButton label="Close the second pane" icon={X} onClick={close} />
      </span>
    </div>
  );
});

/** Calls `close` on Escape, unless the focused element uses Escape. */
function useEscape(bar: React.RefObject<HTMLDivElement | null>, close: () => void): void {
  const isNarrow = useNarrow(NARROW);
  const last = useRef(close);
  useEffect(() => {
    last.current = close;
  });
  useEffect(() => {
    if (!isNarrow) return;
    return onKeyDown(document, (event) => {
      const box = bar.current?.closest('[data-pane]');
      const isMine = event.target instanceof Element && box?.contains(event.target) === true;
      if (event.key === 'Escape' && isMine && !event.defaultPrevented) last.current();
    });
  }, [bar, isNarrow]);
}

/** Draws the area on which a tab is dropped to open the view of the tab in the second pane. */
function DropZone({ view }: { readonly view: ViewName }) {
  const [isOver, setOver] = useState(false);
  return (
    <section
      aria-label="Drop to open beside"
      className={styles.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        openBeside(view);
      }}
    >
      <Columns2 size={20} aria-hidden />
      Open {viewTitle(view)} beside
    </section>
  );
}

export function tabMenu(model: ObjectModel, view: ViewName): readonly MenuItem[] {
  const first = panesOf(session.getState())?.first;
  const isShown = first !== undefined && viewFor(model, first.view) === view;
  return [
    ...viewsOfTab(model, view).map((other) => ({
      id: `open ${other}`,
      label: `Open ${viewTitle(other)}`,
      onSelect: () => openFirst(other),
    })),
    { ...besideItem(model, view), label: 'Open beside', isDisabled: isShown },
  ];
}

function openFirst(view: ViewName): void {
  workIn('first');
  showView(view);
}

function besideItem(model: ObjectModel, view: ViewName): MenuItem {
  const digit = DIGITS[tabsOf(model).indexOf(view)];
  return {
    id: view,
    label: viewTitle(view),
    ...(digit === undefined ? {} : { keys: ['Shift', digit] }),
    onSelect: () => openBeside(view),
  };
}

/** Draws the menu that opens a view, or another file, in the second pane. */
export const BesideMenu = memo(function BesideMenu({ model }: { readonly model: ObjectModel }) {
  return (
    <Menu
      align="end"
      trigger={<IconButton label="Open beside" icon={Columns2} />}
      groups={() => besideGroups(model)}
    />
  );
});

function besideGroups(model: ObjectModel): MenuGroups {
  const { files } = session.getState();
  const panes = panesOf(session.getState());
  if (panes === null) return [];
  const { first, second } = panes;
  const shown = viewFor(model, first.view);
  const isHere = (file: OpenFile, view: ViewName) =>
    second?.file.id === file.id && second.view === view;
  const views = viewsOf(model)
    .filter((view) => view !== shown)
    .map((view) => ({ ...besideItem(model, view), isChecked: isHere(first.file, view) }));
  const others = files
    .filter((file) => file.id !== first.file.id && file.status.step === 'ready')
    .map((file) => ({
      id: `${file.id}`,
      label: drawnName(file.name),
      isChecked: second?.file.id === file.id,
      onSelect: () => showFileBeside(file.id),
    }));
  const close: MenuItem = {
    id: 'close',
    label: 'Close the second pane',
    icon: <X size={14} aria-hidden />,
    onSelect: closeBeside,
  };
  return [views, others, second === null ? [] : [close]].filter((group) => group.length > 0);
}
