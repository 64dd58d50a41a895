/** Choices of the views that show an object on kernels: target, candidates, kernels. */
import type { MatrixFilter } from '#analysis/core/matrix/filter.ts';
import type { Grouping } from '#analysis/core/matrix/groups.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import {
  type FileId,
  fileById,
  fileNow,
  modelOf,
  type OpenFile,
  type Session,
  session,
  typesOf,
  useSession,
} from '#store/session/session.ts';
import { choiceField, ViewState } from '#store/session/view-state.ts';

export function hasRecords({ ext }: ObjectModel): boolean {
  return ext.core.count > 0;
}

/** Whether there is something to try on a kernel: CO-RE relocations, or programs, externs and maps. */
export function dependsOnKernels(model: ObjectModel): boolean {
  return hasRecords(model) || (isBpf(model) && model.types !== null);
}

/** Whether logs and access strings can be tried on the file: a kernel has types, but no relocations. */
export function hasTypesOrRecords(model: ObjectModel): boolean {
  return hasRecords(model) || model.types !== null;
}

/** Chosen target; undefined before a choice, null: no target. */
const targetState = new ViewState('core-target', {
  target: undefined as FileId | null | undefined,
});

/** Sets the target of `object`; null: no target; undefined: the newest open kernel that fits. */
export function setCoreTarget(object: FileId, target: FileId | null | undefined): void {
  targetState.set({ target }, object);
}

/** Returns the chosen target of `object`, else the newest open kernel of its byte order, else null. */
export function coreTargetId(object: FileId): FileId | null {
  const state = session.getState();
  const file = fileById(state, object);
  const { target } = targetState.of(file);
  if (target === null) return null;
  return fileById(state, target ?? null)?.id ?? newestKernel(state, file)?.id ?? null;
}

export function isWithoutTarget(object: FileId): boolean {
  return targetState.of(fileNow(object)).target === null;
}

function newestKernel({ files }: Session, object: OpenFile | null): OpenFile | null {
  const model = modelOf(object);
  if (object === null || model === null || model.ext.core.count === 0) return null;
  return newestOf(
    files.filter((file) => file.id !== object.id && isKernelFor(file, model.types?.endian)),
  );
}

/** Returns the file with the highest version in its name; of equals the last. */
export function newestOf(files: readonly OpenFile[]): OpenFile | null {
  let newest: OpenFile | null = null;
  for (const file of files) {
    if (newest === null || byVersion(file.name, newest.name) >= 0) newest = file;
  }
  return newest;
}

/** Modules have only their own types, and objects have types of the kernel they were compiled for. */
function isKernelFor(file: OpenFile, endian: string | undefined): boolean {
  const [model, types] = [modelOf(file), typesOf(file)];
  if (model === null || types === null || types.split || isBpf(model)) return false;
  return types.endian === endian;
}

const byName = new Intl.Collator('en', { numeric: true });

/** Compares by the version in the name, as in `vmlinux-6.12.43-amd64`; names without a version come first. */
function byVersion(a: string, b: string): number {
  const versionOf = (name: string) => /\d+(?:\.\d+)+/.exec(name)?.[0] ?? '';
  return byName.compare(versionOf(a), versionOf(b)) || byName.compare(a, b);
}

/** A hook. */
export function useCoreTargetId(object: FileId): FileId | null {
  return useSession(() => coreTargetId(object));
}

/** Whether the candidates are reset for each record; libbpf keeps one list per type. */
export const candidatesState = new ViewState(
  'core-candidates',
  { candidates: 'kept' as 'kept' | 'fresh' },
  { address: { candidates: choiceField('candidates', ['kept', 'fresh']) }, inherits: true },
);

export function useFreshCandidates(): boolean {
  return candidatesState.useActive().candidates === 'fresh';
}

/** Choices of the table of *Load*: its kernels, filters and folded rows. */
export type LoadSettings = MatrixFilter & {
  readonly by: Grouping;
  /** Rows that the person has folded or unfolded, by key; other rows are folded by their contents. */
  readonly folded: ReadonlyMap<string, boolean>;
  /** Files that the person has added or removed; for other files see `targetChoices`. */
  readonly targets: ReadonlyMap<FileId, boolean>;
  /** Kernels of the link that are not open. Raw names. */
  readonly wanted: readonly NamedKey[];
  /** Whether the person has stopped the requests. */
  readonly stopped: boolean;
};

/** Key and name of a file in a link. */
export type NamedKey = { readonly key: string; readonly name: string };

export const loadState = new ViewState<LoadSettings>('core-load', {
  by: 'program',
  show: 'all',
  states: new Set(),
  text: '',
  folded: new Map(),
  targets: new Map(),
  wanted: [],
  stopped: false,
});

/** An open file that can be a target of an object. */
export type TargetChoice = {
  readonly id: FileId;
  /** Raw text. */
  readonly name: string;
  readonly typeCount: number;
  readonly isChosen: boolean;
};

/** Kernels of an atlas; of a larger one the person chooses. */
const MAX_KERNELS = 64;

/** Returns the possible targets by name. Kernels of the object's byte order are chosen, unless of a large atlas. */
export function targetChoices(
  object: FileId,
  files: readonly OpenFile[],
  overrides: LoadSettings['targets'],
): TargetChoice[] {
  const choices: TargetChoice[] = [];
  const endian = typesOf(files.find((file) => file.id === object) ?? null)?.endian;
  for (const file of files) {
    const atlas = file.status.step === 'atlas' ? file.status : null;
    const isSmall = atlas !== null && atlas.kernelIds.length <= MAX_KERNELS;
    for (const [number, id] of atlas?.kernelIds.entries() ?? []) {
      const kernel = atlas?.atlas.kernels[number];
      if (kernel?.hasTypes !== true) continue;
      const isChosen = overrides.get(id) ?? (isSmall && kernel.endian === endian);
      choices.push({ id, name: kernel.name, typeCount: kernel.typeCount, isChosen });
    }
    const model = modelOf(file);
    if (file.id === object || model?.types == null) continue;
    // A module is not a kernel.
    const isKernel = model.ext.core.count === 0 && !isBpf(model) && !model.types.split;
    choices.push({
      id: file.id,
      name: file.name,
      typeCount: model.types.count,
      isChosen: overrides.get(file.id) ?? isKernel,
    });
  }
  return choices.sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id);
}
