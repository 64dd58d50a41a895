/** What a person does in the tool while a lesson is open: selecting something may answer, going home ends it. */
import type { Selection } from '#model/selection.ts';
import { activeFile, type OpenFile, session } from '#store/session.ts';
import { answerBySelection } from './lesson-player.ts';
import { closeLesson, stepNow, useLesson } from './lesson-state.ts';
import { fileOfKey, placeOfStep } from './step-place.ts';

/** A selection counts once it has stayed for so many milliseconds: a drag goes through many. */
const STAY_MS = 200;

/** Listens to what is selected, as answers to questions that ask for a click. Gives back what stops it. */
export function watchTool(): () => void {
  let seen = activeFile(session.getState());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = session.subscribe((state) => {
    const before = seen;
    const file = activeFile(state);
    seen = file;
    if (useLesson.getState().isGoing || file === before) return;
    if (file === null) {
      if (before !== null && state.wanted === null) closeLesson();
      return;
    }
    const clicked = clickedIn(file, before);
    if (clicked === null || !isAsked(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const isStill = activeFile(session.getState())?.selection === clicked;
      if (isStill && !useLesson.getState().isGoing) void answerBySelection(clicked);
    }, STAY_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** What was newly selected in the file that is looked at; null where nothing was. */
function clickedIn(file: OpenFile, before: OpenFile | null): Selection | null {
  const { selection } = file;
  if (file.id !== before?.id || selection === before.selection) return null;
  return selection.kind === 'none' ? null : selection;
}

/** Does the step ask for a click in this file, and is it not answered yet? */
function isAsked(file: OpenFile): boolean {
  const { open } = useLesson.getState();
  if (open === null || stepNow({ open })?.question?.kind !== 'click') return false;
  if (open.answer?.isRight) return false;
  return fileOfKey(session.getState(), placeOfStep(open, open.stepIndex).file)?.id === file.id;
}
