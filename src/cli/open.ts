/** Opening what a command line names. */
import { type CoreObject, coreObjectOf } from '#analysis/core/core-records.ts';
import { type CoreTarget, targetOf } from '#analysis/core/target.ts';
import { findTypeKey, parseTypeKey } from '#analysis/types/type-key.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import { ingest } from '#ingest/ingest.ts';
import { sliceSource } from '#ingest/slice-source.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { hasType, type TypeTable } from '#model/type-table.ts';
import { type Call, CommandFailure, type NodeIo } from './command.ts';

/** What `--base` names. */
export type NamedBase = { readonly name: string; readonly types: TypeTable };

export type OpenObject = { readonly model: ObjectModel; readonly source: ByteSource };

/**
 * Opens FILE, or FILE(MEMBER), read with `base` where that is given. Rejects with
 * `Malformed` or `CommandFailure`.
 */
export async function openObject(
  io: NodeIo,
  path: string,
  base: NamedBase | null = null,
): Promise<OpenObject> {
  const { source, member } = await openPath(io, path);
  const options = base === null ? {} : { base: base.types, baseName: base.name };
  const ingested = await ingest(source, options);
  if (ingested.kind === 'object') return fitting(ingested, base);
  const names = ingested.members.map(({ name }) => visible(name));
  if (member === null) {
    const example = `${visible(path)}(${names[0] ?? 'MEMBER'})`;
    throw new CommandFailure(
      `${visible(path)} is an archive; name a member, as in ${example}: ${names.join(', ')}`,
    );
  }
  const found = ingested.members.find(({ name }) => name === member);
  if (found === undefined) {
    throw new CommandFailure(
      `${visible(path)}: there is no such member; there are: ${names.join(', ')}`,
    );
  }
  const span = { start: found.fileOffset, end: found.fileOffset + found.size };
  const inner = await ingest({ ...sliceSource(source, span), name: found.name }, options);
  if (inner.kind === 'archive') {
    throw new CommandFailure(`${visible(path)} is an archive inside an archive`);
  }
  return fitting(inner, base);
}

/** A given base that does not fit ends the command: without it all names would be wrong. */
function fitting(opened: OpenObject, base: NamedBase | null): OpenObject {
  const refusal = opened.model.splitBase?.refusal ?? null;
  if (base !== null && refusal !== null) throw new Malformed(refusal);
  return opened;
}

/** The first FILE of a call, on its `--base`. */
export async function openFile(call: Call): Promise<OpenObject> {
  const base = await openBase(call.io, call.option('base'));
  return await openObject(call.io, call.positional(0), base);
}

/** The types of the first FILE of a call, on its `--base`. */
export async function openFileTypes(call: Call) {
  const base = await openBase(call.io, call.option('base'));
  return await openTypes(call.io, call.positional(0), base);
}

/** The types of FILE. Rejects with a `CommandFailure` where it has none. */
export async function openTypes(
  io: NodeIo,
  path: string,
  base: NamedBase | null,
): Promise<{ model: ObjectModel; types: TypeTable }> {
  const { model } = await openObject(io, path, base);
  if (model.types === null) throw new CommandFailure(noTypes(path, model));
  return { model, types: model.types };
}

/** The types of the file that is named as a base; null where none is named. */
export async function openBase(io: NodeIo, path: string | null): Promise<NamedBase | null> {
  if (path === null) return null;
  const { model, types } = await openTypes(io, path, null);
  return { name: model.name, types };
}

function noTypes(path: string, model: ObjectModel): string {
  const why = model.issues.find(
    ({ severity, region }) => severity === 'error' && /BTF/.test(region),
  );
  return `${visible(path)} has no readable BTF${why === undefined ? '' : `: ${visible(why.message)}`}`;
}

async function openPath(io: NodeIo, path: string) {
  try {
    return { source: await io.open(path), member: null };
  } catch (error) {
    const named = /^(.+)\(([^()]+)\)$/.exec(path);
    if (!(error instanceof CommandFailure) || named === null) throw error;
    const [, archive = '', member = ''] = named;
    return { source: await io.open(archive), member };
  }
}

/** The CO-RE side of the object at `path`. Rejects with a `CommandFailure` where it has none. */
export async function openLocal(
  io: NodeIo,
  path: string,
): Promise<{ readonly name: string; readonly local: CoreObject }> {
  const { model, source } = await openObject(io, path);
  const code = new Map<number, Uint8Array>();
  for (const section of new Set(model.ext.core.section)) {
    if (section < 0) continue;
    const start = model.sections.fileOffset[section] ?? 0;
    code.set(section, await source.read(start, start + (model.sections.byteLength[section] ?? 0)));
  }
  const local = coreObjectOf(model, (section) => code.get(section) ?? null);
  if (local === null) throw new CommandFailure(`${visible(path)} has no CO-RE relocations`);
  return { name: model.name, local };
}

/** The types at `path` as a target. Rejects with a `CommandFailure` where they stand on others. */
export async function openTarget(io: NodeIo, path: string): Promise<CoreTarget> {
  const { model, types } = await openTypes(io, path, null);
  if (types.split) {
    throw new CommandFailure(
      `${visible(path)} is split BTF: name its kernel with --target and this file with --module`,
    );
  }
  return targetOf(model.name, types);
}

/** The target with the split BTF at `paths` behind its kernel. Rejects as `openTypes` does, and where one is not split. */
export async function withModules(
  io: NodeIo,
  target: CoreTarget,
  paths: readonly string[],
): Promise<CoreTarget> {
  const [vmlinux] = target.tables;
  if (vmlinux === undefined) return target;
  const base = { name: target.name, types: vmlinux.types };
  const tables = [vmlinux];
  for (const path of paths) {
    const { model, types } = await openTypes(io, path, base);
    if (!types.split)
      throw new CommandFailure(`${visible(path)} is not split BTF; modules have split BTF`);
    // As the kernel has it: without the ending of the file, and with no dash.
    tables.push({
      name: model.name.replace(/\.(?:btf|ko)(?:\.[a-z0-9]+)?$/, '').replaceAll('-', '_'),
      types,
    });
  }
  return { name: target.name, tables };
}

/** If NAME alone is ambiguous: the most common kinds first. */
const KINDS = 'struct union enum enum64 typedef fwd int float func var'.split(' ');

/** The type that `text` names. Throws a `CommandFailure` where there is none. */
export function namedType(t: TypeTable, text: string): TypeId {
  const id = typeId(Number(text));
  const found = !/^\d+$/.test(text) ? byName(t, text) : hasType(t, id) ? id : null;
  if (found === null) throw new CommandFailure(`no type is named "${visible(text)}"`);
  return found;
}

function byName(t: TypeTable, text: string): TypeId | null {
  if (text.includes(':')) {
    const key = parseTypeKey(text);
    return key === null ? null : findTypeKey(t, key);
  }
  for (const kind of KINDS) {
    const id = findTypeKey(t, { kind, name: text, ordinal: 0 });
    if (id !== null) return id;
  }
  return null;
}
