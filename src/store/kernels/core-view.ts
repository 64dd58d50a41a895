/** Choices in the views that show an object on kernels: target, candidates, kernels. */
import type { MatrixFilter } from '#analysis/core/matrix/filter.ts';
import type { Grouping } from '#analysis/core/matrix/groups.ts';
import { compareKernels } from '#analysis/load/kernel-names.ts';
import { btfOf, isBpf, type ObjectModel } from '#model/object-model.ts';
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
import { choiceField, textField, ViewState } from '#store/session/view-state.ts';

export function hasRecords({ ext }: ObjectModel): boolean {
  return ext.core.count > 0;
}

/** Returns true if results can differ between kernels: the file is BPF or has CO-RE records. */
export function dependsOnKernels(model: ObjectModel): boolean {
  return hasRecords(model) || (isBpf(model) && model.types !== null);
}

/** Returns true if logs and access strings make sense for the file: it has records or types. */
export function hasTypesOrRecords(model: ObjectModel): boolean {
  return hasRecords(model) || model.types !== null;
}

/** Target that the user chose for an object; null for no target, undefined before a choice. */
const targetState = new ViewState('core-target', {
  target: undefined as FileId | null | undefined,
});

/** Sets the target of `object`; null for no target, undefined for the default target. */
export function setCoreTarget(object: FileId, target: FileId | null | undefined): void {
  targetState.set({ target }, object);
}

/** Returns the target that the user chose, else the newest kernel of its byte order, or null. */
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

/** Returns the default target: the kernel found for a log, else the newest kernel. */
function newestKernel(state: Session, object: OpenFile | null): OpenFile | null {
  if (object?.boundKernel != null) return fileById(state, object.boundKernel);
  const { files } = state;
  const model = modelOf(object);
  if (object === null || model === null || model.ext.core.count === 0) return null;
  return newestOf(
    files.filter((file) => file.id !== object.id && isKernelFor(file, model.types?.endian)),
  );
}

/** Returns the file with the highest version in its name; of equal ones the last in `files`. */
export function newestOf(files: readonly OpenFile[]): OpenFile | null {
  let newest: OpenFile | null = null;
  for (const file of files) {
    if (newest === null || byVersion(file.name, newest.name) >= 0) newest = file;
  }
  return newest;
}

/** Returns true for whole kernels; false for modules, and for objects, which have few types. */
export function isKernelFor(file: OpenFile, endian: string | undefined): boolean {
  const model = modelOf(file);
  const types = model === null ? null : btfOf(model);
  if (model === null || types === null || types.split || isBpf(model)) return false;
  return types.endian === endian;
}

const byName = new Intl.Collator('en', { numeric: true });

/** Compares versions in names such as `vmlinux-6.12.43-amd64`; names without one are lowest. */
function byVersion(a: string, b: string): number {
  const versionOf = (name: string) => /\d+(?:\.\d+)+/.exec(name)?.[0] ?? '';
  return byName.compare(versionOf(a), versionOf(b)) || byName.compare(a, b);
}

/** Returns the id of the target of `object`, as `coreTargetId`. React hook. */
export function useCoreTargetId(object: FileId): FileId | null {
  return useSession(() => coreTargetId(object));
}

/** Choice to reset the candidates for each record (`fresh`); libbpf keeps one list per type. */
export const candidatesState = new ViewState(
  'core-candidates',
  { candidates: 'kept' as 'kept' | 'fresh' },
  { address: { candidates: choiceField('candidates', ['kept', 'fresh']) }, inherits: true },
);

export function useFreshCandidates(): boolean {
  return candidatesState.useActive().candidates === 'fresh';
}

/** Choices in the table of *Load*: kernels, filters and folded rows. */
export type LoadSettings = MatrixFilter & {
  readonly by: Grouping;
  /** Rows that the user has folded (true) or unfolded, by key. Other rows follow a default rule. */
  readonly folded: ReadonlyMap<string, boolean>;
  /** Files that the user has added (true) or removed. `targetChoices` decides for other files. */
  readonly targets: ReadonlyMap<FileId, boolean>;
  /** Kernels named in the link that are not open; names are not escaped. */
  readonly wanted: readonly NamedKey[];
  /** True if the user has stopped the requests. */
  readonly stopped: boolean;
  /** True if the table also lists externs and CO-RE records. */
  readonly withRecords: boolean;
  /** True if neighbouring kernels with equal results share a column. */
  readonly foldsKernels: boolean;
  /** First kernels of shared columns that the user has unfolded. */
  readonly unfolded: ReadonlySet<FileId>;
};

/** Cell that the table of *Load* shows in detail. */
export type LoadCell = {
  /** Name of the program as raw text; null for the whole object. */
  readonly program: string | null;
  /** Name of the kernel as raw text; null for all kernels. */
  readonly kernel: string | null;
};

/** Selected cell of *Load*, also in the address. */
export const loadCellState = new ViewState<LoadCell>(
  'load-cell',
  { program: null, kernel: null },
  { address: { program: textField('program'), kernel: textField('on') } },
);

/** Key and name of a file that a link names. */
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
  withRecords: false,
  foldsKernels: true,
  unfolded: new Set(),
});

/** An open file that can be the target of an object, and whether it is chosen. */
export type TargetChoice = {
  readonly id: FileId;
  /** Name of the file or atlas kernel, not escaped. */
  readonly name: string;
  readonly typeCount: number;
  readonly isChosen: boolean;
};

/** All kernels of an atlas are chosen at first, unless it has more than this number. */
const MAX_KERNELS = 64;

/** Returns the possible targets of `object`, the oldest first, with the default choices. */
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
    const types = model === null ? null : btfOf(model);
    if (file.id === object || model === null || types === null) continue;
    // Modules and BPF objects can be chosen but are not chosen at first.
    const isKernel = model.ext.core.count === 0 && !isBpf(model) && !types.split;
    choices.push({
      id: file.id,
      name: file.name,
      typeCount: types.count,
      isChosen: overrides.get(file.id) ?? isKernel,
    });
  }
  return choices.sort(
    (a, b) => compareKernels(a, b) || byName.compare(a.name, b.name) || a.id - b.id,
  );
}
