/** `btfscope btf-ids`: lists the ids in `.BTF_ids` of a kernel or module, by list and set. */
import { visible } from '#bytes/text.ts';
import {
  BtfIdGroupType,
  type BtfIdTable,
  btfIdGroupName,
  btfIdKind,
  btfIdName,
} from '#model/btf-ids.ts';
import { BASE, type Call, type Command, CommandFailure, flag } from './command.ts';
import { openFile } from './open.ts';

export const btfIds: Command = {
  name: 'btf-ids',
  positionals: ['FILE'],
  options: [BASE, flag('json', 'print JSON, one row per id')],
  run,
};

async function run(call: Call): Promise<void> {
  const { model } = await openFile(call);
  if (model.btfIds.count === 0) {
    throw new CommandFailure(`${visible(call.positional(0))} has no ids in .BTF_ids`);
  }
  await call.print(
    () => Array.from({ length: model.btfIds.count }, (_, row) => rowOf(model.btfIds, row)),
    () => lines(model.btfIds),
  );
}

const WORDS = Object.entries(BtfIdGroupType);

function rowOf(ids: BtfIdTable, row: number) {
  const { groups } = ids;
  const group = ids.group[row] ?? 0;
  const [word = ''] = WORDS.find(([, number]) => number === groups.type[group]) ?? [];
  const isSet8 = groups.type[group] === BtfIdGroupType.set8;
  return {
    group: word,
    group_name: btfIdGroupName(ids, row),
    group_flags: groups.flags[group] ?? 0,
    offset: ids.byteOffset[row] ?? 0,
    id: ids.id[row] ?? 0,
    flags: isSet8 ? (ids.flags[row] ?? 0) : null,
    kind: btfIdKind(ids, row),
    name: btfIdName(ids, row),
  };
}

function* lines(ids: BtfIdTable): Generator<string> {
  let before = -1;
  for (let row = 0; row < ids.count; row++) {
    const { group, group_name, group_flags, offset, id, flags, kind, name } = rowOf(ids, row);
    if (ids.group[row] !== before) {
      const flagText = flags === null ? '' : `, flags 0x${group_flags.toString(16)}`;
      yield visible(`${group}${group_name === '' ? '' : ` ${group_name}`}${flagText}:`);
    }
    before = ids.group[row] ?? -1;
    const type = name === 'BTF_ID_UNUSED' || kind === '' ? name : `${kind} ${name}`;
    const more = flags === null ? '' : `  flags 0x${flags.toString(16)}`;
    yield visible(`  0x${offset.toString(16).padStart(6, '0')}  [${id}] ${type}${more}`.trimEnd());
  }
}
