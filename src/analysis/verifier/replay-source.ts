/**
 * The lines of C of a walk: those that the log names, and those of the bound object's functions that
 * the verifier did not reach.
 */
import { lineAt, lineRowsOf, sourceLine } from '#analysis/code/source-lines.ts';
import { type FunctionRange, functionsOf } from '#analysis/objects/functions.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Replay } from './replay.ts';
import { isCutOf } from './typed-value.ts';

/** A line of C. Texts are raw text of the log or the object. */
export type ReplayLine = {
  /** Base name of the file; null if it is not known. */
  readonly file: string | null;
  readonly line: number | null;
  /** Text, with its indentation if an object has it. */
  readonly text: string;
  /** Walked instructions, ascending; empty for a line that the verifier did not reach. */
  readonly insns: readonly number[];
  /** Number of walked steps. */
  readonly count: number;
};

export type ReplayLines = {
  /** Lines by file and number; a file comes before those that the log names later. */
  readonly lines: readonly ReplayLine[];
  /** Index of each step's line in `lines`; -1 if it has none. */
  readonly lineOfStep: Int32Array;
};

/** The program of an object that a log is of. */
export type ReplayObject = { readonly model: ObjectModel; readonly program: string | null };

type Found = {
  file: string | null;
  line: number | null;
  text: string;
  readonly insns: Set<number>;
  count: number;
};

/** Maximum lines of an object that are added. */
const MAX_ADDED = 50_000;

/** Returns the lines of a walk, and those of the object's functions around them. */
export function replayLines(replay: Replay, object: ReplayObject | null): ReplayLines {
  const found: Found[] = [];
  const ids = new Map<string, number>();
  const { columns, stepCount } = replay;
  const idOf = (file: string | null, line: number | null, text: string) =>
    getOrCreate(ids, keyOf(file, line, text), () => {
      return found.push({ file, line, text, insns: new Set(), count: 0 }) - 1;
    });
  const bySource = columns.sources.map(({ file, line, text }) => idOf(file, line, text));
  const main = object === null ? null : mainFunction(object);
  const byInsn = new Map<number, number>();
  const ofObject = (insn: number): number => {
    if (object === null || main === null || main.start + insn * 8 >= main.end) return -1;
    const own = lineAt(object.model, main.section, main.start + insn * 8);
    return own === null ? -1 : idOf(baseName(own.file), own.line, own.text);
  };
  const steps = new Int32Array(stepCount);
  /** Line of each instruction where it was met last: few instructions have more than one. */
  const lastOf = new Map<number, number>();
  for (let step = 0; step < stepCount; step++) {
    const insn = columns.insns[step] ?? -1;
    const source = columns.sourceIds[step] ?? -1;
    const id =
      bySource[source] ?? (main === null ? -1 : getOrCreate(byInsn, insn, () => ofObject(insn)));
    steps[step] = id;
    const line = found[id];
    if (line === undefined) continue;
    line.count += 1;
    if (lastOf.get(insn) === id) continue;
    lastOf.set(insn, id);
    line.insns.add(insn);
  }
  if (object !== null) addObjectLines(object, main, found, ids);
  const order = inOrder(found);
  const places = new Int32Array(found.length);
  order.forEach((id, place) => {
    places[id] = place;
  });
  return {
    lines: order.flatMap((id) => {
      const line = found[id];
      return line === undefined ? [] : [{ ...line, insns: [...line.insns].sort((a, b) => a - b) }];
    }),
    lineOfStep: steps.map((id) => (id < 0 ? -1 : (places[id] ?? -1))),
  };
}

function keyOf(file: string | null, line: number | null, text: string): string {
  return line === null ? `:${text.trim()}` : `${file}:${line}`;
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

function mainFunction({ model, program }: ReplayObject): FunctionRange | null {
  const programs = functionsOf(model).filter(({ isProgram }) => isProgram);
  if (program === null) return programs.length === 1 ? (programs[0] ?? null) : null;
  return programs.find(({ name }) => isCutOf(program, name)) ?? null;
}

/** Adds the lines of the program, and of subprograms of which a line was walked. */
function addObjectLines(
  { model }: ReplayObject,
  main: FunctionRange | null,
  found: Found[],
  ids: Map<string, number>,
): void {
  for (const func of functionsOf(model)) {
    if (found.length > MAX_ADDED) return;
    if (func.isProgram && func !== main) continue;
    const own: Found[] = [];
    for (const row of lineRowsOf(model, func.section)) {
      const line = sourceLine(model, row);
      if (line.insnOff < func.start || line.insnOff >= func.end) continue;
      const file = baseName(line.file);
      own.push({ file, line: line.line, text: line.text, insns: new Set(), count: 0 });
    }
    const known = own.map(({ file, line, text }) => ids.get(keyOf(file, line, text)));
    if (func !== main && known.every((id) => id === undefined)) continue;
    own.forEach((line, i) => {
      const same = found[known[i] ?? -1];
      // The log has no indentation.
      if (same !== undefined) same.text = line.text === '' ? same.text : line.text;
      else if (line.line !== 0) {
        getOrCreate(ids, keyOf(line.file, line.line, line.text), () => found.push(line) - 1);
      }
    });
  }
}

/** Returns the indexes of lines by file, then number; of lines without one by instruction. */
function inOrder(found: readonly Found[]): number[] {
  const files = new Map<string | null, number[]>();
  for (const [id, { file }] of found.entries()) addTo(files, file, id);
  const firstInsn = (id: number) => {
    let first = Infinity;
    for (const insn of found[id]?.insns ?? []) first = Math.min(first, insn);
    return first;
  };
  return [...files.values()].flatMap((own) =>
    own
      .map((id) => ({ id, line: found[id]?.line ?? null, first: firstInsn(id) }))
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || a.first - b.first || a.id - b.id)
      .map(({ id }) => id),
  );
}
