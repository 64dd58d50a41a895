/** C declarations in place of the bytes of a file: what the workbench asks while somebody types. */
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

/** A person reads no more of them, and a text may have one at every word. */
const MAX_PROBLEMS = 50;

export type DeclaredAnswer = {
  /** The first of them. With any nothing was changed. */
  readonly problems: readonly Problem[];
  /** What is left out, the first of them. */
  readonly notes: readonly Problem[];
  /** Where the text declares which type; none where there are problems. */
  readonly places: readonly DeclaredPlace[];
  /** The file as it is now; null where there are problems. */
  readonly model: ObjectModel | null;
};

/** Compiles declarations to a BTF file of that name, null where there are problems. */
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
