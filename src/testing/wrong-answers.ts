/**
 * Makes wrong answers that a learner could give: neighbouring places and numbers, short paths,
 * other options.
 */

import type { CoreResult } from '#analysis/core/resolve.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import type { Span } from '#bytes/span.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import type { Question } from '#lessons/lesson.ts';
import type { GivenAnswer } from '#lessons/right-answer.ts';
import {
  coreIndex,
  relocIndex,
  type SectionIndex,
  sectionIndex,
  symbolIndex,
  type TypeId,
  typeId,
} from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { memberAt, memberCount } from '#model/type-items.ts';
import { skipModifiers } from '#model/type-table.ts';
import { formatSelection } from '#store/address/selection-keys.ts';
import { type LessonFile, placeIn } from './lesson-files.ts';

/**
 * Returns at least three wrong answers, if the file has that many places. `right` is the result of
 * `rightAnswer`; `result` is the record's result for `ask value`, else null.
 */
export function wrongAnswers(
  question: Question,
  right: GivenAnswer,
  file: LessonFile,
  result: CoreResult | null,
): readonly GivenAnswer[] {
  if (question.kind === 'choice') {
    return question.options.flatMap(({ isRight }, option) =>
      isRight ? [] : [{ kind: 'chosen' as const, option }],
    );
  }
  if (right.kind === 'place') return wrongPlaces(file, right.at);
  if (right.kind !== 'typed') return [];
  if (question.kind === 'write') {
    const texts = [question.start, 'struct unasked { int x; };', `${right.text}\nstruct {`];
    return texts.map((text) => ({ kind: 'typed', text }));
  }
  const before = result?.decision?.origVal ?? 0n;
  const texts =
    question.kind === 'access' ? wrongPaths(right.text) : wrongNumbers(right.text, before);
  const near = question.kind === 'number' ? question.nearMisses.map(({ value }) => `${value}`) : [];
  return [...new Set([...near, ...texts])].map((text) => ({ kind: 'typed', text }));
}

/** Returns wrong access strings: too long, a neighbour, the parent, a C expression, plain text. */
function wrongPaths(right: string): readonly string[] {
  const indices = right.split(':').map(Number);
  const last = indices.at(-1) ?? 0;
  const front = indices.slice(0, -1);
  const neighbour = [...front, last === 0 ? 1 : last - 1].join(':');
  return [
    neighbour,
    ...(front.length > 0 ? [front.join(':')] : []),
    `${right}:99`,
    'p->next',
    '0.1',
  ];
}

/**
 * Returns wrong numbers: too large, too small, bits for bytes, a word. If the right answer is
 * `poison`, returns numbers near `before`.
 */
function wrongNumbers(right: string, before: bigint): readonly string[] {
  if (right === 'poison') return [`${before}`, `${before + 1n}`, 'many'];
  const value = BigInt(right);
  const near = [value + 1n, value - 1n, value === 0n ? 8n : value * 8n];
  return [...near.map(String), 'many'];
}

const WANTED = 3;
/** Distances at which neighbours are tried, in this order. */
const STEPS = [1, -1, 2, -2, 3, -3, 4, -4];

/** Returns places near `at`: of the same kind if there are three, otherwise ranges of bytes. */
function wrongPlaces(file: LessonFile, at: string): readonly GivenAnswer[] {
  const { model } = file;
  const { selection } = placeIn(file, at);
  const asked = selectionSpan(model, selection);
  if (asked === null) return [];
  const beside = STEPS.map((step) => neighbour(file, selection, step))
    .filter((near) => near !== null)
    .filter((near) => isOutside(selectionSpan(model, near), asked));
  const places = [...beside.slice(0, WANTED), ...bytesBeside(model, asked)];
  return places.slice(0, WANTED + 1).map((near) => ({
    kind: 'place',
    at: formatSelection(model, near),
  }));
}

function isOutside(span: Span | null, asked: Span): boolean {
  return span !== null && (span.start < asked.start || span.end > asked.end);
}

/** Returns the place `step` rows after the selected one; null if none, or for bytes. */
function neighbour(file: LessonFile, selection: Selection, step: number): Selection | null {
  const { model } = file;
  const inside = (row: number, count: number) => row >= 0 && row < count;
  switch (selection.kind) {
    case 'type': {
      const { type, memberPath } = selection;
      const last = memberPath.at(-1);
      if (last === undefined) {
        const first = model.types?.firstId ?? 1;
        return type + step < first ? null : typeSelection(typeId(type + step));
      }
      const near = last + step;
      return near < 0 || near >= memberCountAt(model, type, memberPath)
        ? null
        : typeSelection(type, [...memberPath.slice(0, -1), near]);
    }
    case 'section': {
      const section = selection.section + step;
      return inside(section, model.sections.count)
        ? { kind: 'section', section: sectionIndex(section) }
        : null;
    }
    case 'symbol': {
      const symbol = selection.symbol + step;
      return inside(symbol, model.symbols.count)
        ? { kind: 'symbol', symbol: symbolIndex(symbol) }
        : null;
    }
    case 'relocation': {
      const { relSection } = model.relocations;
      const reloc = selection.reloc + step;
      // The list on the screen shows the relocations of one section only.
      return relSection[reloc] === relSection[selection.reloc]
        ? { kind: 'relocation', reloc: relocIndex(reloc) }
        : null;
    }
    case 'core': {
      const core = selection.core + step;
      return inside(core, model.ext.core.count)
        ? { kind: 'core', core: coreIndex(core), step: null }
        : null;
    }
    case 'insn': {
      const starts = insnStarts(file, selection.section);
      const insnOff = starts[starts.indexOf(selection.insnOff) + step];
      return insnOff === undefined ? null : { ...selection, insnOff };
    }
    default:
      return null;
  }
}

/** Returns the number of members in the struct that contains the last member of the path. */
function memberCountAt({ types }: ObjectModel, type: TypeId, path: readonly number[]): number {
  if (types === null) return 0;
  let at = skipModifiers(types, type);
  for (const index of path.slice(0, -1)) {
    at = skipModifiers(types, memberAt(types, at, index)?.type ?? typeId(0));
  }
  return memberCount(types, at);
}

/**
 * Returns the offsets of instructions in a BPF section, in bytes. Some instructions take two slots.
 */
function insnStarts({ model, read }: LessonFile, section: SectionIndex): readonly number[] {
  const start = model.sections.fileOffset[section] ?? 0;
  const code = read(start, start + (model.sections.byteLength[section] ?? 0));
  const starts: number[] = [];
  for (let at = 0; code !== null; ) {
    const insn = decodeInsn(code, at, model.endian);
    if (insn === null) break;
    starts.push(at);
    at += insn.length;
  }
  return starts;
}

/** Returns bytes before and after a place, and a range that contains the place. */
function bytesBeside(model: ObjectModel, { start, end }: Span): readonly Selection[] {
  const single = [end, start - 1, end + 4, start - 5, end + 8, end + 12]
    .filter((at) => at >= 0 && at < model.size)
    .slice(0, WANTED);
  const wider = { start: Math.max(0, start - 4), end: Math.min(model.size, end + 4) };
  return [
    ...single.map((at): Selection => ({ kind: 'bytes', start: at, end: at + 1 })),
    { kind: 'bytes', ...wider },
  ];
}
