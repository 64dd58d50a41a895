/**
 * Checks lessons against their files: places must exist, type ids must be right, offsets must be
 * inside.
 */
import type { RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as plainText } from 'mdast-util-to-string';
import { isInsnStart } from '#analysis/code/code-listing.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { sectionSpan, selectionSpan } from '#analysis/selection/selection.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { Lesson, PlaceText, Step } from '#lessons/lesson.ts';
import { typeId } from '#model/ids.ts';
import { hasType, kindOf, nameOf } from '#model/type-table.ts';
import { parseAddress } from '#store/address/address.ts';
import { decodeKey } from '#store/page/percent.ts';
import { viewNamed, viewNames, viewsOf, viewsOfClass } from '#store/session/views.ts';
import {
  cutAddress,
  fileOfAddress,
  fileOfStep,
  type LessonFile,
  lessonFile,
  lessonObject,
  placeIn,
  shownBy,
} from './lesson-files.ts';

/** Limit of words in a step's text and question, which are read in a narrow column. */
const MAX_WORDS = 120;
/** Address parameters that do not belong to a selection or a view's state. */
const OF_FILE = ['file', 'base', 'target', 'kernels', 'h'];

/** Returns the problems of an address in a file: its view, parameters and place. */
export function addressProblems(address: string, file: LessonFile): readonly string[] {
  const { view, params } = cutAddress(address);
  const read = parseAddress(`#/${address.replace(/^#?\/?/, '')}`);
  const known = [...read.params.keys(), ...read.viewParams.keys(), ...OF_FILE];
  const name = viewNamed(view);
  const { logLines } = file;
  const views = logLines === null ? viewsOf(file.model) : viewsOfClass('log');
  const line = read.viewParams.get('line') ?? null;
  return [
    ...(name === null ? [`there is no view ${view}`] : []),
    ...(name !== null && !views.includes(name) ? [`no view ${view} here`] : []),
    ...(line !== null && Number(line) > (logLines ?? 0) ? [`no line ${line}`] : []),
    ...[...params.keys()].filter((key) => !known.includes(key)).map((key) => `no key ${key}`),
    ...(read.params.size === 0 ? [] : placeProblems(cutPlace(read.params), file)),
  ].map((problem) => `${problem}: ${address}`);
}

/** Views that no example has: of typed C, of an atlas, of a CSV of veristat, of a program with DWARF. */
const WITHOUT_EXAMPLE: readonly string[] = ['workbench', 'history', 'table', 'encode'];

/** Returns the views that have an example but that no step shows. */
export function unusedViews(steps: readonly Step[]): readonly string[] {
  const shown = steps.map(({ show }) => parseAddress(`#/${show?.replace(/^#?\/?/, '') ?? ''}`));
  const used = new Set<string>(shown.map(({ view }) => view));
  return viewNames().filter((view) => !WITHOUT_EXAMPLE.includes(view) && !used.has(view));
}

function cutPlace(params: ReadonlyMap<string, string>): PlaceText {
  return [...params].map(([key, value]) => `${key}=${value}`).join('&');
}

/** Returns the problems of a place in a file. Each part of the place must exist in the file. */
export function placeProblems(place: PlaceText, file: LessonFile): readonly string[] {
  const { model } = file;
  const { params } = cutAddress(`x?${place}`);
  const known = parseAddress(`#/overview?${place}`).params;
  const strange = [...params.keys()].filter((key) => !known.has(key));
  if (strange.length > 0) return [`no key of a place: ${strange.join(', ')}`];
  const { selection, problem } = placeIn(file, place);
  if (problem !== null) return [problem];
  const span = selectionSpan(model, selection);
  // No bytes: operands of expressions patch none, and types of the base are in another file.
  const mayHaveNone =
    selection.kind === 'relocation' ||
    (selection.kind === 'type' && model.types?.fileOffset === null);
  if (span === null) return mayHaveNone ? [] : [`${place} has no bytes`];
  switch (selection.kind) {
    case 'bytes': {
      const [, from = '', to = ''] = /@(\w+)-(\w+)$/.exec(params.get('bytes') ?? '') ?? [];
      const isWhole = Number(to) - Number(from) === span.end - span.start;
      return isWhole ? [] : [`${place} ends after the file`];
    }
    case 'type': {
      const parts = (params.get('member') ?? '').split('/').filter((part) => part !== '');
      return parts.length === selection.memberPath.length ? [] : [`${place}: no such member`];
    }
    case 'core': {
      const indices = coreRecord(model, selection.core).accessStr.split(':').length;
      const isIn = selection.step === null || selection.step < indices;
      return isIn ? [] : [`${place}: the access string has ${indices} numbers`];
    }
    case 'insn': {
      const { start, end } = sectionSpan(model, selection.section) ?? span;
      const code = file.read(start, end) ?? new Uint8Array(0);
      const isStart = isInsnStart(model, code, selection.insnOff);
      return isStart ? [] : [`${place} is inside an instruction`];
    }
    default:
      return [];
  }
}

/** Returns the problems of a step's text: its length, its links, and the ids and offsets in it. */
export async function proseProblems(lesson: Lesson, step: Step): Promise<readonly string[]> {
  const { text, question, callouts } = step;
  const said = [...text, ...(question?.prompt ?? [])];
  const words = said
    .map((node) => plainText(node))
    .join(' ')
    .split(/\s+/).length;
  const options = question?.kind === 'choice' ? question.options : [];
  const small = [
    ...callouts.map((callout) => callout.text),
    ...options.flatMap((option) => [option.text, option.why]),
  ].flatMap((markdown) => fromMarkdown(markdown).children);
  const file = await fileOfStep(lesson, step);
  const files = [file, ...(await othersOf(lesson, step))];
  const nodes = nodesOf([...said, ...small]);
  const links = await Promise.all(nodes.map(({ node }) => linkProblems(lesson, file, node)));
  return [
    ...(words > MAX_WORDS ? [`${words} words; ${MAX_WORDS} at most`] : []),
    ...links.flat(),
    ...nodes.flatMap(({ node, before }) =>
      node.type === 'inlineCode' ? codeProblems(node.value, before, files) : [],
    ),
  ];
}

/** Returns the additional files of a step: base, target, and the lesson's object. */
async function othersOf(lesson: Lesson, step: Step): Promise<readonly LessonFile[]> {
  const { params } = cutAddress(shownBy(lesson, step) ?? '');
  const target = step.question?.kind === 'value' ? step.question.target : '';
  const keys = [
    params.get('base') ?? '',
    params.get('target') ?? '',
    target,
    lessonObject(lesson.object),
  ];
  return Promise.all(keys.filter((key) => key !== '').map((key) => lessonFile(decodeKey(key))));
}

/** Returns all nodes below `node`, each with the text that precedes it. */
function nodesOf(
  roots: readonly RootContent[],
): readonly { readonly node: RootContent; readonly before: string }[] {
  const nodes: { node: RootContent; before: string }[] = [];
  const open = [{ siblings: roots, at: 0 }];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const node = level.siblings[level.at];
    const previous = level.siblings[level.at - 1];
    level.at++;
    if (node === undefined) {
      open.pop();
      continue;
    }
    nodes.push({ node, before: previous === undefined ? '' : plainText(previous) });
    if ('children' in node) open.push({ siblings: node.children, at: 0 });
  }
  return nodes;
}

async function linkProblems(
  lesson: Lesson,
  file: LessonFile,
  node: RootContent,
): Promise<readonly string[]> {
  if (node.type !== 'link' || !node.url.startsWith('#/')) return [];
  const isElsewhere = cutAddress(node.url).params.has('file');
  return addressProblems(node.url, isElsewhere ? await fileOfAddress(lesson, node.url) : file);
}

/**
 * Checks code in a text: `[12] STRUCT foo` must be a type of one of the files. `.BTF@0x18` and "at
 * `0x18`" must be inside the first file.
 */
function codeProblems(
  code: string,
  before: string,
  files: readonly LessonFile[],
): readonly string[] {
  const [file] = files;
  if (file === undefined) return [];
  const [, id, kind, quoted, bare] =
    /^\[(\d+)\](?: ([A-Z_0-9]+)(?: (?:'([^']*)'|([\w.]+)))?)?/.exec(code) ?? [];
  const name = quoted ?? bare;
  if (id !== undefined && !files.some((each) => isType(each, Number(id), kind, name))) {
    return [`no type is ${code}`];
  }
  const [, section, start, end] = /^(\S*)@(0x[0-9a-f]+)(?:-(0x[0-9a-f]+))?$/.exec(code) ?? [];
  if (start !== undefined) {
    const last = end ?? `0x${(Number(start) + 1).toString(16)}`;
    return placeProblems(`bytes=${section}@${start}-${last}`, file);
  }
  const isOffset = /\b(at|offset|offsets|byte|from)\s+$/.test(before) && /^0x[0-9a-f]+$/.test(code);
  return isOffset && Number(code) > file.model.size ? [`${code} is behind the end`] : [];
}

function isType(
  { model: { types } }: LessonFile,
  id: number,
  kind?: string,
  name?: string,
): boolean {
  if (types === null) return false;
  const type = typeId(id);
  if (!hasType(types, type)) return false;
  return (
    (kind === undefined || kindName(kindOf(types, type)) === kind) &&
    (name === undefined || nameOf(types, type) === name)
  );
}
