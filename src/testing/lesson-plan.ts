/**
 * Plans a test of a lesson: for each step the selection, the right answer, three wrong answers, and
 * the feedback for each. Needs no page.
 */
import '#app/views.ts';
import { readFileSync } from 'node:fs';
import { coreRecord } from '#analysis/core/core-records.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { readSystemHeadersBy } from '#analysis/workbench/headers.ts';
import type { Lesson, PlaceText, Question, Step } from '#lessons/lesson.ts';
import { withoutMarks } from '#lessons/lesson-text.ts';
import { type GivenAnswer, rightAnswer } from '#lessons/right-answer.ts';
import { type RelocIndex, type SectionIndex, sectionIndex, type TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { memberAt } from '#model/type-items.ts';
import { skipModifiers } from '#model/type-table.ts';
import { formatSelection } from '#store/address/selection-keys.ts';
import { tabTitle, viewNamed } from '#store/session/views.ts';
import { checkPlannedAnswer } from './check-planned-answer.ts';
import {
  cutAddress,
  fileOfStep,
  type LessonFile,
  lessonOf,
  placeIn,
  resultAt,
  shownBy,
} from './lesson-files.ts';
import { wrongAnswers } from './wrong-answers.ts';

// End-to-end tests run without Vite.
const HEADERS = new URL('../analysis/workbench/system-headers.txt', import.meta.url);
readSystemHeadersBy(() => readFileSync(HEADERS, 'utf8'));

/** Place in the tool that the test clicks. */
export type Click =
  | { readonly tab: 'Bytes'; readonly fileOffset: number }
  | { readonly tab: 'Code'; readonly section: string; readonly insnOff: number }
  /** Row `row` (from 0) in the section `relSection` of the Relocations tab. */
  | {
      readonly tab: 'Relocations';
      readonly relSection: string;
      readonly offset: bigint;
      readonly ordinal: number;
    }
  /** Row of a type in the list, or row of a member in the type. */
  | { readonly tab: 'Types'; readonly type: TypeId; readonly member: string | null };

export type PlannedAnswer = {
  readonly give:
    | { readonly kind: 'click'; readonly click: Click }
    | Exclude<GivenAnswer, { readonly kind: 'place' }>;
  /** Feedback that the page must show, as plain text. */
  readonly why: string;
};

export type PlannedStep = {
  readonly id: string;
  readonly title: string;
  /** Title of the tab that must be open. */
  readonly tab: string;
  /** Address parameter of the selection, such as `bytes=@0x0-0x2`; empty for no selection. */
  readonly place: string;
  /** Heading that must name the selection; null if instead a row must be marked. */
  readonly heading: string | null;
  readonly calloutCount: number;
  /** Right answer to the step's question; null if there is no question. */
  readonly right: PlannedAnswer | null;
  readonly wrong: readonly PlannedAnswer[];
};

export type LessonPlan = { readonly title: string; readonly steps: readonly PlannedStep[] };

/** Returns the plan of a built-in lesson. Rejects if a step has no right answer. */
export async function lessonPlan(id: string): Promise<LessonPlan> {
  const lesson = lessonOf(id);
  const steps: PlannedStep[] = [];
  for (const step of lesson.steps) steps.push(await planOf(lesson, step));
  return { title: lesson.title, steps };
}

async function planOf(lesson: Lesson, step: Step): Promise<PlannedStep> {
  const { view, params } = cutAddress(shownBy(lesson, step) ?? 'overview');
  const name = viewNamed(view) ?? 'overview';
  const [place] = [...params].filter(([key]) => SELECTING.includes(key));
  const { question } = step;
  const file = await fileOfStep(lesson, step);
  return {
    id: step.id,
    title: step.title,
    tab: tabTitle(name),
    place: place === undefined ? '' : place.join('='),
    heading: place === undefined ? null : headingOf(file, place.join('=')),
    calloutCount: step.callouts.length,
    ...(question === null
      ? { right: null, wrong: [] }
      : await answersOf(question, file, place?.join('=') ?? '')),
  };
}

function headingOf(file: LessonFile, place: string): string | null {
  const { selection } = placeIn(file, place);
  switch (selection.kind) {
    case 'section':
      return nameOfSection(file.model, selection.section);
    case 'type':
      return `[${selection.type}]`;
    case 'core':
      return `relo #${coreRecord(file.model, selection.core).relocIndexInSection}`;
    case 'relocation':
      return relocationMeaning(file.model, selection.reloc).typeName;
    default:
      return null;
  }
}

const SELECTING = ['type', 'bytes', 'section', 'symbol', 'reloc', 'core', 'insn'];
const WRONG = 3;

async function answersOf(
  question: Question,
  file: LessonFile,
  shown: PlaceText,
): Promise<Pick<PlannedStep, 'right' | 'wrong'>> {
  const result =
    question.kind === 'value' ? await resultAt(file, question.core, question.target) : null;
  const right = rightAnswer(question, file.model, result);
  if (right === null) throw new Error('this file has no right answer');
  const planned = async (given: GivenAnswer): Promise<PlannedAnswer> => {
    const clicked = given.kind === 'place' ? { ...given, at: clickedBy(file, given.at) } : given;
    const { why } = await checkPlannedAnswer(question, clicked, file, result);
    const give =
      given.kind === 'place' ? { kind: 'click' as const, click: clickOn(file, given.at) } : given;
    return { give, why: withoutMarks(why) };
  };
  // An answer must differ from the selection: clicking the selection changes nothing.
  const wrong = wrongAnswers(question, right, file, result)
    .filter((given) => given.kind !== 'place' || given.at !== shown)
    .slice(0, WRONG);
  return { right: await planned(right), wrong: await Promise.all(wrong.map(planned)) };
}

/** Returns the place that one click selects: for a range of bytes its first byte. */
function clickedBy(file: LessonFile, at: string): string {
  const { selection } = placeIn(file, at);
  if (selection.kind !== 'bytes') return at;
  return formatSelection(file.model, { ...selection, end: selection.start + 1 });
}

function clickOn(file: LessonFile, at: string): Click {
  const { model } = file;
  const { selection } = placeIn(file, at);
  switch (selection.kind) {
    case 'bytes':
      return { tab: 'Bytes', fileOffset: selection.start };
    case 'insn':
      return {
        tab: 'Code',
        section: nameOfSection(model, selection.section),
        insnOff: selection.insnOff,
      };
    case 'relocation':
      return relocationRow(model, selection.reloc);
    case 'type': {
      const { type, memberPath } = selection;
      return { tab: 'Types', type, member: memberName(model, type, memberPath) };
    }
    default:
      throw new Error(`nobody knows where to click for ${at}`);
  }
}

function relocationRow(model: ObjectModel, reloc: RelocIndex): Click {
  const { relSection, offset } = model.relocations;
  const at = offset[reloc] ?? 0n;
  const section = relSection[reloc] ?? 0;
  const before = Array.from(relSection.subarray(0, reloc).keys());
  const ordinal = before.filter((i) => relSection[i] === section && offset[i] === at).length;
  const name = nameOfSection(model, sectionIndex(section));
  return { tab: 'Relocations', relSection: name, offset: at, ordinal };
}

function nameOfSection({ sections }: ObjectModel, section: SectionIndex): string {
  return sectionName(sections, section);
}

/** Returns the name of the last member on the path; null for an empty path. */
function memberName(
  { types }: ObjectModel,
  type: TypeId,
  [first, ...rest]: readonly number[],
): string | null {
  if (first === undefined || types === null) return null;
  if (rest.length > 0) throw new Error('a member of a member has to be unfolded first');
  return memberAt(types, skipModifiers(types, type), first)?.name ?? null;
}
