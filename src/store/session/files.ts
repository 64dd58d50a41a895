/** Opens and closes files. Each open file has its own worker, which ends on closing. */
import type { Issue } from '#bytes/issue.ts';
import type { Progress } from '#bytes/long-work.ts';
import { counted, drawnName } from '#bytes/text.ts';
import { type ArchiveMember, btfOf, isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { remember } from '#store/kept/kept-files.ts';
import { idle } from '#store/page/when-idle.ts';
import type { FileOfFolder } from '#worker/build-atlas.ts';
import {
  type CallOptions,
  type FileClient,
  type Outcome,
  startFileClient,
} from '#worker/client.ts';
import type { Methods } from '#worker/protocol.ts';
import { activate, asLeft, type Layout, setView } from './panes.ts';
import type { RemoteFile } from './remote-atlas.ts';
import {
  activeFileNow,
  activeId,
  announce,
  atlasOf,
  atlasPlace,
  baseChoice,
  type FileId,
  fileById,
  fileNow,
  modelOf,
  type OpenFile,
  patchFile,
  session,
} from './session.ts';
import { markTypedHere, type ViewName, viewOf, viewsOf, viewsOfClass } from './views.ts';

type Running = {
  readonly client: FileClient;
  /** File given by the user; an empty `File` if the file stays on the page's server. */
  readonly file: File;
  readonly remote: RemoteFile | null;
  readonly opening: AbortController;
};

const running = new Map<FileId, Running>();
let nextId = 1;

/** Returns the worker's client of an open file; null if the file is not open. */
export function clientOf(id: FileId): FileClient | null {
  return running.get(id)?.client ?? null;
}

/** Returns the `File` or remote file behind an open file; null if the file is not open. */
export function sourceOf(id: FileId): File | RemoteFile | null {
  const run = running.get(id);
  return run?.remote ?? run?.file ?? null;
}

/** Requests about an object that the worker of a kernel answers. */
type OnKernelMethod = 'judgeLoad' | 'needsOnKernel' | 'remedies' | 'resolveCore' | 'explainCore';

/** Sends a request about an object to the worker of a kernel, or of the kernel's atlas. */
export function askKernel<M extends OnKernelMethod>(
  id: FileId,
  method: M,
  params: Methods[M]['params'],
  options?: CallOptions,
): Promise<Outcome<Methods[M]['result']>> | undefined {
  const place = atlasPlace(session.getState(), id);
  if (place === null) return clientOf(id)?.call(method, params, options);
  return clientOf(place.atlas.id)?.call(method, { ...params, kernel: place.kernel }, options);
}

export type OpenOptions = {
  /** Path of an example under `samples/`. */
  readonly sample?: string;
  /** SHA-256 in hex, if the file comes from the browser's storage. */
  readonly sha256?: string;
  /** False if the browser must not store a copy for later visits. */
  readonly remember?: boolean;
  /** Set only for declarations of the workbench; see `OpenFile.declarationsKey`. */
  readonly declarationsKey?: string | null;
  /** Whether the file becomes active (default true). A function is called once the file is read. */
  readonly activate?: boolean | (() => boolean);
  /** True if nothing is announced, because the user did not just ask for the file. */
  readonly isSilent?: boolean;
};

export type BackgroundOptions = Pick<OpenOptions, 'activate' | 'isSilent'>;

/** Opens a file. Resolves when it is read or rejected. `before` is the previously active file. */
export async function openFile(
  source: File | RemoteFile,
  options: OpenOptions = {},
  before: OpenFile | null = options.activate === false ? null : activeFileNow(),
): Promise<FileId> {
  const id = nextId++;
  const remote = source instanceof File ? null : source;
  const file = source instanceof File ? source : new File([], source.name);
  const client = startFileClient((issue) => tellOfLoss(id, issue), remote);
  const opening = new AbortController();
  running.set(id, { client, file, remote, opening });
  const isTypedHere = options.declarationsKey !== undefined;
  const entry = newEntry(id, source, options);
  const say = options.isSilent === true ? () => {} : announce;
  const { activate = true } = options;
  const isShown = typeof activate === 'function' ? activate() : activate;
  session.setState((state) => ({
    files: [...state.files, entry],
    wanted: null,
    ...(isShown ? alone(entry) : {}),
  }));
  say(`Opening ${drawnName(file.name)}`);

  const outcome = await askToOpen(client, source, {
    signal: opening.signal,
    onProgress: (p) => showProgress(id, p),
  });
  if (!running.has(id)) return id;
  if (!outcome.ok) {
    refuse(id, file.name, outcome.issue, say);
    return id;
  }
  if (outcome.value.kind === 'archive') {
    const { members, issues } = outcome.value;
    patchFile(id, { status: { step: 'archive', members, issues } });
    say(`Opened archive ${drawnName(file.name)}: ${counted(members.length, 'member')}`);
    return id;
  }
  const isKept =
    options.sample !== undefined || options.sha256 !== undefined || options.remember === false;
  if (outcome.value.kind === 'atlas') {
    const { atlas } = outcome.value;
    patchFile(id, {
      status: { step: 'atlas', atlas, kernelIds: atlas.kernels.map(() => nextId++) },
    });
    setView(id, viewsOfClass('atlas')[0] ?? entry.view);
    say(`Opened atlas ${drawnName(file.name)}: ${counted(atlas.kernels.length, 'kernel')}`);
    stayAtObject(id, before);
    // The hash needs all bytes, but a remote atlas is read only in parts.
    if (remote === null) void noteHash(id, client, file, isKept);
    return id;
  }
  if (outcome.value.kind === 'log') {
    const { log, issues } = outcome.value;
    patchFile(id, { status: { step: 'log', log, issues } });
    const opens = viewsOfClass('log', log).find((view) => viewOf(view)?.opensLog?.(log) !== false);
    setView(id, opens ?? entry.view);
    say(`Opened log ${drawnName(file.name)}: ${counted(log.lineCount, 'line')}`);
    void noteCarriedKey(id, client, file);
    void noteHash(id, client, file, isKept);
    return id;
  }
  const { model } = outcome.value;
  if (isTypedHere) markTypedHere(model);
  patchFile(id, { status: { step: 'ready', model } });
  settle(id, model, before);
  say(openedSentence(file.name, model));
  void lookCloser(id, client, file, isKept);
  return id;
}

/** Replaces an empty view by the overview. Shows the object again if it needed the new kernel. */
function settle(id: FileId, model: ObjectModel, before: OpenFile | null): void {
  const file = fileNow(id);
  if (file !== null && !hasContent(model, file.view)) setView(id, 'overview');
  const isTarget = btfOf(model) !== null && model.ext.core.count === 0 && !isBpf(model);
  if (isTarget) stayAtObject(id, before);
}

function hasContent(model: ObjectModel, view: ViewName): boolean {
  return viewsOf(model).includes(view) && viewOf(view)?.hasContent?.(model) !== false;
}

/** Returns to the object that the user was viewing on kernels when kernel `id` was opened. */
function stayAtObject(id: FileId, before: OpenFile | null): void {
  const object = modelOf(before);
  if (before === null || object === null) return;
  if (viewOf(before.view)?.against === undefined || !hasContent(object, before.view)) return;
  const state = session.getState();
  if (activeId(state) === id && fileById(state, before.id) !== null) activate(before.id);
}

/** Opens the file in the worker. Sends its bytes if the worker cannot read the page's Blobs. */
async function askToOpen(client: FileClient, file: File | RemoteFile, options: CallOptions) {
  const { name } = file;
  if (!(file instanceof File)) {
    return await client.call('open', { name, file: { remoteSize: file.size } }, options);
  }
  const outcome = await client.call('open', { name, file }, options);
  const isUnreadable = !outcome.ok && outcome.issue.code === 'source.unreadable';
  if (!isUnreadable || globalThis.origin !== 'null') return outcome;
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes === null ? outcome : await client.call('open', { name, file: bytes }, options);
}

/** Lists a file that could not be opened, with the reason. */
function listRefused(name: string, size: number, issue: Issue): void {
  const entry = newEntry(nextId++, { name, size }, {});
  session.setState(({ files }) => ({ files: [...files, entry], ...alone(entry) }));
  refuse(entry.id, name, issue);
}

/** Builds an atlas of the kernels in a folder and opens it. Returns its id; null if that fails. */
export async function openFolder(
  name: string,
  files: readonly FileOfFolder[],
): Promise<FileId | null> {
  const id = nextId++;
  const client = startFileClient((issue) => tellOfLoss(id, issue));
  const opening = new AbortController();
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  running.set(id, { client, file: new File([], name), remote: null, opening });
  const entry = newEntry(id, { name, size }, {});
  session.setState(({ files }) => ({ files: [...files, entry], wanted: null, ...alone(entry) }));
  announce(`Building an atlas of ${drawnName(name)}`);
  const outcome = await client.call(
    'buildAtlas',
    { name, files },
    { signal: opening.signal, onProgress: (progress) => showProgress(id, progress) },
  );
  if (!running.has(id)) return null;
  if (!outcome.ok) {
    refuse(id, name, outcome.issue);
    return null;
  }
  client.close();
  running.delete(id);
  session.setState((state) => ({ files: state.files.filter((file) => file.id !== id) }));
  const { atlas, kernels, unread, strays } = outcome.value;
  const opened = await openFile(new File([atlas], `${name}.btfatlas`));
  const left = [
    ...(unread.length === 0 ? [] : [`${counted(unread.length, 'file')} could not be read`]),
    ...(strays === 0 ? [] : [`${counted(strays, 'module')} fit no kernel of it`]),
  ];
  if (left.length > 0) {
    announce(`Built an atlas of ${counted(kernels, 'kernel')}; ${left.join(', ')}`);
  }
  return opened;
}

/** Returns a layout of one pane that shows the file. */
function alone({ id, view }: OpenFile): Layout {
  return { panes: [{ fileId: id, view }], currentPane: 0 };
}

/** Returns the list entry of a file that is being opened. */
function newEntry(
  id: FileId,
  { name, size, key }: Pick<File, 'name' | 'size'> & { readonly key?: string },
  { sample, sha256, declarationsKey }: OpenOptions,
): OpenFile {
  const isTypedHere = declarationsKey !== undefined;
  return {
    id,
    name,
    size,
    sample: sample ?? null,
    sha256: sha256 ?? null,
    status: { step: 'opening', what: 'reading', done: 0, total: 0 },
    findings: null,
    ...(isTypedHere ? { declarationsKey } : {}),
    ...(key === undefined ? {} : { servedKey: key }),
    view: isTypedHere ? 'workbench' : firstView(),
    selection: NO_SELECTION,
  };
}

/** Returns the view of a new file: the active view if it fits, for example *Bytes*. */
function firstView(): ViewName {
  const view = activeFileNow()?.view ?? 'overview';
  // Views of the workbench or of an atlas do not fit a new file.
  const isOfOthers = viewOf(view)?.files.some((files) => files === 'elf' || files === 'btf');
  return isOfOthers === true ? view : 'overview';
}

/** Number of files opened at a time: one worker per core. */
const AT_ONCE = globalThis.navigator?.hardwareConcurrency ?? 1;

/** Opens files, as many at a time as there are cores; activates the first. Returns their ids. */
export async function openFiles(
  files: readonly File[],
  options: BackgroundOptions = {},
  onOpened: (done: number) => void = () => {},
): Promise<readonly FileId[]> {
  const before = options.activate === false ? null : activeFileNow();
  const ids: FileId[] = [];
  let next = 0;
  let done = 0;
  const lane = async () => {
    for (let i = next++; i < files.length; i = next++) {
      const file = files[i];
      const given = i === 0 ? options : { ...options, activate: false };
      if (file !== undefined) ids[i] = await openFile(file, given, before);
      onOpened(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, files.length) }, lane));
  // A log that is opened together with its object and kernel is what the user asks about.
  const log = ids.find((id) => fileNow(id)?.status.step === 'log');
  const isLeft = activeId(session.getState()) !== ids[0];
  if (options.activate !== false && !isLeft && log !== undefined) activate(log);
  return ids;
}

/** Extracts a kernel's BTF from an open atlas and opens it as a file. Returns its id, or null. */
export async function openKernelOf(
  id: FileId,
  kernel: number,
  options: OpenOptions = {},
): Promise<FileId | null> {
  const name = atlasOf(fileNow(id))?.kernels[kernel]?.name;
  if (name === undefined) return null;
  const outcome = await clientOf(id)?.call('atlasBtf', { kernel });
  if (outcome === undefined) return null;
  if (outcome.ok)
    return await openFile(new File([new Uint8Array(outcome.value)], `vmlinux-${name}`), options);
  listRefused(name, 0, outcome.issue);
  return null;
}

/** Opens a member of an archive, or an object inside a program, as a file. */
export async function openMember(id: FileId, member: ArchiveMember): Promise<void> {
  const run = running.get(id);
  if (run === undefined) return;
  const outcome = await run.client.call('member', member);
  if (!running.has(id)) return;
  const name = `${run.file.name}(${member.name})`;
  if (!outcome.ok) {
    listRefused(name, member.size, outcome.issue);
    return;
  }
  const { fileOffset, size } = member;
  const bytes =
    outcome.value === null
      ? run.file.slice(fileOffset, fileOffset + size)
      : new Uint8Array(outcome.value);
  await openFile(new File([bytes], name));
}

/** Stops opening a file. The file stays in the list as cancelled. */
export function cancelOpening(id: FileId): void {
  const run = running.get(id);
  if (run === undefined) return;
  run.opening.abort();
  run.client.close();
}

/** Closes a file and ends its worker. Activates the other pane's file, or the next in the list. */
export function closeFile(id: FileId): void {
  const name = fileNow(id)?.name;
  if (name === undefined) return;
  const run = running.get(id);
  run?.client.close();
  running.delete(id);
  // Last registered first: later listeners depend on earlier ones.
  const listeners = [...closeListeners].reverse();
  const { status } = fileNow(id) ?? {};
  for (const kernel of status?.step === 'atlas' ? status.kernelIds : []) {
    for (const onClose of listeners) onClose(kernel, null);
  }
  for (const onClose of listeners) onClose(id, run?.file ?? null);
  session.setState((state) => {
    const at = state.files.findIndex((file) => file.id === id);
    const files = state.files.filter((file) => file.id !== id);
    const status = `Closed ${drawnName(name)}`;
    const panes = state.panes.filter(({ fileId }) => fileId !== id);
    if (activeId(state) !== id) return { files, status, panes, currentPane: 0 };
    // The next active file: that of the other pane, otherwise the neighbour in the list.
    const next = panes[0]?.fileId ?? files[Math.min(at, files.length - 1)]?.id ?? null;
    return { files, status, ...asLeft({ ...state, files }, next) };
  });
}

/** Called when a file is closed. `file` is null if the file was rejected before it was read. */
type CloseListener = (id: FileId, file: File | null) => void;

const closeListeners = new Set<CloseListener>();

/** Calls `listener` for each closed file, so that caches can drop its data. */
export function onClosed(listener: CloseListener): void {
  closeListeners.add(listener);
}

export function openedSentence(name: string, model: ObjectModel): string {
  return `Opened ${drawnName(name)}: ${[
    counted(model.types?.count ?? 0, 'type'),
    counted(sectionCount(model.sections), 'section'),
    counted(model.relocations.count, 'relocation'),
    counted(model.ext.core.count, 'CO-RE relocation'),
  ].join(', ')}`;
}

/** Announces that the worker of a file was lost and replaced. */
function tellOfLoss(id: FileId, issue: Issue): void {
  const name = fileNow(id)?.name ?? '';
  announce(`${drawnName(name)}: ${drawnName(issue.message)}. Worker restarted`);
}

function refuse(id: FileId, name: string, issue: Issue, say = announce): void {
  patchFile(id, { status: { step: 'failed', issue } });
  say(`Could not open ${drawnName(name)}: ${drawnName(issue.message)}`);
}

function showProgress(id: FileId, { step, done, total, lines }: Progress): void {
  const status = fileNow(id)?.status;
  if (status?.step === 'opening') {
    const shown = lines ?? status.lines;
    patchFile(id, { status: { step: 'opening', what: step, done, total, lines: shown } });
  }
}

async function lookCloser(
  id: FileId,
  client: FileClient,
  file: File,
  isKept: boolean,
): Promise<void> {
  // Requests of the view on the screen go first.
  await idle();
  if (!running.has(id)) return;
  await Promise.all([noteHash(id, client, file, isKept), lookAtFindings(id)]);
}

/** Requests the hash of a file, then stores a copy of the file for later visits. */
async function noteHash(
  id: FileId,
  client: FileClient,
  file: File,
  isKept: boolean,
): Promise<void> {
  const hash = await client.call('sha256', null);
  if (!running.has(id) || !hash.ok) return;
  patchFile(id, { sha256: hash.value });
  if (!isKept) await remember(hash.value, file);
}

/** Maximum characters of a log in the page's own address. */
const MAX_KEY = 4096;
/** Bytes of a log that may fit into an address: DEFLATE packs logs to a tenth. */
const MAX_KEY_BYTES = 64 * 1024;

/** Requests the key that contains a small log, so that its address needs no file. */
async function noteCarriedKey(id: FileId, client: FileClient, file: File): Promise<void> {
  if (file.size > MAX_KEY_BYTES) return;
  const key = await client.call('fileLink', null);
  if (!running.has(id) || !key.ok || key.value === null || key.value.length > MAX_KEY) return;
  patchFile(id, { carriedKey: key.value });
}

/** Requests the lint findings of a file; ignores them if the file's base has changed meanwhile. */
export async function lookAtFindings(id: FileId): Promise<void> {
  const { reading } = baseChoice(fileNow(id));
  const findings = await clientOf(id)?.call('findings', null);
  const file = fileNow(id);
  if (findings === undefined || file === null || baseChoice(file).reading !== reading) return;
  patchFile(id, { findings: findings.ok ? findings.value : [findings.issue] });
}
