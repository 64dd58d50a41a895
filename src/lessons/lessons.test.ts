/**
 * Checks every lesson of the page against its files: all places exist, every question takes its
 * right answer and explains three wrong answers.
 * `LESSON=btf-header npx vitest run src/lessons/lessons.test.ts` checks one lesson.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { checkPlannedAnswer } from '#testing/check-planned-answer.ts';
import {
  fileOfStep,
  type LessonFile,
  lessonFile,
  lessonIds,
  lessonText,
  resultAt,
  translationKeys,
} from '#testing/lesson-files.ts';
import {
  addressProblems,
  placeProblems,
  proseProblems,
  unusedViews,
} from '#testing/lesson-places.ts';
import { wrongAnswers } from '#testing/wrong-answers.ts';
import { CATALOGUE, lessonsOf, nextLesson, TRACKS, TRANSLATIONS, type Track } from './catalogue.ts';
import type { Lesson, Question, Step } from './lesson.ts';
import { readLesson } from './read-lesson.ts';
import { type GivenAnswer, givenAway, rightAnswer } from './right-answer.ts';

const only = process.env.LESSON;
const ids = lessonIds().filter((id) => only === undefined || id === only);

describe.skipIf(only !== undefined)('the list of lessons', () => {
  it('names every text once, counted from 1', () => {
    expect(CATALOGUE.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(CATALOGUE.map(({ number }) => number)).toEqual(CATALOGUE.map((_, i) => i + 1));
  });
});

it.skipIf(only !== undefined)(
  'every view of an example and every mode of CO-RE is shown by a step',
  () => {
    const steps = ids.flatMap((id) => readLesson(lessonText(id)).lesson?.steps ?? []);
    expect(unusedViews(steps)).toEqual([]);
    // `ask write` uses the compiler of the workbench, so its step can have any view.
    expect(steps.some(({ question }) => question?.kind === 'write')).toBe(true);
  },
);

it.skipIf(only !== undefined)(
  'a place inside an instruction of two slots is reported',
  async () => {
    const file = await lessonFile('sample:xdp_counter.bpf.o');
    expect(placeProblems('insn=xdp@0x8', file)).toEqual([]);
    // `ld_imm64` at 0x8 has 16 bytes, so that no instruction begins at 0x10.
    expect(placeProblems('insn=xdp@0x10', file)).toEqual([
      'insn=xdp@0x10 is inside an instruction',
    ]);
    expect(placeProblems('insn=xdp@0x18', file)).toEqual([]);
  },
);

describe.skipIf(only !== undefined)('the tracks', () => {
  it('have lessons of the list; the first takes half an hour, the workshop two hours', () => {
    const minutes = (track: Track) =>
      lessonsOf(track).reduce((sum, entry) => sum + entry.minutes, 0);
    for (const [track, { ids: named }] of Object.entries(TRACKS)) {
      expect(lessonsOf(track as Track).map(({ id }) => id)).toEqual(named);
    }
    expect(minutes('why')).toBe(30);
    expect(minutes('workshop')).toBe(120);
  });

  it('have a next lesson', () => {
    for (const { ids: named } of Object.values(TRACKS)) {
      const track = (Object.keys(TRACKS) as Track[]).find((name) => TRACKS[name].ids === named);
      const follow = named.map((id) => nextLesson(id, track ?? null)?.id ?? null);
      expect(follow).toEqual([...named.slice(1), null]);
    }
    const all = CATALOGUE.map(({ id }) => nextLesson(id, null)?.id);
    expect(all).toEqual([...CATALOGUE.slice(1).map(({ id }) => id), undefined]);
    // The first lesson is not in the track; the second key is not in the list of lessons.
    expect(nextLesson('alpha', 'why')?.id).toBe(nextLesson('alpha', null)?.id);
    expect(nextLesson('md1:x', null)).toBeNull();
  });
});

/** Returns the minutes of a lesson: 1 per 150 words, 0.5 per question, 2 per question with C. */
function minutesOf(text: string): number {
  const body = text
    .replace(/^---[\s\S]*?\n---\n/, '')
    .replaceAll(/```notes[\s\S]*?```/g, '')
    .replaceAll(/```show[^`]*```|:: right[\s\S]*?```/g, '');
  const words = body.match(/\w+/g)?.length ?? 0;
  const written = text.match(/```ask write/g)?.length ?? 0;
  const asked = (text.match(/```ask /g)?.length ?? 0) - written;
  return 5 * Math.round((words / 150 + asked / 2 + written * 2) / 5);
}

describe.skipIf(only !== undefined)('questions that are answered in C', () => {
  const written = ids.flatMap((id) =>
    (readLesson(lessonText(id)).lesson?.steps ?? []).flatMap(({ title, question }) =>
      question?.kind === 'write' ? [{ id, title, question }] : [],
    ),
  );

  it('are thirty in the exercises and at least fifteen in the other lessons', () => {
    const exercises = written.filter(({ id }) => TRACKS.exercises.ids.includes(id));
    expect(exercises).toHaveLength(30);
    expect(written.length - exercises.length).toBeGreaterThanOrEqual(15);
  });

  it('have a hint each', () => {
    expect(written.filter(({ question }) => question.hint.length === 0)).toEqual([]);
  });
});

describe.each(ids)('%s', (id) => {
  const { lesson, problems } = readLesson(lessonText(id));
  const steps = lesson?.steps ?? [];

  it('has notes for the presenter in every step', () => {
    expect(steps.filter(({ notes }) => notes === null).map(({ title }) => title)).toEqual([]);
  });

  it('is read without problems', () => {
    expect(problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
  });

  it('has the title and summary of its text in the list', () => {
    const { number, title, about } = lesson ?? {};
    const minutes = minutesOf(lessonText(id));
    expect(CATALOGUE.find((entry) => entry.id === id)).toEqual({
      id,
      number,
      title,
      about,
      minutes,
    });
  });

  it('has 5 to 14 steps, most of them with a question', () => {
    expect(steps.length).toBeGreaterThanOrEqual(5);
    expect(steps.length).toBeLessThanOrEqual(14);
    const asking = steps.filter(({ question }) => question !== null);
    expect(asking.length).toBeGreaterThan(steps.length / 2);
  });

  it('ends with a challenge on another object', async () => {
    const last = steps.at(-1);
    expect(last?.title).toMatch(/^Challenge: /);
    expect(last?.question).not.toBeNull();
    if (lesson === null || last === undefined) return;
    expect(last.show).toContain('file=');
    expect((await fileOfStep(lesson, last)).key).not.toBe(lesson.object);
  });

  it('shows something from its first step on', () => {
    expect(steps[0]?.show).not.toBeNull();
  });

  describe.each(steps.map((step) => [step.id, step] as const))('%s', (_, step) => {
    checkStep(lesson, step);
  });
});

/** Keys of the translations to check; the variable `LESSON` selects one lesson. */
const translations = translationKeys().filter((key) => ids.includes(key.split('.')[0] ?? ''));

it.skipIf(only !== undefined)('TRANSLATIONS names all translations', () => {
  expect(TRANSLATIONS.map(({ id, lang }) => `${id}.${lang}`).toSorted()).toEqual(translations);
});

describe.each(translations)('%s', (key) => {
  const [id = '', lang] = key.split('.');
  const { lesson: first } = readLesson(lessonText(id));
  const { lesson, problems } = readLesson(lessonText(key), first);
  const steps = lesson?.steps ?? [];

  it('has the steps, places and answers of its original', () => {
    expect(problems).toEqual([]);
    expect(lesson?.lang).toBe(lang);
    const sharedOf = ({ id: step, show, callouts, question, notes }: Step) => ({
      step,
      show,
      places: callouts.map(({ at }) => at),
      question: question === null ? null : sharedOfQuestion(question),
      hasNotes: notes !== null,
    });
    expect(lesson?.object).toBe(first?.object);
    expect(steps.map(sharedOf)).toEqual(first?.steps.map(sharedOf));
  });

  describe.each(steps.map((step) => [step.id, step] as const))('%s', (_, step) => {
    checkStep(lesson, step);
  });
});

/** Returns the parts of a question that are the same in every language. */
function sharedOfQuestion(question: Question): object {
  const { prompt: _, ...rest } = question;
  switch (rest.kind) {
    case 'choice':
      return { ...rest, options: rest.options.map(({ isRight }) => isRight) };
    case 'number':
      return { ...rest, why: '', nearMisses: rest.nearMisses.map(({ value }) => value) };
    case 'write':
      return { ...rest, hint: rest.hint.length > 0 };
    default:
      return rest;
  }
}

function checkStep(lesson: Lesson | null, step: Step): void {
  if (lesson === null) return;
  let file: LessonFile;

  beforeAll(async () => {
    file = await fileOfStep(lesson, step);
  });

  it('shows places that exist', async () => {
    if (step.show !== null) expect(await addressProblems(step.show, file)).toEqual([]);
  });

  it('pins its callouts to places that exist', () => {
    for (const { at, text } of step.callouts) {
      expect(placeProblems(at, file), at).toEqual([]);
      expect(text).not.toBe('');
    }
  });

  it('has a short text with true statements', async () => {
    expect(await proseProblems(lesson, step)).toEqual([]);
  });

  const { question } = step;
  if (question === null) return;
  it(`takes the right answer (${question.kind}) and explains three wrong ones`, async () => {
    const right = await checkQuestion(question, file);
    expect(givenAway(step, right)).toBeNull();
  });
}

async function checkQuestion(question: Question, file: LessonFile): Promise<GivenAnswer> {
  if (question.kind === 'click') expect(placeProblems(question.at, file)).toEqual([]);
  if (question.kind === 'value') expect(placeProblems(question.core, file)).toEqual([]);
  const result =
    question.kind === 'value' ? await resultAt(file, question.core, question.target) : null;
  const right = rightAnswer(question, file.model, result);
  if (right === null) throw new Error('this file has no right answer');
  const said = await checkPlannedAnswer(question, right, file, result);
  expect(said, said.why).toMatchObject({ isRight: true });

  const wrong = wrongAnswers(question, right, file, result);
  expect(wrong.length).toBeGreaterThanOrEqual(3);
  const reasons: string[] = [];
  for (const given of wrong) {
    const { isRight, why } = await checkPlannedAnswer(question, given, file, result);
    expect(isRight, `${JSON.stringify(given)} is taken: ${why}`).toBe(false);
    expect(why.split(/\s+/).length, why).toBeGreaterThanOrEqual(4);
    reasons.push(why);
  }
  expect(new Set(reasons).size, reasons[0]).toBeGreaterThan(1);
  return right;
}
