/** The lesson that is open beside the tool: its text, where in it somebody is, what was answered. */
import { create } from 'zustand';
import type { Answer } from '#lessons/check-answer.ts';
import type { Lesson, LessonProblem, Step } from '#lessons/lesson.ts';
import type { LessonPlace } from '#store/address/location.ts';

export type OpenLesson = {
  /** As it stands behind `lesson=`: the id of one of ours, `md1:…`, or the address of a file. */
  readonly key: string;
  /** The Markdown as it is now; an author may be writing it. */
  readonly text: string;
  /** Of a translation the lesson that it translates; null for all others, and while it is not known. */
  readonly original: { readonly key: string; readonly text: string } | null;
  /** What could be read of it: null where it has no step. */
  readonly lesson: Lesson | null;
  readonly problems: readonly LessonProblem[];
  /** The file that a link brought for a lesson whose object is `link`, as behind `file=`; else empty. */
  readonly linked: string;
  /** From 0. */
  readonly stepIndex: number;
  /** What was said to the answer given last in this step; null before there is one. */
  readonly answer: Answer | null;
  /** How many wrong answers this step has had. */
  readonly misses: number;
  /** Why the tool does not show the place of the step: a sentence without a full stop, raw text. */
  readonly placeProblem: string | null;
};

export type LessonState = {
  readonly open: OpenLesson | null;
  /** Why the lesson of an address is not shown: a sentence without a full stop, raw text. */
  readonly problem: string | null;
  /** Is the tool on its way to the place of a step? What it shows then says nothing. */
  readonly isGoing: boolean;
  /** Is the text of the lesson being written, beside it? */
  readonly isEditing: boolean;
  /** Is it presented: large type, without the bars? */
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

/** The step that is shown; null while no lesson is. */
export function stepNow({ open }: Pick<LessonState, 'open'>): Step | null {
  return open?.lesson?.steps[open.stepIndex] ?? null;
}

/** Changes the open lesson; nothing happens while there is none. */
export function patchLesson(patch: Partial<OpenLesson>): void {
  useLesson.setState(({ open }) => (open === null ? {} : { open: { ...open, ...patch } }));
}

/** Counts what was gone to and asked for, so that what takes long does not end where something later led. */
let latest = 0;

/** Begins to open a lesson, or to go to a place of one. What it gives says: nothing was begun since, and no lesson closed. */
export function beginMove(): () => boolean {
  const mine = ++latest;
  return () => mine === latest;
}

/**
 * Does what takes a while and moves the tool; meanwhile nothing that the tool shows is the person's
 * doing, and the address waits.
 */
export async function going(isLatest: () => boolean, move: () => Promise<void>): Promise<void> {
  useLesson.setState({ isGoing: true });
  try {
    await move();
  } finally {
    if (isLatest()) useLesson.setState({ isGoing: false });
  }
}

/** Puts the lesson away, also one that is still on its way. The tool stays where it is. */
export function closeLesson(): void {
  latest++;
  useLesson.setState(CLOSED);
}

/** The lesson and the step, as the address has them. */
export function lessonPlace(state: Pick<LessonState, 'open'>): LessonPlace | null {
  const { open } = state;
  if (open === null) return null;
  return { key: open.key, at: stepNow(state)?.id ?? '', linked: open.linked };
}

/** Calls `listener` when what addresses say of the lesson has changed and the tool has arrived. Gives back what stops it. */
export function watchLesson(listener: () => void): () => void {
  return useLesson.subscribe((state, before) => {
    if (state.isGoing) return;
    const now = lessonPlace(state);
    const then = lessonPlace(before);
    const isSame = now?.key === then?.key && now?.at === then?.at;
    if (!isSame || before.isGoing) listener();
  });
}
