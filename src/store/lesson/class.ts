/** Class mode: the learner's code and certificate, the codes that a teacher collects. Nothing is sent. */
import { create } from 'zustand';
import {
  codesIn,
  decodeProgress,
  encodeProgress,
  lessonFingerprint,
} from '#lessons/progress-code.ts';
import { isFramed } from '#store/page/framed.ts';
import { type Kept, newestFirst } from './progress.ts';

type ClassState = {
  /** The learner's name, for the code and the certificate; raw text. */
  readonly name: string;
  /** Collected codes, the oldest first. */
  readonly codes: readonly string[];
};

const STORE = 'btfscope-class';
const MAX_NAME = 80;
/** The oldest go first. */
const MAX_CODES = 300;
/** Characters; a code of 24 lessons of 200 steps has fewer. */
const MAX_CODE = 2000;

export const useClass = create<ClassState>(() => read());

export function setLearnerName(name: string): void {
  keep({ name: name.slice(0, MAX_NAME) });
}

/** Adds the codes that are in a text. How many were new; -1 where it has none that can be read. */
export function addCodes(text: string): number {
  const { codes } = useClass.getState();
  const read = codesIn(text).filter((code) => isCode(code));
  if (read.length === 0) return -1;
  const added = read.filter((code) => !codes.includes(code));
  keep({ codes: [...codes, ...added].slice(-MAX_CODES) });
  return added.length;
}

export function removeCodes(): void {
  keep({ codes: [] });
}

/** The code of this browser's progress; null before the first lesson. */
export function ownCode(lessons: Kept, name: string): string | null {
  const coded = newestFirst(lessons).flatMap(([, { title, steps, at, done }]) =>
    steps.length === 0
      ? []
      : [
          {
            fingerprint: lessonFingerprint(title, steps),
            at: Math.max(0, steps.indexOf(at)),
            done: steps.map((id) => done.includes(id)),
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
  if (isFramed()) return;
  const { name, codes } = useClass.getState();
  try {
    if (name === '' && codes.length === 0) localStorage.removeItem(STORE);
    else localStorage.setItem(STORE, JSON.stringify({ name, codes }));
  } catch {
    // Full or forbidden: it holds until the page is closed.
  }
}

function read(): ClassState {
  try {
    return readClass(localStorage.getItem(STORE) ?? '');
  } catch {
    return { name: '', codes: [] };
  }
}

/** What was kept, as far as it is what this page writes. Total. */
export function readClass(text: string): ClassState {
  let data: unknown = null;
  try {
    data = JSON.parse(text);
  } catch {
    // Nothing was kept.
  }
  const { name, codes } = (data ?? {}) as Readonly<Record<string, unknown>>;
  const list: readonly unknown[] = Array.isArray(codes) ? codes : [];
  return {
    name: typeof name === 'string' ? name.slice(0, MAX_NAME) : '',
    codes: list
      .filter((code): code is string => typeof code === 'string' && isCode(code))
      .slice(0, MAX_CODES),
  };
}
