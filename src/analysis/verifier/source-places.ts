/** Finds the lines of source of instructions in the object that a log is of. */
import { lineAt, sourceLine } from '#analysis/code/source-lines.ts';
import { slotPlace } from '#analysis/libbpf/program-parts.ts';
import { functionAt, functionsOf } from '#analysis/objects/functions.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCutOf, type LogBinding } from './typed-value.ts';
import type { Walk } from './walk.ts';

/** A place in the program. */
export type SourcePlace = { readonly file: string | null; readonly line: number | null };

/** Maximum number of line records of an object that are read. */
const MAX_LINES = 50_000;

/** Returns a function that finds the source line of an instruction of the bound program. */
export function objectPlaces({
  object,
  program,
  code = null,
}: LogBinding): (insn: number) => SourcePlace | null {
  if (object !== null && code !== null && code.parts.length > 0) {
    return (insn) => {
      const place = slotPlace(code.parts, insn);
      return place === null ? null : placeAt(object, place.section, place.insnOff);
    };
  }
  const func =
    object === null || program === null
      ? undefined
      : functionsOf(object).find((one) => one.isProgram && isCutOf(program, one.name));
  if (object === null || func === undefined) return () => null;
  return (insn) => {
    const offset = func.start + insn * 8;
    // Which subprograms follow is known with the code only.
    if (offset >= func.end) return null;
    return placeAt(object, func.section, offset);
  };
}

function placeAt(
  object: ObjectModel,
  ...at: readonly [section: Parameters<typeof lineAt>[1], offset: number]
): SourcePlace | null {
  const found = lineAt(object, ...at);
  return found === null ? null : { file: found.file.replace(/^.*\//, ''), line: found.line };
}

/** Yields the line records of an object that a place is of, with their functions. */
function* recordsOf(object: ObjectModel, { file, line: number }: SourcePlace) {
  const { line } = object.ext;
  for (let row = 0; row < Math.min(line.count, MAX_LINES); row++) {
    if ((line.lineCol[row] ?? 0) >>> 10 !== number) continue;
    const section = line.section[row] ?? -1;
    if (section < 0 || (file !== null && !sourceLine(object, row).file.endsWith(file))) continue;
    const offset = line.insnOff[row] ?? 0;
    const func = functionAt(object, sectionIndex(section), offset);
    if (func !== null) yield { func, offset };
  }
}

/** Returns the only line of an object with a text, for logs without line numbers; else null. */
export function placeOfText(object: ObjectModel | null, text: string): SourcePlace | null {
  if (object === null || text === '') return null;
  let place: SourcePlace | null = null;
  for (let row = 0; row < Math.min(object.ext.line.count, MAX_LINES); row++) {
    const found = sourceLine(object, row);
    if (found.text.trim() !== text.trim()) continue;
    if (place !== null && place.line !== found.line) return null;
    place = { file: found.file.replace(/^.*\//, ''), line: found.line };
  }
  return place;
}

/** Returns the name of the only function of an object that has a line; else null. */
export function functionOfPlace(
  object: ObjectModel | null,
  place: SourcePlace | null,
): string | null {
  if (object === null || place?.line == null) return null;
  const names = new Set<string>();
  for (const { func } of recordsOf(object, place)) names.add(func.name);
  const [only, other] = names;
  return other === undefined ? (only ?? null) : null;
}

/**
 * Returns the line of a step in a subprogram, whose instructions loaders put behind those of the
 * program: by the line at which the subprogram begins. Null if several begin there.
 */
export function subprogramPlace(
  object: ObjectModel | null,
  walk: Walk,
  entry: number,
  step: number,
): SourcePlace | null {
  const source = walk.sourceOf(entry);
  if (object === null || source?.line == null || source.isUncertain) return null;
  const begin = { file: source.file, line: source.line };
  const found = [...recordsOf(object, begin)].filter(({ func, offset }) => func.start === offset);
  const [only, other] = found;
  const distance = (walk.insnOf(step) - walk.insnOf(entry)) * 8;
  if (only === undefined || other !== undefined || distance < 0) return null;
  const at = only.func.start + distance;
  return at < only.func.end ? placeAt(object, only.func.section, at) : null;
}
