/** How the CO-RE view is looked at: which part of it, against which target, with which candidates. */
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
import { type CoreMode, coreState, ViewState } from '#store/session/view-state.ts';

export const CORE_MODE_TITLES: Readonly<Record<CoreMode, string>> = {
  records: 'Records',
  load: 'Load',
  log: 'Explain a log',
  playground: 'Playground',
  needs: 'Needs',
};

const WITH_RECORDS: readonly CoreMode[] = ['records', 'load', 'log', 'playground', 'needs'];
/** A program may depend on a kernel by its target, its externs and its maps alone; that it has no records is an answer, too. */
const PROGRAMS_ONLY: readonly CoreMode[] = ['records', 'load', 'log', 'playground'];
/** A kernel has no records of its own; logs and access strings can be tried on its types. */
const TYPES_ONLY: readonly CoreMode[] = ['playground', 'log'];

/** The parts of the CO-RE view that have something to show; none for a file without types and records. */
export function coreModesOf(model: ObjectModel): readonly CoreMode[] {
  if (model.ext.core.count > 0) return WITH_RECORDS;
  if (model.types === null) return [];
  return isBpf(model) ? PROGRAMS_ONLY : TYPES_ONLY;
}

/** The target that was chosen; undefined while nobody has chosen, null: none. */
const targetState = new ViewState('core-target', {
  target: undefined as FileId | null | undefined,
});

/** Which part of *Explain a log* is shown. */
export const logPartState = new ViewState('core-log', { part: 'read' as 'read' | 'write' });

export function setCoreMode(mode: CoreMode): void {
  coreState.set({ mode });
}

/** Shows the log that libbpf would write of `object` on `target`. */
export function simulateLog(object: FileId, target: FileId): void {
  setCoreTarget(object, target);
  logPartState.set({ part: 'write' }, object);
  setCoreMode('log');
}

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

/** Are the candidates reset for each record? libbpf keeps one list for each type. */
export function useFreshCandidates(): boolean {
  return coreState.useActive().candidates === 'fresh';
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
const MOST_AT_ONCE = 64;

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
    const isSmall = atlas !== null && atlas.kernelIds.length <= MOST_AT_ONCE;
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
