/** Edits the workbench. The worker compiles one text at a time. Problems leave the BTF as it is. */
import { changesBetween, isUnchanged } from '#analysis/workbench/changes.ts';
import {
  type Declarations,
  declarationsKey,
  declarationsOfKey,
  fitsWorkbench,
  MAX_DECLARATIONS_BYTES,
} from '#analysis/workbench/declarations-key.ts';
import type { DeclaredPlace, Problem } from '#analysis/workbench/declared-places.ts';
import { EXAMPLES, emptyBtf } from '#analysis/workbench/examples.ts';
import { hasMapTypes } from '#analysis/workbench/kernel-types.ts';
import { counted, drawnName } from '#bytes/text.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, type Selection, typeSelection } from '#model/selection.ts';
import { hasType, kindOf } from '#model/type-table.ts';
import { resolveSelection, selectionParams } from '#store/address/selection-keys.ts';
import { newestOf } from '#store/kernels/core-view.ts';
import { forgetBytes } from '#store/session/bytes-cache.ts';
import {
  type BackgroundOptions,
  clientOf,
  lookAtFindings,
  onClosed,
  openedSentence,
  openFile,
} from '#store/session/files.ts';
import { asLeft, setView } from '#store/session/panes.ts';
import {
  activeId,
  announce,
  baseChoice,
  type FileId,
  fileNow,
  modelOf,
  type OpenFile,
  patchFile,
  type Session,
  session,
  typesOf,
} from '#store/session/session.ts';
import { markTypedHere } from '#store/session/views.ts';
import {
  beginWorkbench,
  keptDeclarations,
  patchWorkbench,
  workbenchOf,
} from './workbench-state.ts';

/** Milliseconds without typing until the address, the hash and the findings are updated. */
const REST_MS = 400;

const compiling = new Set<FileId>();
/** For each file, a text that replaces the whole earlier text and is not yet compiled. */
const startingOver = new Map<FileId, string>();
const resting = new Map<FileId, ReturnType<typeof setTimeout>>();
/** Earlier keys of each file. The history of the browser can still contain them. */
const formerKeys = new Map<FileId, Set<string>>();

/** Changes the text or the byte order. Resolves when the text is compiled or has problems. */
export async function editWorkbench(id: FileId, patch: Partial<Declarations>): Promise<void> {
  const known = workbenchOf(id);
  if (known === null) return;
  const { text = known.text, endian = known.endian } = patch;
  if (text === known.text && endian === known.endian) return;
  patchWorkbench(id, { text, endian, places: null });
  restLater(id);
  await compileWorkbench(id);
}

/** Replaces the whole text. Clears the selection, and marks no changes. */
export async function startOver(id: FileId, text: string): Promise<void> {
  const file = fileNow(id);
  if (file === null || workbenchOf(id)?.text === text) return;
  patchFile(id, { selection: NO_SELECTION });
  patchWorkbench(id, { changes: null });
  startingOver.set(id, text);
  await editWorkbench(id, { text });
}

/** Compiles until the BTF of the file is that of the current text. */
async function compileWorkbench(id: FileId): Promise<void> {
  if (compiling.has(id)) return;
  compiling.add(id);
  try {
    let isDone = false;
    while (!isDone) {
      const asked = workbenchOf(id);
      if (asked === null) return;
      const { text, endian } = asked;
      await compileOnce(id, { text, endian });
      const now = workbenchOf(id);
      isDone = now?.text === text && now.endian === endian && knowsKernel(id, text);
    }
  } finally {
    compiling.delete(id);
  }
}

async function compileOnce(id: FileId, declarations: Declarations): Promise<void> {
  const { text } = declarations;
  if (!fitsWorkbench(text)) {
    const message = `the text is longer than ${MAX_DECLARATIONS_BYTES} bytes`;
    patchWorkbench(id, { problems: [wholeProblem(message, text)] });
    return;
  }
  await tellKernel(id, text);
  const outcome = await clientOf(id)?.call('declare', declarations);
  if (outcome === undefined) return;
  if (!outcome.ok) {
    patchWorkbench(id, { problems: [wholeProblem(outcome.issue.message, text)] });
    return;
  }
  const { problems, notes, places, model } = outcome.value;
  patchWorkbench(id, { notes });
  if (model === null) patchWorkbench(id, { problems });
  else showCompiled(id, model, text, places);
}

/** Returns the newest open kernel with enough types for `#include "vmlinux.h"`, or null. */
function openKernel({ files }: Session): OpenFile | null {
  return newestOf(
    files.filter((file) => {
      const [model, types] = [modelOf(file), typesOf(file)];
      if (model === null || types === null || types.split || isBpf(model)) return false;
      return file.declarationsKey === undefined && hasMapTypes(types);
    }),
  );
}

/** For each workbench, the kernel that its worker has. */
const knownKernels = new Map<FileId, FileId | null>();

function kernelOf(text: string): OpenFile | null {
  return text.includes('vmlinux.h') ? openKernel(session.getState()) : null;
}

function knowsKernel(id: FileId, text: string): boolean {
  return (knownKernels.get(id) ?? null) === (kernelOf(text)?.id ?? null);
}

async function tellKernel(id: FileId, text: string): Promise<void> {
  if (knowsKernel(id, text)) return;
  const kernel = kernelOf(text);
  const types = kernel && typesOf(kernel);
  knownKernels.set(id, kernel?.id ?? null);
  await clientOf(id)?.call('useKernel', kernel && types && { name: kernel.name, types });
}

/** Compile again when a kernel for `vmlinux.h` is opened or closed. */
session.subscribe((now, before) => {
  if (now.files === before.files) return;
  for (const { id } of now.files) {
    const text = workbenchOf(id)?.text;
    if (text !== undefined && !knowsKernel(id, text)) void compileWorkbench(id);
  }
});

function wholeProblem(message: string, text: string): Problem {
  return { message, start: 0, end: Math.max(1, text.length) };
}

function showCompiled(
  id: FileId,
  model: ObjectModel,
  text: string,
  places: readonly DeclaredPlace[],
): void {
  const file = fileNow(id);
  if (file?.status.step !== 'ready') return;
  const before = file.status.model;
  markTypedHere(model);
  forgetBytes(id);
  patchFile(id, {
    status: { step: 'ready', model },
    size: model.size,
    sha256: null,
    findings: null,
    base: { ...baseChoice(file), reading: baseChoice(file).reading + 1 },
    selection: carriedSelection(before, model, file.selection),
  });
  patchWorkbench(id, {
    problems: [],
    // The places are offsets in the compiled text: drop them if the text has changed since.
    places: workbenchOf(id)?.text === text ? places : null,
    // Mark no changes for the first text, or for a text that replaces an earlier one.
    ...(startingOver.get(id) === text ? {} : changesOf(id, before, model)),
  });
  if (startingOver.get(id) === text) startingOver.delete(id);
}

function changesOf(id: FileId, before: ObjectModel, after: ObjectModel) {
  if (before.types === null || before.types.count === 0 || after.types === null) return {};
  const changes = changesBetween(before.types, after.types);
  // A change of white space leaves the BTF the same: keep the marks of the last change.
  if (isUnchanged(changes)) return {};
  return { changes, changeCount: (workbenchOf(id)?.changeCount ?? 0) + 1 };
}

function restLater(id: FileId): void {
  clearTimeout(resting.get(id));
  resting.set(
    id,
    setTimeout(() => void rest(id), REST_MS),
  );
}

async function rest(id: FileId): Promise<void> {
  resting.delete(id);
  const workbench = workbenchOf(id);
  if (workbench === null) return;
  keptDeclarations.write(workbench);
  await nameByText(id);
  // Announce the result only for the active file.
  if (activeId(session.getState()) === id) announce(restSentence(id));
  await lookAgain(id);
}

/** Changes the key of the file to one that contains the text. */
async function nameByText(id: FileId): Promise<void> {
  const workbench = workbenchOf(id);
  if (workbench === null) return;
  const key = await declarationsKey(workbench);
  const now = workbenchOf(id);
  // The text has changed since: the next pause in typing updates the key.
  if (now?.text !== workbench.text || now.endian !== workbench.endian) return;
  if (key !== null) formerKeys.set(id, (formerKeys.get(id) ?? new Set()).add(key));
  patchFile(id, { declarationsKey: key });
}

/** Returns the open workbench that has or had the key `key`; null if there is none. */
function workbenchByKey(key: string): FileId | null {
  const files = session.getState().files.filter(({ id }) => formerKeys.get(id)?.has(key));
  return (files.find((file) => file.declarationsKey === key) ?? files[0])?.id ?? null;
}

/** Requests the hash and the findings of the file as it is now. */
async function lookAgain(id: FileId): Promise<void> {
  const { reading } = baseChoice(fileNow(id));
  const [hash] = await Promise.all([clientOf(id)?.call('sha256', null), lookAtFindings(id)]);
  const isSame = baseChoice(fileNow(id)).reading === reading;
  if (isSame && hash?.ok) patchFile(id, { sha256: hash.value });
}

/** Returns the sentence that screen readers announce after a pause in typing. */
function restSentence(id: FileId): string {
  const file = fileNow(id);
  const problems = workbenchOf(id)?.problems ?? [];
  const [first] = problems;
  if (first !== undefined) {
    return `${counted(problems.length, 'problem')} in the declarations: ${drawnName(first.message)}`;
  }
  const model = modelOf(file);
  return `Compiled to ${counted(model?.types?.count ?? 0, 'type')} in ${model?.size ?? 0} bytes`;
}

onClosed((id) => {
  clearTimeout(resting.get(id));
  resting.delete(id);
  startingOver.delete(id);
  formerKeys.delete(id);
  knownKernels.delete(id);
});

/** Finds the selection in `after` by names, or for a renamed type by the same id and kind. */
function carriedSelection(
  before: ObjectModel,
  after: ObjectModel,
  selection: Selection,
): Selection {
  const { selection: named } = resolveSelection(after, selectionParams(before, selection));
  if (named.kind !== 'none' || selection.kind !== 'type') return named;
  const { type, memberPath } = selection;
  const isRenamed =
    before.types !== null &&
    after.types !== null &&
    hasType(after.types, type) &&
    kindOf(before.types, type) === kindOf(after.types, type);
  return isRenamed ? typeSelection(type, memberPath) : NO_SELECTION;
}

/** Name of the file that a workbench makes. */

const NAME = 'workbench.btf';

/** Shows the open workbench. If none is open, opens one with the last text or the first example. */
export async function openWorkbench(): Promise<void> {
  const open = session.getState().files.findLast((file) => file.declarationsKey !== undefined);
  if (open !== undefined) {
    session.setState((state) => ({ ...asLeft(state, open.id), wanted: null }));
    setView(open.id, 'workbench');
    return;
  }
  await openDeclarations(
    keptDeclarations.read() ?? { text: EXAMPLES[0].text, endian: 'little' },
    {},
  );
}

/** Returns the workbench of a link's key, opened if needed. Throws `Malformed` for a wrong key. */
export async function openDeclarationsKey(
  key: string,
  options: BackgroundOptions,
): Promise<FileId> {
  return workbenchByKey(key) ?? (await openDeclarations(await declarationsOfKey(key), options));
}

async function openDeclarations(
  declarations: Declarations,
  options: BackgroundOptions,
): Promise<FileId> {
  // Begin with empty BTF: the page still works if compiling the text makes the worker crash.
  const file = new File([new Uint8Array(emptyBtf(declarations.endian))], NAME);
  const id = await openFile(file, { ...options, remember: false, declarationsKey: null });
  beginWorkbench(id, declarations);
  await compileWorkbench(id);
  await nameByText(id);
  const model = modelOf(fileNow(id));
  if (model !== null) announce(openedSentence(NAME, model));
  void lookAgain(id);
  return id;
}
