/** Opens the files that the arguments of a command name. */
import { nearNames } from '#analysis/log/follow-names.ts';
import { type EmbeddedObjects, embeddedObjects } from '#analysis/objects/embedded-objects.ts';
import { findNamedType } from '#analysis/types/type-key.ts';
import { attemptAsync, type Issue, Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { counted, visible } from '#bytes/text.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { sniff } from '#formats/containers/sniff.ts';
import { type Ingested, type IngestedObjects, ingest } from '#ingest/ingest.ts';
import type { FilesBeside, IngestOptions } from '#ingest/ingest-options.ts';
import { memberSource } from '#ingest/members.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { type ArchiveMember, btfOf, type ObjectModel } from '#model/object-model.ts';
import { firstAtHand, hasType, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { type Call, CommandFailure, type NodeIo } from './command.ts';

/** The file of `--base`, with its types. */
export type NamedBase = { readonly name: string; readonly types: TypeTable };

export type OpenObject = { readonly model: ObjectModel; readonly source: ByteSource };

/** Opens FILE, FILE(MEMBER) or FILE(MEMBER)(INNER) … on `base`. Rejects if it is unreadable. */
export async function openObject(
  io: NodeIo,
  path: string,
  base: NamedBase | null = null,
): Promise<OpenObject> {
  const options = base === null ? {} : { base: base.types, baseName: base.name };
  return await openWith(io, path, base, options);
}

/** Opens FILE as `openObject`, but reads only its headers, sections and symbols. */
export async function openElf(io: NodeIo, path: string): Promise<OpenObject> {
  return await openWith(io, path, null, { sectionsOnly: true });
}

async function openWith(
  io: NodeIo,
  path: string,
  base: NamedBase | null,
  options: IngestOptions,
): Promise<OpenObject> {
  const { opened, rest } = await openMembers(io, path, options);
  if (opened.kind === 'object' && rest === '') return fitting(opened, base);
  const { members } = await membersOf(opened);
  const container = path.slice(0, path.length - rest.length);
  throw new CommandFailure(
    rest === ''
      ? `${visible(path)} is an archive; name a member, as in ${visible(path)}(${firstName(members)}): ${namesOf(members)}`
      : `${visible(path)}: there is no such member; ${visible(container)} has ${namesOf(members) || 'none'}`,
  );
}

/**
 * Opens FILE as `openObject`, or each object of an archive, with the name of the member. Warns about
 * members that cannot be read.
 */
export async function* openObjects(
  io: NodeIo,
  path: string,
): AsyncGenerator<OpenObject & { readonly member: string | null }> {
  const { opened, rest } = await openMembers(io, path, {});
  if (opened.kind === 'object' || rest !== '') {
    yield { ...(await openObject(io, path)), member: null };
    return;
  }
  for (const member of opened.members) {
    const issues: Issue[] = [];
    const found = await attemptAsync(issues, async () => {
      const from = await memberSource(opened.source, member, {});
      return await ingest(from, {});
    });
    for (const { message } of issues) io.warn(`btfscope: ${visible(message)}`);
    if (found?.kind === 'object') yield { ...found, member: member.name };
  }
}

/**
 * Returns how to open files below the folder of `path`. Each is opened once, however many names lead
 * to it by links. Warns of one that is unreadable.
 */
function filesBesideOf(io: NodeIo, path: string): FilesBeside {
  const opened = new Map<string, ByteSource | null>();
  return async function* (names) {
    for (const name of names) {
      const found = io.beside(path, name);
      if (found === null) continue;
      const known = opened.get(found);
      const source = known === undefined ? await openOrWarn(io, found) : known;
      opened.set(found, source);
      if (source !== null) yield source;
    }
  };
}

async function openOrWarn(io: NodeIo, path: string): Promise<ByteSource | null> {
  try {
    return await io.open(path);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    io.warn(`btfscope: ${visible(error.message)}`);
    return null;
  }
}

/**
 * Opens `path`, and then each member that follows in parentheses, as long as it exists. `rest` is
 * the part of the path after the opened members. Names may contain parentheses.
 */
async function openMembers(
  io: NodeIo,
  path: string,
  options: IngestOptions,
): Promise<{ readonly opened: IngestedObjects; readonly rest: string }> {
  const { source, members: named } = await openPath(io, path);
  const outer = path.slice(0, path.length - named.length);
  const filesBeside = filesBesideOf(io, outer);
  const read = async (from: ByteSource) => {
    const found = await ingestAt(path, from, { ...options, filesBeside });
    if (found.kind === 'atlas') {
      const count = counted(found.atlas.directory.kernels.length, 'kernel');
      const name = visible(from.name);
      throw new CommandFailure(`${name} is an atlas of ${count}; see btfscope atlas --help`);
    }
    if (found.kind === 'log') {
      throw new CommandFailure(`${visible(from.name)} is a log; see btfscope explain --help`);
    }
    return found;
  };
  let opened = await read(source);
  let rest = named;
  while (rest !== '') {
    const inside = await membersOf(opened);
    const found = longest(inside.members.filter(({ name }) => rest.startsWith(`(${name})`)));
    if (found === null) break;
    rest = rest.slice(found.name.length + 2);
    const member = await memberSource(inside.source, found, options);
    opened = await read(member);
  }
  return { opened, rest };
}

/** Ingests a source. Rejects with `Malformed`; the message names `path` or the source. */
async function ingestAt(
  path: string,
  source: ByteSource,
  options: IngestOptions,
): Promise<Ingested> {
  try {
    return await ingest(source, options);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const { issue } = error;
    const own = issue.message.startsWith(`${source.name}: `) ? source.name.length + 2 : 0;
    if (own === 0 && issue.message.includes(source.name)) throw error;
    throw new Malformed({ ...issue, message: `${path}: ${issue.message.slice(own)}` });
  }
}

/** Returns the member with the longest name (the first of several); null without members. */
function longest(members: readonly ArchiveMember[]): ArchiveMember | null {
  return members.reduce<ArchiveMember | null>(
    (best, member) => (best === null || member.name.length > best.name.length ? member : best),
    null,
  );
}

export type Members = EmbeddedObjects & { readonly source: ByteSource };

async function membersOf(opened: IngestedObjects): Promise<Members> {
  if (opened.kind === 'archive') return opened;
  return { ...(await embeddedObjects(opened.model, opened.source)), source: opened.source };
}

/** Returns the bytes of FILE or FILE(MEMBER), of any file type. Rejects as `openObject` does. */
export async function openSource(io: NodeIo, path: string): Promise<ByteSource> {
  const { source, members } = await openPath(io, path);
  if (members === '') return source;
  const { opened, rest } = await openMembers(io, path, {});
  if (rest === '') return opened.source;
  throw noSuchMember(path);
}

/** Lists the members of the file at `path`. Rejects as `openObject` does. */
async function listMembers(io: NodeIo, path: string): Promise<Members> {
  const { opened, rest } = await openMembers(io, path, {});
  const members = await membersOf(opened);
  if (rest === '') return members;
  throw noSuchMember(path);
}

/** A member of a file, or of a member of it. */
export type NestedMember = {
  /** Names from the outermost member to this one. */
  readonly path: readonly string[];
  readonly member: ArchiveMember;
};

/**
 * Kinds of members whose own members are listed: archives, and programs with BPF objects. Modules
 * and kernels are not unpacked for it: a package has thousands.
 */
const HOLDERS: readonly ArchiveMember['kind'][] = ['archive', 'object file'];
/** Maximum number of members around a member. */
const MAX_NESTING = 16;

/**
 * Yields the members of the file at `path` and, after each, its own members, however deep. Warns of
 * a member that cannot be read. Rejects as `openObject` does.
 */
export async function* nestedMembers(io: NodeIo, path: string): AsyncGenerator<NestedMember> {
  const first = await listMembers(io, path);
  const stack = [{ ...first, path: [] as readonly string[], next: 0 }];
  const warnOf = ({ issues }: EmbeddedObjects) => {
    for (const { message } of issues) io.warn(`btfscope: ${visible(message)}`);
  };
  warnOf(first);
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const member = level.members[level.next++];
    if (member === undefined) {
      stack.pop();
      continue;
    }
    const names = [...level.path, member.name];
    yield { path: names, member };
    if (!HOLDERS.includes(member.kind) || stack.length >= MAX_NESTING) continue;
    const issues: Issue[] = [];
    const inside = await attemptAsync(issues, () => insideOf(level.source, member));
    warnOf({ members: [], issues });
    if (inside === null) continue;
    warnOf(inside);
    stack.push({ ...inside, path: names, next: 0 });
  }
}

/** Returns the members of a member; null for a log or an atlas, which have none. */
async function insideOf(outer: ByteSource, member: ArchiveMember): Promise<Members | null> {
  const source = await memberSource(outer, member);
  const opened = await ingest(source);
  if (opened.kind === 'atlas' || opened.kind === 'log') return null;
  return await membersOf(opened);
}

function noSuchMember(path: string): CommandFailure {
  return new CommandFailure(`${visible(path)}: there is no such member`);
}

const ARCHIVE = /\.(?:tgz|(?:tar|zip|cpio|deb|rpm)(?:\.[a-z0-9]+)?)$/;

/** Returns the paths of all files in a directory or archive; for another file, only `path`. */
export async function expandPath(io: NodeIo, path: string): Promise<readonly string[]> {
  const files = io.list(path);
  if (files !== null || !ARCHIVE.test(path)) return files ?? [path];
  const { members } = await listMembers(io, path);
  return members.map(({ name }) => `${path}(${name})`);
}

/** Limit of listed names: a kernel package contains thousands. The others are only counted. */
const SHOWN_NAMES = 20;

function namesOf(members: readonly ArchiveMember[]): string {
  const shown = members.slice(0, SHOWN_NAMES).map(({ name }) => visible(name));
  const left = members.length - shown.length;
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function firstName(members: readonly ArchiveMember[]): string {
  return visible(members[0]?.name ?? 'MEMBER');
}

/** Returns `opened`. Throws if `base` does not fit: all names would be wrong. */
function fitting(opened: OpenObject, base: NamedBase | null): OpenObject {
  const refusal = opened.model.splitBase?.refusal ?? null;
  if (base !== null && refusal !== null) throw new Malformed(refusal);
  return opened;
}

/** Opens the first FILE of a call on the `--base` of the call. */
export async function openFile(call: Call): Promise<OpenObject> {
  const base = await openBase(call.io, call.all('base'));
  return await openObject(call.io, call.positional(0), base);
}

/** Opens the first FILE of a call on its `--base`, and returns the types. */
export async function openFileTypes(call: Call) {
  const base = await openBase(call.io, call.all('base'));
  return await openTypes(call.io, call.positional(0), base);
}

/** Codes of issues about files with types of FILE that are missing, or are of another build. */
const LACKING: ReadonlySet<string> = new Set(['dwarf.supplement', 'dwarf.split', 'dwarf.split-id']);

function lackingText({ message, expected, found }: Issue): string {
  return found === undefined ? message : `${message}: expected ${expected}, found ${found}`;
}

/**
 * Opens FILE and returns its types. Warns about missing files with types. Rejects with a
 * `CommandFailure` if it has none.
 */
export async function openTypes(
  io: NodeIo,
  path: string,
  base: NamedBase | null,
): Promise<{ model: ObjectModel; types: TypeTable; source: ByteSource }> {
  const { model, source } = await openObject(io, path, base);
  for (const issue of model.issues) {
    if (LACKING.has(issue.code)) io.warn(`btfscope: warning: ${visible(lackingText(issue))}`);
  }
  if (model.types === null) throw new CommandFailure(await noTypes(path, model, source));
  return { model, types: model.types, source };
}

/** Opens base files, each on the previous one. Returns the last one's types; null without files. */
export async function openBase(io: NodeIo, paths: readonly string[]): Promise<NamedBase | null> {
  let base: NamedBase | null = null;
  for (const path of paths) {
    const { model, types } = await openTypes(io, path, base);
    // Ids of split BTF are those of the BTF of its base.
    if (btfOf(model) === null) throw new CommandFailure(`${visible(path)} has no BTF, only DWARF`);
    base = { name: model.name, types };
  }
  return base;
}

async function noTypes(path: string, model: ObjectModel, source: ByteSource): Promise<string> {
  const why = model.issues.find(
    ({ severity, region }) => severity === 'error' && /BTF/.test(region),
  );
  const { members } = await embeddedObjects(model, source);
  const inside =
    members.length === 0
      ? ''
      : `; name a BPF object inside, as in ${visible(path)}(${firstName(members)}): ${namesOf(members)}`;
  return `${visible(path)} has no readable BTF${why === undefined ? '' : `: ${visible(why.message)}`}${inside}`;
}

/** Splits `path` into the longest part that is an existing file, and members in parentheses. */
async function openPath(io: NodeIo, path: string) {
  for (let end = path.length; ; end = path.lastIndexOf('(', end - 1)) {
    try {
      return { source: await io.open(path.slice(0, end)), members: path.slice(end) };
    } catch (error) {
      const isMember = path.endsWith(')') && path.lastIndexOf('(', end - 1) > 0;
      if (!(error instanceof CommandFailure) || !isMember) throw error;
    }
  }
}

/** Number of bytes at the start of an atlas that identify the format. */
const MAGIC_LENGTH = 8;

/** Opens the atlas at `path`; null if the file is not an atlas. Rejects as `openObject` does. */
export async function openAtlasAt(io: NodeIo, path: string): Promise<AtlasFile | null> {
  const { source, members } = await openPath(io, path);
  const head = await source.read(0, MAGIC_LENGTH);
  return members === '' && sniff(head) === 'atlas' ? await AtlasFile.open(source) : null;
}

/** Opens all files in a directory or an archive. Skips unreadable files in a directory. */
export async function* filesIn(
  io: NodeIo,
  path: string,
  options: IngestOptions,
): AsyncGenerator<Ingested> {
  const files = io.list(path);
  if (files !== null) {
    for (const file of files) {
      const source = await io.open(file);
      const opened = await attemptAsync([], () => ingest(source, options));
      if (opened !== null) yield opened;
    }
    return;
  }
  const { members, source } = await listMembers(io, path);
  for (const member of members) {
    const from = await memberSource(source, member, options);
    yield await ingest(from, options);
  }
}

/** Returns the type with the name or id `text`. Throws a `CommandFailure` if there is none. */
export function namedType(t: TypeTable, text: string): TypeId {
  const id = typeId(Number(text));
  const found = !/^\d+$/.test(text) ? findNamedType(t, text) : hasType(t, id) ? id : null;
  if (found === null)
    throw new CommandFailure(visible(`no type is named "${text}"${meant(t, text)}`));
  return found;
}

/** Names the types with similar names, as `; did you mean: task_struct`; empty if there are none. */
function meant(t: TypeTable, text: string): string {
  const wanted = text.slice(text.indexOf(':') + 1);
  const names = function* () {
    for (let n = firstAtHand(t); n <= lastId(t); n++) yield nameOf(t, typeId(n));
  };
  const near = wanted === '' ? [] : nearNames(wanted, names());
  return near.length === 0 ? '' : `; did you mean: ${near.join(', ')}`;
}
