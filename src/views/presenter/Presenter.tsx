import { Flashlight, Keyboard, NotebookText, Square, Target, X } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useState,
  useSyncExternalStore,
} from 'react';
import { goToNext, goToPrevious } from '#store/lesson/lesson-player.ts';
import { useLesson } from '#store/lesson/lesson-state.ts';
import {
  changeSize,
  stopPresenting,
  toggleAid,
  toggleFullScreen,
  usePresenter,
} from '#store/lesson/presenter.ts';
import { announce } from '#store/session/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { KeyTable, onKeyDown } from '#ui/keys.tsx';
import { Laser } from './Laser.tsx';
import { type Box, holesNow, selectionNow, toolElement } from './lit-boxes.ts';
import { NotesWindow, openNotes } from './Notes.tsx';
import styles from './Presenter.module.css';
import {
  focusOf,
  PRESENTER_KEYS,
  type PresenterAction,
  presenterAction,
} from './presenter-keys.ts';

/** Draws the aids of a presentation, handles its keys, and opens notes in a second window. */
export function Presenter() {
  const { isBlank, hasSpotlight, hasLaser, hasKeys } = usePresenter();
  const [notes, setNotes] = useState<Window | null>(null);
  useLargeType();
  useFullScreenEnd();
  const closeNotes = useCallback(() => setNotes(null), []);

  const toggleNotes = () => {
    if (notes !== null) return setNotes(null);
    const opened = openNotes();
    setNotes(opened);
    if (opened === null) {
      announce('The browser blocked the notes window: allow pop-ups for this page');
    }
  };

  const run: Readonly<Record<PresenterAction, () => void>> = {
    next: () => void goToNext(),
    previous: () => void goToPrevious(),
    blank: () => toggleAid('isBlank'),
    laser: () => toggleAid('hasLaser'),
    spotlight: () => toggleAid('hasSpotlight'),
    keys: () => toggleAid('hasKeys'),
    larger: () => changeSize(1),
    smaller: () => changeSize(-1),
    fullScreen: toggleFullScreen,
    notes: toggleNotes,
    end: () => (usePresenter.getState().isBlank ? toggleAid('isBlank') : stopPresenting()),
  };
  /** Does an action. Returns false if it has no effect, as a change of step without a lesson. */
  const act = (action: PresenterAction): boolean => {
    const isStep = action === 'next' || action === 'previous';
    if (isStep && useLesson.getState().open === null) return false;
    run[action]();
    return true;
  };

  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = presenterAction(event, focusOf(event.target));
    if (action === null || !(isScrolledBy(event.key) || act(action))) return;
    event.preventDefault();
    event.stopPropagation();
  });
  // `capture` handles keys before the tool does: a clicker changes the step wherever the focus is.
  useEffect(() => onKeyDown(document, press, { capture: true }), []);

  return (
    <>
      <Tools hasNotes={notes !== null} act={act} />
      {hasSpotlight && !isBlank ? <Spotlight /> : null}
      {hasLaser && !isBlank ? <Laser /> : null}
      {isBlank ? (
        <button
          type="button"
          className={styles.blank}
          aria-label="Unblank screen"
          onClick={() => act('blank')}
        />
      ) : null}
      <Dialog
        isOpen={hasKeys}
        onClose={() => usePresenter.setState({ hasKeys: false })}
        title="Keys while presenting"
      >
        <KeyTable rows={PRESENTER_KEYS} />
      </Dialog>
      {notes === null ? null : <NotesWindow window={notes} act={act} onClosed={closeNotes} />}
    </>
  );
}

/** Share of the visible height by which a page key scrolls. */
const PAGE = 0.85;

/** Scrolls the step's text for a page key. Returns false at its end: the key changes the step. */
function isScrolledBy(key: string): boolean {
  const way = key === 'PageDown' ? 1 : key === 'PageUp' ? -1 : 0;
  const text = document.querySelector('[data-step-text]');
  if (way === 0 || text === null) return false;
  const { scrollTop, scrollHeight, clientHeight } = text;
  const left = way > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (left < MIN_SCROLL) return false;
  text.scrollBy({ top: way * clientHeight * PAGE });
  return true;
}

/** CSS pixels. If less is left to scroll, it is only padding and no text. */
const MIN_SCROLL = 12;

type ToolsProps = { readonly hasNotes: boolean; readonly act: (action: PresenterAction) => void };

/** Shows the presenter's toolbar. */
function Tools({ hasNotes, act }: ToolsProps) {
  const { hasSpotlight, hasLaser, isBlank } = usePresenter();
  const tools = [
    { action: 'spotlight', label: 'Spotlight', key: 's', icon: Flashlight, isOn: hasSpotlight },
    { action: 'laser', label: 'Laser pointer', key: 'l', icon: Target, isOn: hasLaser },
    { action: 'blank', label: 'Dark screen', key: 'b', icon: Square, isOn: isBlank },
    { action: 'notes', label: 'Notes', key: 'n', icon: NotebookText, isOn: hasNotes },
    { action: 'keys', label: 'Keys while presenting', key: '?', icon: Keyboard, isOn: undefined },
    { action: 'end', label: 'End presentation', key: 'Esc', icon: X, isOn: undefined },
  ] as const;
  return (
    <aside className={styles.bar} aria-label="Presenter tools">
      <div className={styles.tools} role="toolbar" aria-label="Presenter">
        {tools.map(({ action, label, key, icon, isOn }) => (
          <IconButton
            key={action}
            label={label}
            keys={[key]}
            icon={icon}
            aria-pressed={isOn}
            data-on={isOn ? '' : undefined}
            onClick={() => act(action)}
          />
        ))}
      </div>
    </aside>
  );
}

/** Keys that can end full screen but must not end the presentation. */
const OTHER_REASONS = ['f', 'F5', 'F11', 'n'];
const MEANT_MS = 1500;

/** Ends the presentation when Escape leaves full screen. The browser does not report that key. */
function useFullScreenEnd(): void {
  useEffect(() => {
    let wasFull = document.fullscreenElement !== null;
    let lastReason = Number.NEGATIVE_INFINITY;
    const onPress = () => {
      lastReason = performance.now();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (OTHER_REASONS.includes(key)) onPress();
    };
    const onChange = () => {
      const isFull = document.fullscreenElement !== null;
      const hasOtherReason = performance.now() - lastReason < MEANT_MS || !document.hasFocus();
      if (wasFull && !isFull && !hasOtherReason) stopPresenting();
      wasFull = isFull;
    };
    const stop = new AbortController();
    const stopKeys = onKeyDown(document, onKey, { capture: true });
    document.addEventListener('pointerdown', onPress, { capture: true, signal: stop.signal });
    document.addEventListener('fullscreenchange', onChange, { signal: stop.signal });
    return () => {
      stopKeys();
      stop.abort();
    };
  }, []);
}

/** Sets the contrast and the sizes of the presentation on the document. */
function useLargeType(): void {
  const largerBy = usePresenter((state) => state.largerBy);
  const size = useSyncExternalStore(onResize, windowSize);
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.presenting = '';
    return () => {
      delete root.dataset.presenting;
      root.style.removeProperty('--presenting-tool');
      root.style.removeProperty('--presenting-text');
    };
  }, []);
  useEffect(() => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    const { tool, text } = presentingScale(width, height, largerBy);
    const { style } = document.documentElement;
    style.setProperty('--presenting-tool', `${tool}`);
    style.setProperty('--presenting-text', `${text}`);
  }, [size, largerBy]);
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

function windowSize(): string {
  return `${innerWidth}x${innerHeight}`;
}

type PresentingScale = {
  /** Scale of the tool, limited so that a view still has enough width. */
  readonly tool: number;
  /** Scale of the lesson. Its 14-pixel text grows to 22 pixels, readable from the last row. */
  readonly text: number;
};

/** Width in CSS pixels that a view needs. */
const TOOL_WIDTH = 1100;
const TOOL_HEIGHT = 680;
/** Wider windows are taken for projectors: their 12-pixel text grows to 18 pixels. */
const ROOM_WIDTH = 1200;
const ROOM_TOOL = 1.5;
const TEXT_WIDTH = 900;
const STEP = 1.1;

/** Returns the scales for a window in CSS pixels that the user has enlarged `largerBy` times. */
export function presentingScale(width: number, height: number, largerBy: number): PresentingScale {
  const more = STEP ** largerBy;
  const least = width >= ROOM_WIDTH ? ROOM_TOOL : 1;
  const fits = Math.min(width / TOOL_WIDTH, height / TOOL_HEIGHT);
  return {
    tool: between(0.7, Math.max(least, fits) * more, 3),
    text: between(1, Math.max(1.2, width / TEXT_WIDTH) * more, 4),
  };
}

function between(least: number, value: number, most: number): number {
  return Math.round(Math.max(least, Math.min(most, value)) * 100) / 100;
}

type Light = { readonly tool: Box; readonly holes: readonly Box[] };

const RADIUS = 6;

/** Dims the tool except for the selection. Measures in each frame: the selection may move. */
function Spotlight() {
  const maskId = useId();
  const light = useLight();
  if (light === null) return null;
  const { tool, holes } = light;
  const rects = holes.map((hole) => ({
    key: Object.values(hole).join(' '),
    x: hole.left - tool.left,
    y: hole.top - tool.top,
    ...sizeOf(hole),
    rx: RADIUS,
  }));
  const place = { left: tool.left, top: tool.top, ...sizeOf(tool) };
  return (
    <svg className={styles.spotlight} style={place} aria-hidden data-spotlight="">
      <mask id={maskId}>
        <rect width="100%" height="100%" fill="white" />
        {rects.map(({ key, ...rect }) => (
          <rect key={key} {...rect} data-hole="" fill="black" />
        ))}
      </mask>
      <rect className={styles.dark} width="100%" height="100%" mask={`url(#${maskId})`} />
      {rects.map(({ key, ...rect }) => (
        <rect key={key} {...rect} className={styles.rim} />
      ))}
    </svg>
  );
}

function sizeOf({ left, top, right, bottom }: Box): { width: number; height: number } {
  return { width: right - left, height: bottom - top };
}

/** Returns the boxes around the selection; null if no selection is visible. */
function useLight(): Light | null {
  const [light, setLight] = useState<Light | null>(null);
  useEffect(() => {
    let known = '';
    let frame = 0;
    const look = () => {
      frame = requestAnimationFrame(look);
      const tool = toolElement();
      const holes = tool === null ? [] : holesNow(tool, selectionNow());
      const next =
        tool === null || holes.length === 0 ? null : { tool: tool.getBoundingClientRect(), holes };
      const text = JSON.stringify(next);
      if (text === known) return;
      known = text;
      setLight(next);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, []);
  return light;
}
