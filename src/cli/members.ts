/** `btfscope members`: lists the files inside of a file, and those inside of them. */
import { hexText, visible } from '#bytes/text.ts';
import { type Call, type Command, flag } from './command.ts';
import { type NestedMember, nestedMembers } from './open.ts';

export const members: Command = {
  name: 'members',
  positionals: ['FILE'],
  options: [flag('json', 'print JSON')],
  more: [
    'Opens archives inside of archives, however deep. A member of a member is printed as it follows',
    'FILE in a command: (OUTER)(INNER). Its offset is that in the unpacked outer member.',
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const listed: NestedMember[] = [];
  for await (const each of nestedMembers(call.io, call.positional(0))) listed.push(each);
  await call.print(
    () =>
      listed.map(({ path, member: { name, kind, fileOffset, size } }) => ({
        name,
        path,
        kind,
        file_offset: fileOffset,
        size,
      })),
    () => lines(listed),
  );
}

function* lines(listed: readonly NestedMember[]): Generator<string> {
  for (const { path, member } of listed) {
    const { name, kind, fileOffset, size } = member;
    const place = path.length === 1 ? name : path.map((each) => `(${each})`).join('');
    yield `${kind.padEnd(13)}  ${hexText(fileOffset).padStart(10)}  ${String(size).padStart(10)}  ${visible(place)}`;
  }
}
