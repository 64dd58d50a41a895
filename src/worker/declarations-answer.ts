/** C declarations that replace the bytes of a file while a person types in the workbench. */
import type { Declarations } from '#analysis/workbench/declarations-key.ts';
import {
  type DeclaredPlace,
  declaredPlaces,
  type Problem,
} from '#analysis/workbench/declared-places.ts';
import type { Kernel } from '#analysis/workbench/kernel-types.ts';
import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import { type ByteSource, bufferSource } from '#bytes/source.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** A text can have a problem at every word; nobody reads more than these. */
const MAX_PROBLEMS = 50;

export type DeclaredAnswer = {
  /** The first problems. With any problem the file stays unchanged. */
  readonly problems: readonly Problem[];
  /** The first notes on parts that the compiler leaves out. */
  readonly notes: readonly Problem[];
  /** Place of each declared type in the text; empty if there are problems. */
  readonly places: readonly DeclaredPlace[];
  /** The new model of the file; null if there are problems. */
  readonly model: ObjectModel | null;
};

/** Compiles declarations to a BTF file called `name`; null if there are problems. */
export function compiledFile(
  name: string,
  { text, endian }: Declarations,
  kernel: Kernel | null,
): Omit<DeclaredAnswer, 'model'> & { readonly file: ByteSource | null } {
  const { btf, problems, declared, ...compiled } = compileDeclarations(text, endian, kernel);
  const notes = compiled.notes.slice(0, MAX_PROBLEMS);
  return problems.length > 0
    ? { problems: problems.slice(0, MAX_PROBLEMS), notes, places: [], file: null }
    : { problems, notes, places: declaredPlaces(declared), file: bufferSource(name, btf) };
}
