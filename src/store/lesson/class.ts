/** Class mode: the learner's code and certificate, and the codes that a teacher collects. */
import { create } from 'zustand';
import { visible } from '#bytes/text.ts';
import { CATALOGUE } from '#lessons/catalogue.ts';
import {
  codeFault,
  codesIn,
  decodeProgress,
  encodeProgress,
  type KnownLesson,
  lessonFingerprint,
} from '#lessons/class-progress.ts';
import { withoutMarks } from '#lessons/lesson-text.ts';
import { listedAnswers } from '#lessons/wrong-answers.ts';
import { fieldsOf, itemsOf, kept } from '#store/kept/local-storage.ts';
import { useDrafts, useLinkedLessons } from './kept-lessons.ts';
import { CARRIED_LESSON, readText, textOfKey } from './lesson-source.ts';
import { newestFirst, type ProgressByLesson } from './progress.ts';

type ClassState = {
  /** Name of the learner, for the code and the certificate; not escaped. */
  readonly name: string;
  /** Codes that the teacher has collected, oldest first. */
  readonly codes: readonly string[];
};

const MAX_NAME = 80;
/** Limit of collected codes; above it a new code replaces the oldest. */
const MAX_CODES = 300;
/** Limit of a code in characters; 24 lessons with 200 steps need fewer. */
const MAX_CODE = 2000;

export const keptClass = kept<ClassState>('btfscope-class', {
  parse: (json) => {
    const { name, codes } = fieldsOf(json);
    return {
      name: typeof name === 'string' ? name.slice(0, MAX_NAME) : '',
      codes: itemsOf(codes)
        .filter((code): code is string => typeof code === 'string' && isCode(code))
        .slice(0, MAX_CODES),
    };
  },
  format: ({ name, codes }) => (name === '' && codes.length === 0 ? undefined : { name, codes }),
});

export const useClass = create<ClassState>(keptClass.read);

export function setLearnerName(name: string): void {
  keep({ name: name.slice(0, MAX_NAME) });
}

/** Adds the codes in a text. Returns how many are new; -1 if the text contains no valid code. */
export function addCodes(text: string): number {
  const { codes } = useClass.getState();
  const read = codesIn(text).filter((code) => isCode(code));
  if (read.length === 0) return -1;
  const added = read.filter((code) => !codes.includes(code));
  keep({ codes: [...codes, ...added].slice(-MAX_CODES) });
  return added.length;
}

/** Returns a sentence for each code in a text that is cut or changed, with names escaped. */
export function codeFaults(text: string): readonly string[] {
  return codesIn(text)
    .filter((code) => !isCode(code))
    .map((code) => visible(codeFault(code)));
}

export function removeCodes(): void {
  keep({ codes: [] });
}

/** Returns the learner's code for the progress in this browser; null before the first lesson. */
export function ownCode(lessons: ProgressByLesson, name: string): string | null {
  const coded = newestFirst(lessons).flatMap(([, { title, steps, at, done, wrong }]) =>
    steps.length === 0
      ? []
      : [
          {
            fingerprint: lessonFingerprint(title, steps),
            at: Math.max(0, steps.indexOf(at)),
            done: steps.map((id) => done.includes(id)),
            wrong: steps.map((id) => (Object.hasOwn(wrong, id) ? (wrong[id] ?? 0) : 0)),
          },
        ],
  );
  return coded.length === 0 ? null : encodeProgress({ name, lessons: coded });
}

function isCode(code: string): boolean {
  return code.length <= MAX_CODE && decodeProgress(code) !== null;
}

function keep(patch: Partial<ClassState>): void {
  useClass.setState(patch);
  keptClass.write(useClass.getState());
}

/** Reads the lessons that codes can refer to; leaves out lessons with errors. */
export async function knownLessons(): Promise<readonly KnownLesson[]> {
  const linked = useLinkedLessons.getState().lessons.map(({ key }) => key);
  const keys = [
    ...CATALOGUE.map(({ id }) => id),
    ...useDrafts.getState().drafts.keys(),
    // Lessons on a server are left out: class mode must not send a request.
    ...linked.filter((key) => key.startsWith(CARRIED_LESSON)),
  ];
  const texts = await Promise.all(keys.map(textOfKey));
  return texts.flatMap(({ text, original }) => {
    const lesson = text === null ? null : readText(text, original).lesson;
    if (lesson === null) return [];
    const { title, steps } = lesson;
    return [
      {
        fingerprint: lessonFingerprint(
          title,
          steps.map(({ id }) => id),
        ),
        title,
        steps: steps.map(({ title: name, question }) => ({
          title: name,
          isAsked: question !== null,
          wrong: question === null ? [] : listedAnswers(question).map(withoutMarks),
        })),
      },
    ];
  });
}
