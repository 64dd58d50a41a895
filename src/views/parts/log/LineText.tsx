import { isTypeNamed, specOf } from '#analysis/log/ask-target.ts';
import { type Followed, followNames } from '#analysis/log/follow-names.ts';
import type { LineLink } from '#analysis/log/link-log.ts';
import type { LogLine, LogSpec, LogType } from '#analysis/log/log-line.ts';
import { type FunctionRange, functionsOf } from '#analysis/objects/functions.ts';
import { type CoreIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { activate } from '#store/session/panes.ts';
import type { FileId } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { CellLink } from '#views/parts/TypeLink.tsx';
import styles from './LineText.module.css';

/** Shows a log line. Parts that lead to a place are links. */
export function LineText({ parts }: { readonly parts: readonly LinePart[] }) {
  return (
    <span className={styles.line}>
      {parts.map(({ start, text, goal }) =>
        goal === null ? (
          <span key={start}>{shown(text)}</span>
        ) : (
          <CellLink
            key={start}
            className={styles.link}
            title={goal.title}
            onClick={() => follow(goal)}
          >
            <bdi>{shown(text)}</bdi>
          </CellLink>
        ),
      )}
    </span>
  );
}

/** Shows the place that a link leads to. */
export function follow({ selection, view, file }: Goal): void {
  activate(file);
  select(selection, view);
}

/** Escapes a part of a line. Tabs become spaces, since the kernel indents with tabs. */
function shown(text: string): string {
  return drawnLines(text.replaceAll('\t', '  '));
}

/** The selection that a link makes, and the view that shows it. */
type Goal = {
  readonly selection: Selection;
  readonly view: ViewName;
  readonly title: string;
  /** File of the selection. */
  readonly file: FileId;
};

/** The object that a log is of. */
export type LogObject = {
  readonly file: FileId;
  readonly model: ObjectModel;
  /** Name of the program, not escaped, for lines that name none; null if it is not known. */
  readonly program: string | null;
};

/** The kernel whose types are the candidates in the log. */
export type TargetTypes = { readonly file: FileId; readonly types: TypeTable };

export type LinePart = {
  /** Offset in the line, in characters. */
  readonly start: number;
  /** Text of the part, not escaped. */
  readonly text: string;
  readonly goal: Goal | null;
};

type Place = { readonly start: number; readonly end: number; readonly goal: Goal };

/** Splits a log line into parts. A name that no open file contains does not become a link. */
export function lineParts(
  object: LogObject | null,
  line: LogLine,
  link: LineLink | null,
  target: TargetTypes | null,
): LinePart[] {
  const places = [
    ...(object === null
      ? []
      : [recordPlace(object, line, link), ...localPlaces(object, line, link)]),
    ...foundPlaces(object, line, target),
    ...candidatePlaces(line, target),
    object === null ? null : insnPlace(object, line),
  ]
    .filter((place) => place !== null)
    .sort((a, b) => a.start - b.start);
  return partsAt(line.text, places);
}

/** Splits a libbpf line about a record. `relo #N` becomes a link to that record. */
export function recordParts(
  file: FileId,
  text: string,
  core: CoreIndex,
  reloIndex: number,
): LinePart[] {
  const place = relocationPlace(file, text, core, reloIndex);
  return partsAt(text, place === null ? [] : [place]);
}

function partsAt(text: string, places: readonly Place[]): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { start, end, goal } of places) {
    if (start < at) continue;
    if (start > at) parts.push({ start: at, text: text.slice(at, start), goal: null });
    parts.push({ start, text: text.slice(start, end), goal });
    at = end;
  }
  if (at < text.length) parts.push({ start: at, text: text.slice(at), goal: null });
  return parts;
}

export function recordGoal(file: FileId, core: CoreIndex): Goal {
  const selection = { kind: 'core', core, step: null } as const;
  return { selection, view: 'core', title: 'Inspect relocation', file };
}

function recordPlace(
  { file }: LogObject,
  { text, reloIndex }: LogLine,
  link: LineLink | null,
): Place | null {
  const core = link?.record ?? null;
  return core === null || reloIndex === null ? null : relocationPlace(file, text, core, reloIndex);
}

function relocationPlace(
  file: FileId,
  text: string,
  core: CoreIndex,
  reloIndex: number,
): Place | null {
  return placeOf(text, `relo #${reloIndex}`, 0, recordGoal(file, core));
}

/** Returns links for the object's type and member path, if every step of the path exists. */
function localPlaces({ file }: LogObject, line: LogLine, link: LineLink | null): (Place | null)[] {
  const local = link?.local ?? null;
  const spec = specOf(line);
  return local === null || spec === null ? [] : specPlaces(line.text, spec, local, { file });
}

/** Returns the links in `found target candidate`: a type of the object and a type of the kernel. */
function foundPlaces(
  object: LogObject | null,
  { text, event }: LogLine,
  target: TargetTypes | null,
): (Place | null)[] {
  if (event?.event !== 'found-candidate') return [];
  const { local, target: candidate } = event;
  const places: (Place | null)[] = [];
  const own = object?.model.types ?? null;
  if (object !== null && own !== null) {
    places.push(typePlace(text, local, own, object, 0));
  }
  if (target !== null) {
    // Search from the end: the object's type comes first and can have the same text.
    const from = text.lastIndexOf('candidate [');
    places.push(typePlace(text, candidate, target.types, inTarget(target), Math.max(0, from)));
  }
  return places;
}

/** Returns the kernel's candidate and its member path, if it has the logged id and name. */
function candidatePlaces(line: LogLine, target: TargetTypes | null): (Place | null)[] {
  if (line.event?.event !== 'candidate' || target === null) return [];
  const { spec } = line.event;
  const id = typeId(spec.typeId);
  if (!isTypeNamed(target.types, id, spec)) return [];
  return specPlaces(line.text, spec, followNames(target.types, id, spec), inTarget(target));
}

function specPlaces(
  text: string,
  spec: LogSpec,
  followed: Followed,
  where: Where,
): (Place | null)[] {
  const type = placeOf(text, wordsOf(spec), 0, typeGoal(followed.root, [], where));
  const members = memberPathOf(followed);
  if (type === null || followed.fault !== null || members.length === 0) return [type];
  const length = /^[.[][^ ]*/.exec(text.slice(type.end))?.[0].length ?? 0;
  if (length === 0) return [type];
  const goal = typeGoal(followed.root, members, where);
  return [type, { start: type.end, end: type.end + length, goal }];
}

/** File that has a type. */
type Where = { readonly file: FileId; readonly isTarget?: boolean };

function inTarget({ file }: TargetTypes): Where {
  return { file, isTarget: true };
}

function typeGoal(
  type: TypeId,
  members: readonly number[],
  { file, isTarget = false }: Where,
): Goal {
  const noun = members.length === 0 ? 'type' : 'member';
  const title = `Show ${noun}${isTarget ? ' in the target' : ''}`;
  return { selection: typeSelection(type, members), view: 'types', title, file };
}

function typePlace(
  text: string,
  type: LogType,
  types: TypeTable,
  where: Where,
  from: number,
): Place | null {
  const id = typeId(type.typeId ?? 0);
  if (!isTypeNamed(types, id, type)) return null;
  return placeOf(text, wordsOf(type), from, typeGoal(id, [], where));
}

function wordsOf({ typeId: id, typeKind, typeName }: LogType): string {
  return `[${id}] ${typeKind} ${typeName || '<anon>'}`;
}

function insnPlace(
  { file, model, program }: LogObject,
  { text, prog, event }: LogLine,
): Place | null {
  if (event === null || !('insnIndex' in event) || event.insnIndex === null) return null;
  const func = programOf(model, prog ?? program);
  const index = event.insnIndex;
  if (func === null || func.start + index * 8 >= func.end) return null;
  const { section } = func;
  const goal: Goal = {
    selection: { kind: 'insn', section, insnOff: func.start + index * 8 },
    view: 'code',
    title: 'Show instruction',
    file,
  };
  // A line of the verifier begins with the number of an instruction.
  return placeOf(text, `insn #${index}`, 0, goal) ?? placeOf(text, `${index}`, 0, goal);
}

/** Returns the function called `prog`. If `prog` is null, returns the only program, else null. */
function programOf(model: ObjectModel, prog: string | null): FunctionRange | null {
  const functions = functionsOf(model);
  if (prog !== null) return functions.find((func) => func.name === prog) ?? null;
  const programs = functions.filter((func) => func.isProgram);
  return programs.length === 1 ? (programs[0] ?? null) : null;
}

function placeOf(text: string, words: string, from: number, goal: Goal): Place | null {
  const start = text.indexOf(words, from);
  return start < 0 ? null : { start, end: start + words.length, goal };
}

/** Returns the member indices from the root to the first step that is not a member. */
export function memberPathOf({ steps }: Pick<Followed, 'steps'>): number[] {
  const end = steps.findIndex((step) => step.name === null);
  return steps.slice(0, end < 0 ? steps.length : end).map((step) => step.index);
}
