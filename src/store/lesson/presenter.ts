/** State of the presentation and the teaching pages, for the components of `views/presenter`. */
import { create } from 'zustand';
import { useLesson } from './lesson-state.ts';

type PresenterState = {
  /** True while the screen is dark. */
  readonly isBlank: boolean;
  readonly hasSpotlight: boolean;
  readonly hasLaser: boolean;
  /** True while the list of keyboard shortcuts is open. */
  readonly hasKeys: boolean;
  /** Number of steps by which the text is enlarged; negative if it is smaller. */
  readonly largerBy: number;
  /** Time at which the presentation started, from `Date.now()`. */
  readonly startedAt: number;
  /** Open teaching page or dialog; null for none. */
  readonly part: TeachingPart | null;
};

/** Teaching pages and dialogs. */
export type TeachingPart = 'handout' | 'progress' | 'class' | 'certificate';

const AT_FIRST: PresenterState = {
  isBlank: false,
  hasSpotlight: false,
  hasLaser: false,
  hasKeys: false,
  largerBy: 0,
  startedAt: 0,
  part: null,
};

export const usePresenter = create<PresenterState>(() => AT_FIRST);

/** Limit of `largerBy` in both directions. */
const MAX_LARGER = 8;

/** Starts the presentation, in full screen if possible. Call it in a click or key handler. */
export function startPresenting(): void {
  usePresenter.setState({ ...AT_FIRST, startedAt: Date.now() });
  useLesson.setState({ isPresenting: true, isEditing: false });
  enterFullScreen();
}

export function stopPresenting(): void {
  useLesson.setState({ isPresenting: false });
  usePresenter.setState(AT_FIRST);
  leaveFullScreen();
}

export function toggleAid(aid: 'isBlank' | 'hasSpotlight' | 'hasLaser' | 'hasKeys'): void {
  usePresenter.setState((state) => ({ [aid]: !state[aid] }));
}

export function changeSize(by: 1 | -1): void {
  usePresenter.setState(({ largerBy }) => ({
    largerBy: Math.max(-MAX_LARGER, Math.min(MAX_LARGER, largerBy + by)),
  }));
}

export function toggleFullScreen(): void {
  if (document.fullscreenElement === null) enterFullScreen();
  else leaveFullScreen();
}

/** Opens a teaching page; null closes it. */
export function showPart(part: TeachingPart | null): void {
  usePresenter.setState({ part });
}

// Ignores a refusal: the presentation works in a window too.
function enterFullScreen(): void {
  void document.documentElement.requestFullscreen?.().catch(() => undefined);
}

function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
}
