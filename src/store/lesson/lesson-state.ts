/** State of the open lesson: text, current step, answer. */
import { create } from 'zustand';
import type { Answer } from '#lessons/check-answer.ts';
import type { Lesson, LessonProblem, Step } from '#lessons/lesson.ts';
import type { LessonPlace } from '#store/address/address.ts';

export type OpenLesson = {
  /** Value of `lesson=` in addresses: an id of the catalogue, `md1:…`, or a file on the server. */
  readonly key: string;
  /** The Markdown. Changes while an author edits the lesson. */
  readonly text: string;
  /** The original of a translation; null for other lessons and until the original is loaded. */
  readonly original: { readonly key: string; readonly text: string } | null;
  /** null if the text has no step. */
  readonly lesson: Lesson | null;
  readonly problems: readonly LessonProblem[];
  /** Key of the file if the lesson's object is `link` or `own`; else empty. */
  readonly linked: string;
  /** From 0. */
  readonly stepIndex: number;
  /** Result of the last answer in this step; null before an answer. */
  readonly answer: Answer | null;
  /** Number of wrong answers in this step. */
  readonly misses: number;
  /** Reason why the page does not show the step's place: a sentence without a full stop, raw text. */
  readonly placeProblem: string | null;
};

export type LessonState = {
  readonly open: OpenLesson | null;
  /** Reason why the lesson of an address is not open: a sentence without a full stop, raw text. */
  readonly problem: string | null;
  /** True while the page opens the place of a step. Selections then are not answers. */
  readonly isGoing: boolean;
  /** True while the lesson editor is open. */
  readonly isEditing: boolean;
  /** True in the presentation: large type, no bars. */
  readonly isPresenting: boolean;
};

export const CLOSED: LessonState = {
  open: null,
  problem: null,
  isGoing: false,
  isEditing: false,
  isPresenting: false,
};

export const useLesson = create<LessonState>(() => CLOSED);

/** Returns the current step; null without a lesson. */
export function stepNow({ open }: Pick<LessonState, 'open'>): Step | null {
  return open?.lesson?.steps[open.stepIndex] ?? null;
}

export function patchLesson(patch: Partial<OpenLesson>): void {
  useLesson.setState(({ open }) => (open === null ? {} : { open: { ...open, ...patch } }));
}

/** Counts moves to steps and lessons: a slow move must not replace a later move. */
let latest = 0;

/** Begins a move to a lesson or step. Returns a function that tells whether it is still the latest move. */
export function beginMove(): () => boolean {
  const mine = ++latest;
  return () => mine === latest;
}

/** Runs a move. Until it ends, selections are not answers and the address does not change. */
export async function going(isLatest: () => boolean, move: () => Promise<void>): Promise<void> {
  useLesson.setState({ isGoing: true });
  try {
    await move();
  } finally {
    if (isLatest()) useLesson.setState({ isGoing: false });
  }
}

/** Closes the lesson, or the lesson that is still loading. View and selection stay. */
export function closeLesson(): void {
  latest++;
  useLesson.setState(CLOSED);
}

export function lessonPlace(state: Pick<LessonState, 'open'>): LessonPlace | null {
  const { open } = state;
  if (open === null) return null;
  return { lesson: open.key, at: stepNow(state)?.id ?? '', linked: open.linked };
}

/** Calls `listener` after each move and change of step. Returns a function that stops it. */
export function watchLesson(listener: () => void): () => void {
  return useLesson.subscribe((state, before) => {
    if (state.isGoing) return;
    const now = lessonPlace(state);
    const then = lessonPlace(before);
    const isSame = now?.lesson === then?.lesson && now?.at === then?.at;
    if (!isSame || before.isGoing) listener();
  });
}
