import type { TypeTable } from '#model/type-table.ts';
import { useCoreTarget } from '#store/kernels/core-results.ts';
import { type FileId, modelOf, type OpenFile, useSession } from '#store/session/session.ts';

/** An open file that things are looked up in. */
export type OpenKernel = {
  readonly id: FileId;
  /** Raw text. */
  readonly name: string;
  /** Is it the file that is looked at? */
  readonly isHere: boolean;
  readonly types: TypeTable;
};

/**
 * Open files that can stand for a kernel: the chosen target first, the file that is
 * looked at where it has no relocations of its own, then all other open files of
 * that sort.
 */
export function useOpenKernels(here: FileId): readonly OpenKernel[] {
  const chosen = useCoreTarget(here)?.id ?? null;
  const files = useSession((state) => state.files);
  return files
    .flatMap((file) => targetOf(file, here, chosen))
    .sort((a, b) => rank(a, chosen) - rank(b, chosen));
}

function targetOf(file: OpenFile, here: FileId, chosen: FileId | null): OpenKernel[] {
  const model = modelOf(file);
  const types = model?.types ?? null;
  if (model === null || types === null) return [];
  // An object is what is relocated, unless somebody says otherwise.
  if (model.ext.core.count > 0 && file.id !== chosen) return [];
  return [{ id: file.id, name: file.name, isHere: file.id === here, types }];
}

function rank({ id, isHere }: OpenKernel, chosen: FileId | null): number {
  if (id === chosen) return 0;
  return isHere ? 1 : 2;
}
