/** How an object is shown on kernels: against which target, with which candidates, on which kernels. */
import type { MatrixFilter } from '#analysis/core/matrix/filter.ts';
import type { Grouping } from '#analysis/core/matrix/groups.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import {
  type FileId,
  fileById,
  modelOf,
  type OpenFile,
  type Session,
  session,
  typesOf,
  useSession,
} from '#store/session/session.ts';
import { choiceField, ViewState } from '#store/session/view-state.ts';
import type { ViewName } from '#store/session/views.ts';

/** Whether the object has CO-RE relocations. */
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

/** Views that show an object relocated against one target, which is then in the address. */
export const TARGET_VIEWS: readonly ViewName[] = ['core', 'playground', 'log', 'needs'];

/** The target that was chosen; undefined while nobody has chosen, null: none. */
const targetState = new ViewState('core-target', {
  target: undefined as FileId | null | undefined,
});

/** Looks at `object` with `target`; null: as it is alone; undefined: with the newest kernel that fits. */
export function setCoreTarget(object: FileId, target: FileId | null | undefined): void {
  targetState.set({ target }, object);
}

/**
 * The target that `object` is looked at with: the one chosen; of an object with CO-RE relocations
 * while nobody has chosen, or it was closed, the newest open kernel of its byte order. null: none.
 */
export function coreTargetId(object: FileId): FileId | null {
  const state = session.getState();
  const file = fileById(state, object);
  const { target } = targetState.of(file);
  if (target === null) return null;
  return fileById(state, target ?? null)?.id ?? newestKernel(state, file)?.id ?? null;
}

/** Has somebody chosen that `object` is looked at alone? */
export function isWithoutTarget(object: FileId): boolean {
  return targetState.of(fileById(session.getState(), object)).target === null;
}

function newestKernel({ files }: Session, object: OpenFile | null): OpenFile | null {
  const model = modelOf(object);
  if (object === null || model === null || model.ext.core.count === 0) return null;
  return newestOf(
    files.filter((file) => file.id !== object.id && isKernelFor(file, model.types?.endian)),
  );
}

/** The one with the highest version in its name; of equals the last. */
export function newestOf(files: readonly OpenFile[]): OpenFile | null {
  let newest: OpenFile | null = null;
  for (const file of files) {
    if (newest === null || byVersion(file.name, newest.name) >= 0) newest = file;
  }
  return newest;
}

/** Modules have only types of their own, objects those of some other kernel. */
function isKernelFor(file: OpenFile, endian: string | undefined): boolean {
  const [model, types] = [modelOf(file), typesOf(file)];
  if (model === null || types === null || types.split || isBpf(model)) return false;
  return types.endian === endian;
}

const byName = new Intl.Collator('en', { numeric: true });

/** By the version in the name, as in `vmlinux-6.12.43-amd64`; names without one come first. */
function byVersion(a: string, b: string): number {
  const versionOf = (name: string) => /\d+(?:\.\d+)+/.exec(name)?.[0] ?? '';
  return byName.compare(versionOf(a), versionOf(b)) || byName.compare(a, b);
}

/** As `coreTargetId`; draws again when it changes. */
export function useCoreTargetId(object: FileId): FileId | null {
  return useSession(() => coreTargetId(object));
}

/** Whether the candidates are reset for each record; libbpf keeps one list per type. */
export const candidatesState = new ViewState(
  'core-candidates',
  { candidates: 'kept' as 'kept' | 'fresh' },
  { address: { candidates: choiceField('candidates', ['kept', 'fresh']) }, inherits: true },
);

/** Returns whether the candidates are reset for each record. */
export function useFreshCandidates(): boolean {
  return candidatesState.useActive().candidates === 'fresh';
}

/** How the table of an object on kernels is looked at: which kernels it has, and what is shown of it. */
export type LoadSettings = MatrixFilter & {
  readonly by: Grouping;
  /** Lines that somebody has folded or unfolded, by their keys; all others go by what they hold. */
  readonly folded: ReadonlyMap<string, boolean>;
  /** Files that somebody has put in or taken out; all others go by what they are. */
  readonly targets: ReadonlyMap<FileId, boolean>;
  /** Kernels that a link named and that are not open. Raw names. */
  readonly wanted: readonly NamedKey[];
  /** Nothing more is asked until somebody wants it. */
  readonly stopped: boolean;
};

/** A file as a link names it. */
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

/** An open file that an object can be tried on. */
export type TargetChoice = {
  readonly id: FileId;
  /** Raw text. */
  readonly name: string;
  readonly typeCount: number;
  readonly isChosen: boolean;
};

/** Of a larger atlas a person chooses the kernels. */
const MAX_KERNELS = 64;

/**
 * Every other open file with types, and every kernel of an open atlas, by name; kernels and blobs are in
 * unless somebody took them out, of an atlas those of the object's byte order.
 */
export function targetChoices(
  object: FileId,
  files: readonly OpenFile[],
  said: LoadSettings['targets'],
): TargetChoice[] {
  const choices: TargetChoice[] = [];
  const endian = typesOf(files.find((file) => file.id === object) ?? null)?.endian;
  for (const file of files) {
    const atlas = file.status.step === 'atlas' ? file.status : null;
    const isSmall = atlas !== null && atlas.kernelIds.length <= MAX_KERNELS;
    for (const [number, id] of atlas?.kernelIds.entries() ?? []) {
      const kernel = atlas?.atlas.kernels[number];
      if (kernel?.hasTypes !== true) continue;
      const isChosen = said.get(id) ?? (isSmall && kernel.endian === endian);
      choices.push({ id, name: kernel.name, typeCount: kernel.typeCount, isChosen });
    }
    const model = modelOf(file);
    if (file.id === object || model?.types == null) continue;
    // A module alone is no kernel.
    const isKernel = model.ext.core.count === 0 && !isBpf(model) && !model.types.split;
    choices.push({
      id: file.id,
      name: file.name,
      typeCount: model.types.count,
      isChosen: said.get(file.id) ?? isKernel,
    });
  }
  return choices.sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id);
}
