/** Compiles C declarations from the workbench to BTF that replaces the worker's file. */
import type { Declarations } from '#analysis/workbench/declarations.ts';
import {
  type DeclaredPlace,
  declaredPlaces,
  type Problem,
} from '#analysis/workbench/declared-places.ts';
import type { Kernel } from '#analysis/workbench/kernel-types.ts';
import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import { type ByteSource, bufferSource } from '#bytes/source.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** Limit of reported problems and notes; a text can have one at every word. */
const MAX_PROBLEMS = 50;

export type DeclaredAnswer = {
  /** Problems, at most `MAX_PROBLEMS`. If there are any, the file stays unchanged. */
  readonly problems: readonly Problem[];
  /** Notes on parts of the text that the compiler ignores, at most `MAX_PROBLEMS`. */
  readonly notes: readonly Problem[];
  /** Place of each declared type in the text; empty if the text has problems. */
  readonly places: readonly DeclaredPlace[];
  /** New model of the file; null if the text has problems. */
  readonly model: ObjectModel | null;
};

/** Compiles declarations to a BTF file named `name`; returns null if the text has problems. */
export function compiledFile(
  name: string,
  { text, endian, headers }: Declarations,
  kernel: Kernel | null,
): Omit<DeclaredAnswer, 'model'> & { readonly file: ByteSource | null } {
  const { btf, problems, declared, ...compiled } = compileDeclarations(
    text,
    endian,
    kernel,
    headers,
  );
  const notes = compiled.notes.slice(0, MAX_PROBLEMS);
  return problems.length > 0
    ? { problems: problems.slice(0, MAX_PROBLEMS), notes, places: [], file: null }
    : { problems, notes, places: declaredPlaces(declared), file: bufferSource(name, btf) };
}
