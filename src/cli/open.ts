/** Opening what a command line names. */

import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import { ingest } from '#ingest/ingest.ts';
import { sliceSource } from '#ingest/slice-source.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { CommandFailure, type NodeIo } from './command.ts';

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
    throw new CommandFailure(
      `${visible(path)} is an archive; name one of its members, as in ${visible(path)}(${names[0] ?? 'MEMBER'}): ${names.join(', ')}`,
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

/** A base that was asked for and does not fit ends the command: without it all names would be others. */
function fitting(opened: OpenObject, base: NamedBase | null): OpenObject {
  const refusal = opened.model.splitBase?.refusal ?? null;
  if (base !== null && refusal !== null) throw new Malformed(refusal);
  return opened;
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
  return `${visible(path)} has no BTF that can be read${why === undefined ? '' : `: ${visible(why.message)}`}`;
}

async function openPath(
  io: NodeIo,
  path: string,
): Promise<{ source: ByteSource; member: string | null }> {
  try {
    return { source: await io.open(path), member: null };
  } catch (error) {
    const named = /^(.+)\(([^()]+)\)$/.exec(path);
    if (!(error instanceof CommandFailure) || named === null) throw error;
    const [, archive = '', member = ''] = named;
    return { source: await io.open(archive), member };
  }
}
