/**
 * Presenting: the tool and the lesson before an audience, and the lesson on paper. Works
 * without a lesson too. What is the case is here; what is drawn is in `views/presenter`.
 */
import { create } from 'zustand';
import { useLesson } from './lesson-state.ts';

type PresenterState = {
  /** Is the screen dark, so that all look at whoever speaks? */
  readonly isBlank: boolean;
  readonly hasSpotlight: boolean;
  readonly hasLaser: boolean;
  /** Is the list of keys shown? */
  readonly hasKeys: boolean;
  /** How often the tool was made larger than fits the screen; negative: smaller. */
  readonly largerBy: number;
  /** `Date.now()` of its beginning. */
  readonly startedAt: number;
  /** What is shown in place of the page, or in a dialog over it. */
  readonly part: TeachingPart | null;
};

/** The lesson on paper; the learner's progress, and that of a class; a certificate on paper. */
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

/** Steps of `largerBy` to both sides. */
const MOST = 8;

/** Begins to present, on the whole screen where the browser lets it. Call it when a person asks for it. */
export function startPresenting(): void {
  usePresenter.setState({ ...AT_FIRST, startedAt: Date.now() });
  useLesson.setState({ isPresenting: true, isEditing: false });
  enterFullScreen();
}

/** Ends it: the bars come back, the lesson stays. */
export function stopPresenting(): void {
  useLesson.setState({ isPresenting: false });
  usePresenter.setState(AT_FIRST);
  leaveFullScreen();
}

/** Switches one of the aids on or off. */
export function toggleAid(aid: 'isBlank' | 'hasSpotlight' | 'hasLaser' | 'hasKeys'): void {
  usePresenter.setState((state) => ({ [aid]: !state[aid] }));
}

/** Makes the tool larger, or smaller. */
export function changeSize(by: 1 | -1): void {
  usePresenter.setState(({ largerBy }) => ({
    largerBy: Math.max(-MOST, Math.min(MOST, largerBy + by)),
  }));
}

/** Goes to the whole screen or back from it. */
export function toggleFullScreen(): void {
  if (document.fullscreenElement === null) enterFullScreen();
  else leaveFullScreen();
}

/** Shows a part of teaching, or the page again. */
export function showPart(part: TeachingPart | null): void {
  usePresenter.setState({ part });
}

// Presenting works in a window as well: a browser may refuse, or not know of it.
function enterFullScreen(): void {
  void document.documentElement.requestFullscreen?.().catch(() => undefined);
}

function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
}
