/**
 * The program and kernel that a log is of: found among the open files, or chosen by the user. The
 * kernel is the log's CO-RE target, so that addresses name it in the same way.
 */
import { useEffect } from 'react';
import {
  type Agreement,
  compareMatches,
  namedIn,
  type ProgramMatch,
} from '#analysis/verifier/agreement.ts';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import { firstShownLine, partAt } from '#analysis/verifier/log-places.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { clientOf } from '#store/session/files.ts';
import {
  type FileId,
  fileById,
  fileNow,
  logOf,
  modelOf,
  type OpenFile,
  patchFile,
  type Session,
  typesOf,
  useSession,
} from '#store/session/session.ts';
import {
  type KnownTasks,
  type Revision,
  revisionOf,
  Tasks,
  taskState,
} from '#store/session/tasks.ts';
import { ViewState } from '#store/session/view-state.ts';
import { isKernelFor, newestOf, useCoreTargetId } from './core-view.ts';
import { logPlaceState } from './log-place.ts';

/** Returns the current line of a log, and the index of its part. */
export function logPlace(file: OpenFile, log: LogOverview) {
  const line = Math.min(logPlaceState.of(file).line ?? firstShownLine(log), log.lineCount - 1);
  return { line, part: partAt(log, line) };
}

/** Object that the user has chosen for a part of a log. */
export type ObjectChoice = {
  readonly file: FileId;
  /** Name of the program, not escaped; undefined to find it in the object. */
  readonly program?: string | undefined;
};

/** The user's choices by the index of the part; null for no object. */
const choiceState = new ViewState('log-binding', {
  objects: new Map() as ReadonlyMap<number, ObjectChoice | null>,
});

/** Binds a part of a log to an object; null to none, undefined to the object that is found. */
export function bindPart(log: FileId, part: number, choice: ObjectChoice | null | undefined): void {
  const objects = new Map(choiceState.of(fileNow(log)).objects);
  if (choice === undefined) objects.delete(part);
  else objects.set(part, choice);
  choiceState.set({ objects }, log);
}

type MatchKey = { readonly files: readonly [object: Revision, log: Revision] };
type Matches = readonly (ProgramMatch | null)[];

const matches = new Tasks<MatchKey, Matches>();

function matchKey(object: FileId, log: FileId): MatchKey {
  return { files: [revisionOf(object), revisionOf(log)] };
}

/** Compares a log with an object, unless that was done. */
async function compare(object: FileId, log: FileId): Promise<void> {
  const overview = logOf(fileNow(log));
  if (overview === null) return;
  const parts = overview.parts.map(({ evidence }) => evidence);
  await matches.run(
    matchKey(object, log),
    async (options) => await clientOf(object)?.call('matchLog', { parts }, options),
  );
}

/** The program that a part of a log is of. */
export type BoundProgram = {
  readonly file: OpenFile;
  readonly model: ObjectModel;
  /** Name of the program, not escaped; null if it is not known. */
  readonly program: string | null;
  /** How the program agrees with the log; null if it does not, or was not compared yet. */
  readonly match: ProgramMatch | null;
};

/** Returns the open objects that can be the object of a log. */
export function objectsOf({ files }: Pick<Session, 'files'>): readonly OpenFile[] {
  return files.filter((file) => {
    const model = modelOf(file);
    return model !== null && isBpf(model);
  });
}

function boundProgram(
  { files }: Pick<Session, 'files'>,
  known: KnownTasks<MatchKey, Matches>,
  log: OpenFile,
  part: number,
): BoundProgram | null {
  const choice = choiceState.of(log).objects.get(part);
  if (choice === null) return null;
  let best: BoundProgram | null = null;
  for (const file of objectsOf({ files })) {
    const model = modelOf(file);
    if (model === null || (choice !== undefined && choice.file !== file.id)) continue;
    const task = taskState(known, matchKey(file.id, log.id));
    const match = task?.step === 'ready' ? matchOf(task.value, log, part) : null;
    if (match === null && choice === undefined) continue;
    const program = choice?.program ?? match?.program ?? null;
    const isOwn = match?.program === program;
    const found = { file, model, program, match: isOwn ? match : null };
    if (best?.match == null || (match !== null && compareMatches(match, best.match) > 0)) {
      best = found;
    }
  }
  return best;
}

/** Returns the match of a part. Lines of a loader that name nothing are of the nearest program. */
function matchOf(all: Matches, log: OpenFile, part: number): ProgramMatch | null {
  const own = all[part] ?? null;
  const { program, insns, sources, ownTypes } = logOf(log)?.parts[part]?.evidence ?? NO_EVIDENCE;
  if (own !== null || program !== null || insns.length + sources.length + ownTypes.length > 0) {
    return own;
  }
  const near = all.slice(part).find((match) => match !== null) ?? all.findLast(Boolean) ?? null;
  return near === null ? null : { ...near, program: null };
}

const NO_EVIDENCE = { program: null, insns: [], sources: [], ownTypes: [] };

/** Returns the program that a part of a log is of; compares the log with open objects. Hook. */
export function useBoundProgram(log: FileId, part: number): BoundProgram | null {
  const files = useSession((state) => state.files);
  const known = matches.use();
  const objects = objectsOf({ files })
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    for (const id of objects === '' ? [] : objects.split(' ')) void compare(Number(id), log);
  }, [objects, log]);
  const file = files.find(({ id }) => id === log);
  const bound = file === undefined ? null : boundProgram({ files }, known, file, part);
  const boundId = bound?.file.id ?? null;
  useEffect(() => patchFile(log, { boundObject: boundId }), [log, boundId]);
  return bound;
}

/** The kernel that a log is of. */
export type BoundKernel = {
  readonly file: OpenFile;
  readonly types: TypeTable;
  /** Types and functions of the log that have the same ids in the kernel. */
  readonly agreement: Agreement;
};

/** Returns the kernel that a log is of, and finds it among the open kernels. React hook. */
export function useBoundKernel(log: FileId): BoundKernel | null {
  const id = useCoreTargetId(log);
  const file = useSession((state) => fileById(state, id));
  const files = useSession((state) => state.files);
  const overview = useSession((state) => logOf(fileById(state, log)));
  const found = overview === null ? null : (kernelOfLog(overview, files)?.id ?? null);
  useEffect(() => patchFile(log, { boundKernel: found }), [log, found]);
  return boundKernel(file, overview);
}

/** Returns the newest kernel that has all types of a log under their ids, or null. */
function kernelOfLog(log: LogOverview, files: readonly OpenFile[]): OpenFile | null {
  return newestOf(
    files.filter((file) => {
      const types = typesOf(file);
      if (types === null || !isKernelFor(file, types.endian)) return false;
      const [equal, compared] = kernelAgreement(log, types);
      return equal === compared;
    }),
  );
}

const agreements = new WeakMap<LogOverview, WeakMap<TypeTable, Agreement>>();

/** Returns how many types and functions of a log have the same ids in the types of a kernel. */
function kernelAgreement(log: LogOverview, types: TypeTable): Agreement {
  const known = getOrCreate(agreements, log, () => new WeakMap<TypeTable, Agreement>());
  return getOrCreate(known, types, () => namedIn(types, log.kernelTypes));
}

function boundKernel(file: OpenFile | null, overview: LogOverview | null): BoundKernel | null {
  const types = typesOf(file);
  if (file === null || types === null || overview === null) return null;
  return { file, types, agreement: kernelAgreement(overview, types) };
}
