/** State of the presentation and of the teaching pages, which `views/presenter` draws. */
import { create } from 'zustand';
import { useLesson } from './lesson-state.ts';

type PresenterState = {
  /** True while the screen is dark. */
  readonly isBlank: boolean;
  readonly hasSpotlight: boolean;
  readonly hasLaser: boolean;
  /** True while the list of keys is open. */
  readonly hasKeys: boolean;
  /** Steps of enlargement; negative for smaller. */
  readonly largerBy: number;
  /** `Date.now()` at the start. */
  readonly startedAt: number;
  /** The open teaching page or dialog. */
  readonly part: TeachingPart | null;
};

/** Teaching pages and dialogs: the lesson on paper, progress of the learner or of a class, a certificate. */
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

/** Starts the presentation, in full screen if the browser allows it. Browsers allow it only after a click or key. */
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

// A browser may refuse or lack full screen; the presentation works in a window too.
function enterFullScreen(): void {
  void document.documentElement.requestFullscreen?.().catch(() => undefined);
}

function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
}
