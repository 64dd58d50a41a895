import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OTHER_WRONG } from '#lessons/wrong-answers.ts';
import { fileOfKey } from '#store/address/file-keys.ts';
import { currentAddress, goToStart, select, showView } from '#store/address/navigation.ts';
import { coreTargetId } from '#store/kernels/core-view.ts';
import { closeFile } from '#store/session/files.ts';
import { activeFile, activeFileNow, type OpenFile, session } from '#store/session/session.ts';
import { applyViewState, formatViewState } from '#store/session/view-state.ts';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { LESSON } from '#testing/play-lesson.ts';
import { samplePath } from '#testing/samples.ts';
import {
  answerStep,
  backToStep,
  goToNext,
  goToPlace,
  goToPrevious,
  goToStep,
  MISSES_BEFORE_SHOWN,
  openLesson,
  selectPlace,
  setLessonText,
  showAnswer,
  watchTool,
} from './lesson-player.ts';
import * as lessonSource from './lesson-source.ts';
import { closeLesson, type OpenLesson, stepNow, useLesson } from './lesson-state.ts';
import { progressOf, useProgress } from './progress.ts';
import { followPlace, registerLessons } from './start-lesson.ts';
import { isElsewhere, placeOfStep } from './step-place.ts';

registerLessons();

beforeEach(() => {
  openFilesInPage();
  vi.stubGlobal('document', { baseURI: 'https://tools.example/', getElementById: () => null });
  vi.stubGlobal('fetch', async (input: string | URL) => {
    return new Response(readFileSync(samplePath(`${input}`.replace(/^.*samples\//, ''))));
  });
  vi.spyOn(lessonSource, 'textOfKey').mockImplementation(async (key) =>
    key === 'test'
      ? { text: LESSON, original: null, problem: null }
      : { text: null, original: null, problem: `There is no lesson ${key}` },
  );
});

afterEach(() => {
  closeLesson();
  useProgress.setState({ lessons: {} });
  for (const { id } of session.getState().files) closeFile(id);
  session.setState({ wanted: null, panes: [] });
  vi.unstubAllGlobals();
});

const open = (): OpenLesson => {
  const lesson = useLesson.getState().open;
  if (lesson === null) throw new Error('no lesson is open');
  return lesson;
};
const active = (): OpenFile => {
  const file = activeFileNow();
  if (file === null) throw new Error('no file is looked at');
  return file;
};
const isAway = () => isElsewhere(session.getState(), placeOfStep(open(), open().stepIndex));
const address = () => currentAddress(session.getState());
const typed = (text: string) => answerStep({ kind: 'typed', text });

describe('a lesson', () => {
  it('opens its file and shows the place of its first step', async () => {
    expect(await openLesson('test', null)).toBe(true);
    expect(stepNow(useLesson.getState())?.id).toBe('the-magic');
    expect(active()).toMatchObject({
      sample: 'kinds.btf',
      view: 'bytes',
      selection: { kind: 'bytes', start: 0, end: 2 },
    });
    expect(isAway()).toBe(false);
    expect(useLesson.getState().isGoing).toBe(false);
    expect(address()).toBe('#/bytes?lesson=test&at=the-magic&file=sample:kinds.btf&bytes=@0x0-0x2');
  });

  it('that is invalid is reported', async () => {
    expect(await openLesson('nobody', null)).toBe(false);
    expect(useLesson.getState()).toMatchObject({
      open: null,
      problem: 'There is no lesson nobody',
    });
  });

  it('begins at the step that an address names, or else at the last one', async () => {
    await openLesson('test', 'a-struct');
    expect(open().stepIndex).toBe(1);
    expect(active().view).toBe('types');
    await openLesson('test', null);
    expect(open().stepIndex).toBe(1);
    await openLesson('test', 'no-such-step');
    expect(open().stepIndex).toBe(0);
  });

  it('that is left for the start page before its text is here does not come back', async () => {
    const opened = openLesson('test', null);
    goToStart();
    await opened;
    expect(useLesson.getState()).toMatchObject({ open: null, isGoing: false });
  });

  it('that is left for the start page before its file is here does not come back', async () => {
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (input: string) => {
      if (input.endsWith('kinds.btf')) goToStart();
      return await fetch(input);
    });
    await openLesson('test', null);
    expect(session.getState().files).toHaveLength(1);
    expect(useLesson.getState()).toMatchObject({ open: null, isGoing: false });
    expect(activeFileNow()).toBeNull();
    expect(address()).toBe('#/');
  });

  it('goes on and back, and not over its ends', async () => {
    await openLesson('test', null);
    await goToPrevious();
    expect(open().stepIndex).toBe(0);
    await goToNext();
    expect(open().stepIndex).toBe(1);
    await goToStep(5);
    expect(active()).toMatchObject({ sample: 'exec_trace.bpf.o', view: 'core' });
    await goToNext();
    expect(open().stepIndex).toBe(5);
    await goToStep(0);
    expect(active().sample).toBe('kinds.btf');
  });

  it('keeps the view in a step without a place', async () => {
    await openLesson('test', 'a-struct');
    const before = active().selection;
    await goToNext();
    expect(active().selection).toBe(before);
    expect(isAway()).toBe(false);
  });

  it('detects that the tool shows another place, and goes back', async () => {
    await openLesson('test', null);
    select({ kind: 'bytes', start: 8, end: 12 });
    expect(isAway()).toBe(true);
    await backToStep();
    expect(isAway()).toBe(false);
    showView('types');
    expect(isAway()).toBe(true);
    await goToPlace('#/types?type=struct:node');
    expect(active()).toMatchObject({ view: 'types', selection: { kind: 'type' } });
    await selectPlace('bytes=@0x4-0x8');
    expect(active()).toMatchObject({ selection: { start: 4, end: 8 } });
  });

  it('also for the view state beside the selection', async () => {
    const change = (key: string) => {
      const params = new Map(formatViewState(active(), 'types'));
      params.delete(key);
      applyViewState(active().id, 'types', params);
    };
    vi.mocked(lessonSource.textOfKey).mockResolvedValue({
      text: LESSON.replace('types?type=struct:node', 'types?as=layout&form=raw&type=struct:node'),
      original: null,
      problem: null,
    });
    await openLesson('test', 'a-struct');
    expect(isAway()).toBe(false);
    change('as');
    expect(isAway()).toBe(true);
    await backToStep();
    expect(isAway()).toBe(false);
    change('form');
    expect(isAway()).toBe(true);
  });

  it('ends at the place of a step that is chosen while the file of the first one opens', async () => {
    const second = new Promise<void>((resolve) => {
      const stop = session.subscribe((state) => {
        if (activeFile(state)?.status.step !== 'opening') return;
        stop();
        resolve(goToStep(1));
      });
    });
    await openLesson('test', null);
    await second;
    expect(open().stepIndex).toBe(1);
    expect(active().status.step).toBe('ready');
    expect(isAway()).toBe(false);
    expect(useLesson.getState().isGoing).toBe(false);
  });

  it('ends at the place of a later step', async () => {
    await openLesson('test', null);
    const far = goToStep(5);
    await goToStep(1);
    await far;
    expect(open().stepIndex).toBe(1);
    expect(active().view).toBe('types');
    expect(useLesson.getState().isGoing).toBe(false);
  });

  it('waits for a file that an earlier step is still opening', async () => {
    await openLesson('test', null);
    closeFile(active().id);
    const first = goToStep(0);
    await goToStep(1);
    await first;
    expect(active()).toMatchObject({ view: 'types', selection: { kind: 'type' } });
    closeFile(active().id);
    const back = backToStep();
    await typed('0:1');
    await back;
    expect(open().answer?.isRight).toBe(true);
    expect(session.getState().files).toHaveLength(1);
  });

  it('gives the reason why a place cannot be shown', async () => {
    vi.mocked(lessonSource.textOfKey).mockResolvedValue({
      text: LESSON.replaceAll('sample:kinds.btf', 'sample:gone.btf'),
      original: null,
      problem: null,
    });
    await openLesson('test', null);
    expect(open().placeProblem).toBe('No example is named gone.btf');
  });
});

describe('answers', () => {
  it('counts misses, and records answers', async () => {
    await openLesson('test', 'a-number');
    await typed('192');
    expect(open()).toMatchObject({ misses: 1, answer: { isRight: false } });
    await typed('24');
    expect(open()).toMatchObject({ misses: 1, answer: { isRight: true } });
    expect(progressOf(useProgress.getState().lessons, 'test')).toMatchObject({
      done: ['a-number'],
      wrong: { 'a-number': 1 << OTHER_WRONG },
    });
    await goToNext();
    expect(open()).toMatchObject({ misses: 0, answer: null });
  });

  it('are checked in the file of the step', async () => {
    await openLesson('test', 'a-struct');
    await typed('0:0');
    expect(open().answer?.why).toMatch(/^0:0 goes to .*next.*; the question asks for .*matrix/);
    await typed('0:1');
    expect(open().answer?.isRight).toBe(true);
  });

  it('of a choice are its own', async () => {
    await openLesson('test', 'a-choice');
    await answerStep({ kind: 'chosen', option: 0 });
    expect(open().answer).toMatchObject({ isRight: false, why: 'Not this one of them.' });
    await answerStep({ kind: 'chosen', option: 1 });
    expect(open().answer).toMatchObject({ isRight: true, why: 'This one it is.' });
    const { lessons } = useProgress.getState();
    expect(progressOf(lessons, 'test')?.wrong).toEqual({ 'a-choice': 1 });
  });

  it('of a value are asked of the target', async () => {
    await openLesson('test', 'challenge-another-file');
    await typed('12');
    expect(open().answer?.why).toBe('12 is what the object holds before it is relocated.');
    await typed('0x5c');
    expect(open().answer?.isRight).toBe(true);
  });

  it('of a value are not beside the question until they are given', async () => {
    vi.mocked(lessonSource.textOfKey).mockResolvedValue({
      text: LESSON.replace('&target=sample:kernel.btf', ''),
      original: null,
      problem: null,
    });
    await openLesson('test', 'challenge-another-file');
    await typed('12');
    const kernel = fileOfKey('sample:kernel.btf');
    expect(kernel?.status.step).toBe('ready');
    expect(coreTargetId(active().id)).toBeNull();
    await typed('92');
    expect(coreTargetId(active().id)).toBe(kernel?.id);
    // Goes back to a step whose answer is stored.
    await goToPrevious();
    await goToNext();
    expect(open().answer?.isRight).toBe(true);
    expect(coreTargetId(active().id)).toBe(kernel?.id);
    await backToStep();
    expect(coreTargetId(active().id)).toBe(kernel?.id);
  });

  it('of a value are shown where the step names the target itself', async () => {
    await openLesson('test', 'challenge-another-file');
    expect(coreTargetId(active().id)).toBe(fileOfKey('sample:kernel.btf')?.id);
  });

  it('can be had after some misses: shown in the tool, or given to be written', async () => {
    await openLesson('test', 'a-struct');
    expect(await showAnswer()).toEqual({ kind: 'typed', text: '0:1' });
    await goToStep(5);
    expect(await showAnswer()).toEqual({ kind: 'typed', text: '92' });
    await goToStep(0);
    await showAnswer();
    expect(active().selection).toMatchObject({ start: 2, end: 3 });
    expect(open().answer?.isRight).toBe(true);
    // The page showed the answer, so the step does not count as answered.
    expect(progressOf(useProgress.getState().lessons, 'test')?.done).toEqual([]);
    expect(MISSES_BEFORE_SHOWN).toBe(3);
  });

  it('finish the lesson when all are right and its end is reached', async () => {
    await openLesson('test', null);
    await answerStep({ kind: 'place', at: 'bytes=@0x2-0x3' });
    for (const text of ['0:1', '24']) {
      await goToNext();
      await typed(text);
    }
    await goToNext();
    await answerStep({ kind: 'chosen', option: 1 });
    await goToStep(5);
    expect(progressOf(useProgress.getState().lessons, 'test')?.isFinished).toBe(false);
    await typed('92');
    const progress = progressOf(useProgress.getState().lessons, 'test');
    expect(progress).toMatchObject({ isFinished: true, at: 'challenge-another-file' });
    expect(progress?.done).toHaveLength(5);
    // A finished lesson is opened at its first step.
    await openLesson('test', null);
    expect(open().stepIndex).toBe(0);
  });
});

describe('clicks', () => {
  const answered = (isRight: boolean) =>
    vi.waitFor(() => expect(open().answer).toMatchObject({ isRight }));

  it("answer if they are the learner's own", async () => {
    const stop = watchTool();
    await openLesson('test', null);
    await backToStep();
    await selectPlace('bytes=@0x4-0x8');
    select({ kind: 'bytes', start: 8, end: 9 });
    await answered(false);
    expect(open().misses).toBe(1);
    select({ kind: 'bytes', start: 2, end: 3 });
    await answered(true);
    // After the right answer, later selections are not checked.
    select({ kind: 'bytes', start: 8, end: 9 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(open()).toMatchObject({ misses: 1, answer: { isRight: true } });
    stop();
  });

  it('count for the last of a drag', async () => {
    const stop = watchTool();
    await openLesson('test', null);
    for (let end = 9; end < 12; end++) select({ kind: 'bytes', start: 8, end });
    await answered(false);
    expect(open().misses).toBe(1);
    stop();
  });

  it('that close the last file end the lesson', async () => {
    const stop = watchTool();
    await openLesson('test', null);
    session.setState({ panes: [] });
    expect(useLesson.getState().open).toBeNull();
    stop();
  });
});

describe('an address', () => {
  it('of a step alone shows its place', async () => {
    await followPlace('#/?lesson=test&at=a-struct');
    expect(open().stepIndex).toBe(1);
    expect(active().view).toBe('types');
  });

  it('with more in it shows the step, and the tool where somebody had gone', async () => {
    await followPlace('#/bytes?lesson=test&at=a-struct&file=sample:kinds.btf&bytes=@0x8-0xc');
    expect(open().stepIndex).toBe(1);
    expect(active()).toMatchObject({ view: 'bytes', selection: { start: 8, end: 12 } });
    expect(isAway()).toBe(true);
    expect(address()).toBe('#/bytes?lesson=test&at=a-struct&file=sample:kinds.btf&bytes=@0x8-0xc');
    await followPlace('#/types?lesson=test&at=the-magic&file=sample:kinds.btf&type=struct:node');
    expect(open().stepIndex).toBe(0);
  });

  it('without a lesson closes it', async () => {
    await followPlace('#/?lesson=test&at=a-struct');
    await followPlace('#/types?file=sample:kinds.btf&type=struct:node');
    expect(useLesson.getState().open).toBeNull();
    expect(active().view).toBe('types');
  });

  it('of a lesson that cannot be loaded is reported, and the lesson stays', async () => {
    await followPlace('#/types?lesson=nobody&at=x&file=sample:kinds.btf&type=struct:node');
    expect(useLesson.getState().problem).toBe('There is no lesson nobody');
    expect(active()).toMatchObject({ view: 'types', sample: 'kinds.btf' });
  });

  it('brings the file of a lesson that leaves it open', async () => {
    vi.mocked(lessonSource.textOfKey).mockResolvedValue({
      text: LESSON.replace('object: sample:kinds.btf', 'object: link'),
      original: null,
      problem: null,
    });
    await followPlace('#/?lesson=linked&file=sample:kinds.btf');
    expect(active()).toMatchObject({ sample: 'kinds.btf', view: 'bytes' });
    expect(address()).toBe(
      '#/bytes?lesson=linked&at=the-magic&of=sample:kinds.btf&file=sample:kinds.btf&bytes=@0x0-0x2',
    );
    await goToStep(5);
    const away = address();
    closeLesson();
    await followPlace(away);
    await goToStep(0);
    expect(active().sample).toBe('kinds.btf');
  });
});

describe('a text that is being written', () => {
  it('is read with its original where it is a translation, and says where it differs', async () => {
    await openLesson('test', 'a-number');
    const head = '---\ntitle: T\nabout: A.\nlang: de\ntranslates: why-core\n---\n\n';
    const step = '## Ein Feld {#a-member-is-only-a-number}\n\nText.\n';
    setLessonText(`${head}${step}`);
    await vi.waitFor(() => expect(open().original?.key).toBe('why-core'));
    expect(open().lesson?.object).toBe('sample:exec_trace.bpf.o');
    expect(open().lesson?.steps[0]).toMatchObject({ title: 'Ein Feld', line: 8 });
    expect(open().problems).toContainEqual({
      message: 'Questions: 1 in the original, 0 here',
      line: 8,
      column: 1,
    });
    setLessonText(`${head.replace('why-core', 'nothing')}${step}`);
    await vi.waitFor(() => expect(open().problems[0]?.message).toMatch(/^The original nothing/));
    setLessonText(LESSON);
    expect(open()).toMatchObject({ original: null, problems: [] });
  });

  it('is read again, at the same step', async () => {
    await openLesson('test', 'a-number');
    setLessonText(LESSON.replace('## The magic', '## New\n\nx\n\n## The magic'));
    expect(open().stepIndex).toBe(3);
    expect(stepNow(useLesson.getState())?.id).toBe('a-number');
    setLessonText('## ');
    expect(open().problems.length).toBeGreaterThan(0);
    setLessonText(LESSON);
    expect(open().lesson?.steps).toHaveLength(6);
  });

  it('shows another place when the step does', async () => {
    await openLesson('test', null);
    setLessonText(LESSON.replace('bytes=@0x0-0x2', 'bytes=@0x8-0xc'));
    await vi.waitFor(() => expect(active().selection).toMatchObject({ start: 8, end: 12 }));
  });
});
