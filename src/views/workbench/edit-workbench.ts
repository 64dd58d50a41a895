/** Edits the workbench. The worker compiles one text at a time. Problems leave the BTF as it is. */
import { changesBetween, isUnchanged } from '#analysis/workbench/changes.ts';
import {
  type Declarations,
  fitsWorkbench,
  MAX_DECLARATIONS_BYTES,
  MAX_HEADERS,
} from '#analysis/workbench/declarations.ts';
import { declarationsKey, declarationsOfKey } from '#analysis/workbench/declarations-key.ts';
import type { DeclaredPlace, Problem } from '#analysis/workbench/declared-places.ts';
import { EXAMPLES, emptyBtf } from '#analysis/workbench/examples.ts';
import { hasMapTypes } from '#analysis/workbench/kernel-types.ts';
import type { SourceFile } from '#analysis/workbench/sources.ts';
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
const NO_HEADERS: readonly SourceFile[] = [];

const compiling = new Set<FileId>();
/** For each file, a program that replaces the whole earlier one and is not yet compiled. */
const startingOver = new Map<FileId, string>();
const resting = new Map<FileId, ReturnType<typeof setTimeout>>();
/** Earlier keys of each file. The history of the browser can still contain them. */
const formerKeys = new Map<FileId, Set<string>>();

/** Changes texts or the byte order. Resolves when the program is compiled or has problems. */
export async function editWorkbench(id: FileId, patch: Partial<Declarations>): Promise<void> {
  const known = workbenchOf(id);
  if (known === null) return;
  const { text = known.text, endian = known.endian, headers = known.headers } = patch;
  const next = { text, endian, headers };
  if (isSame(known, next)) return;
  patchWorkbench(id, { ...next, shown: Math.min(known.shown, headers.length - 1), places: null });
  restLater(id);
  await compileWorkbench(id);
}

/** Returns true if both compile to the same BTF. Headers are compared by identity. */
function isSame(a: Declarations, b: Declarations): boolean {
  return a.text === b.text && a.endian === b.endian && a.headers === b.headers;
}

/** Replaces the program and its headers. Clears the selection, and marks no changes. */
export async function startOver(
  id: FileId,
  text: string,
  headers: readonly SourceFile[] = NO_HEADERS,
): Promise<void> {
  const file = fileNow(id);
  const known = workbenchOf(id);
  if (file === null || known === null) return;
  const isUnchanged = known.headers === headers || known.headers.length + headers.length === 0;
  if (known.text === text && isUnchanged) return;
  patchFile(id, { selection: NO_SELECTION });
  patchWorkbench(id, { changes: null, shown: -1 });
  startingOver.set(id, text);
  await editWorkbench(id, { text, headers });
}

/** Changes the text of the file in the editor. */
export async function typeText(id: FileId, typed: string): Promise<void> {
  const known = workbenchOf(id);
  if (known === null) return;
  const { shown, headers } = known;
  if (shown < 0) await editWorkbench(id, { text: typed });
  else {
    const changed = headers.map((file, i) => (i === shown ? { ...file, text: typed } : file));
    await editWorkbench(id, { headers: changed });
  }
}

/** Adds headers, in place of those with the same names. Shows the first of them. */
export async function addHeaders(id: FileId, added: readonly SourceFile[]): Promise<void> {
  const known = workbenchOf(id);
  const [first] = added;
  if (known === null || first === undefined) return;
  const names = new Set(added.map(({ name }) => name));
  const headers = [...known.headers.filter(({ name }) => !names.has(name)), ...added];
  patchWorkbench(id, { shown: headers.indexOf(first) });
  await editWorkbench(id, { headers });
}

/** Removes the header in the editor. Shows the program. */
export async function removeShownHeader(id: FileId): Promise<void> {
  const known = workbenchOf(id);
  if (known === null || known.shown < 0) return;
  patchWorkbench(id, { shown: -1 });
  await editWorkbench(id, { headers: known.headers.filter((_, i) => i !== known.shown) });
}

/** Shows the header with this index in the editor; -1 shows the program. */
export function showSource(id: FileId, shown: number): void {
  patchWorkbench(id, { shown });
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
      const { text, endian, headers } = asked;
      await compileOnce(id, { text, endian, headers });
      const now = workbenchOf(id);
      isDone = now !== null && isSame(now, asked) && knowsKernel(id, now);
    }
  } finally {
    compiling.delete(id);
  }
}

async function compileOnce(id: FileId, declarations: Declarations): Promise<void> {
  const { text } = declarations;
  if (!fitsWorkbench(declarations)) {
    const message = `the files have more than ${MAX_DECLARATIONS_BYTES} bytes, or more than ${MAX_HEADERS} headers`;
    patchWorkbench(id, { problems: [wholeProblem(message, text)] });
    return;
  }
  await tellKernel(id, declarations);
  const outcome = await clientOf(id)?.call('declare', declarations);
  if (outcome === undefined) return;
  if (!outcome.ok) {
    patchWorkbench(id, { problems: [wholeProblem(outcome.issue.message, text)] });
    return;
  }
  const { problems, notes, places, model } = outcome.value;
  patchWorkbench(id, { notes });
  if (model === null) patchWorkbench(id, { problems });
  else showCompiled(id, model, declarations, places);
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

function kernelOf({ text, headers = [] }: Declarations): OpenFile | null {
  const isNamed = [text, ...headers.map((header) => header.text)].some((each) =>
    each.includes('vmlinux.h'),
  );
  return isNamed ? openKernel(session.getState()) : null;
}

function knowsKernel(id: FileId, declarations: Declarations): boolean {
  return (knownKernels.get(id) ?? null) === (kernelOf(declarations)?.id ?? null);
}

async function tellKernel(id: FileId, declarations: Declarations): Promise<void> {
  if (knowsKernel(id, declarations)) return;
  const kernel = kernelOf(declarations);
  const types = kernel && typesOf(kernel);
  knownKernels.set(id, kernel?.id ?? null);
  await clientOf(id)?.call('useKernel', kernel && types && { name: kernel.name, types });
}

/** Compile again when a kernel for `vmlinux.h` is opened or closed. */
session.subscribe((now, before) => {
  if (now.files === before.files) return;
  for (const { id } of now.files) {
    const workbench = workbenchOf(id);
    if (workbench !== null && !knowsKernel(id, workbench)) void compileWorkbench(id);
  }
});

function wholeProblem(message: string, text: string): Problem {
  return { message, start: 0, end: Math.max(1, text.length) };
}

function showCompiled(
  id: FileId,
  model: ObjectModel,
  compiled: Declarations,
  places: readonly DeclaredPlace[],
): void {
  const { text } = compiled;
  const now = workbenchOf(id);
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
    places: now !== null && isSame(now, compiled) ? places : null,
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
  if (now === null || !isSame(now, workbench)) return;
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
