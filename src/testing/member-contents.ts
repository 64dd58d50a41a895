/** Lists the files inside of a file: members of an archive, or BPF objects in a program. */
import { embeddedObjects } from '#analysis/objects/embedded-objects.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { memberSource } from '#ingest/members.ts';
import type { ArchiveMember } from '#model/object-model.ts';

export type MemberList = {
  readonly members: readonly ArchiveMember[];
  readonly issues: readonly Issue[];
  /** Source to which the offsets of the members refer. */
  readonly source: ByteSource;
};

/** Returns the members of a file. Throws `Malformed` if the file is rejected. */
export async function membersOf(bytes: Uint8Array): Promise<MemberList> {
  const opened = await ingestBytes('file', bytes);
  if (opened.kind === 'archive') return opened;
  if (opened.kind !== 'object') throw new Error(`${opened.kind} without members`);
  return { ...(await embeddedObjects(opened.model, opened.source)), source: opened.source };
}

/** Returns name, kind and bytes of each member. Throws if an issue is more than a note. */
export async function memberContents(bytes: Uint8Array) {
  const { members, source, issues } = await membersOf(bytes);
  const fault = issues.find(({ severity }) => severity !== 'note');
  if (fault !== undefined) throw new Error(fault.message);
  return Promise.all(
    members.map(async (member) => {
      const inner = await memberSource(source, member);
      return { name: member.name, kind: member.kind, bytes: await inner.read(0, inner.size) };
    }),
  );
}
