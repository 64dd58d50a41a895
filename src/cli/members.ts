/** `btfscope members`: lists the files inside of a file. */
import { hexText, visible } from '#bytes/text.ts';
import type { ArchiveMember } from '#model/object-model.ts';
import { type Call, type Command, flag } from './command.ts';
import { listMembers } from './open.ts';

export const members: Command = {
  name: 'members',
  positionals: ['FILE'],
  options: [flag('json', 'print JSON')],
  run,
};

async function run(call: Call): Promise<void> {
  const listed = await listMembers(call.io, call.positional(0));
  for (const { message } of listed.issues) call.io.warn(`btfscope: ${visible(message)}`);
  await call.print(
    () =>
      listed.members.map(({ name, kind, fileOffset, size }) => ({
        name,
        kind,
        file_offset: fileOffset,
        size,
      })),
    () => lines(listed.members),
  );
}

function* lines(listed: readonly ArchiveMember[]): Generator<string> {
  for (const { name, kind, fileOffset, size } of listed) {
    yield `${kind.padEnd(13)}  ${hexText(fileOffset).padStart(10)}  ${String(size).padStart(10)}  ${visible(name)}`;
  }
}
