/** `btfscope disasm`: the code of an object with its relocations. */
import { visible } from '#bytes/text.ts';
import { isBpf } from '#model/object-model.ts';
import { disassembly } from '#print/disassembly.ts';
import {
  type Command,
  CommandFailure,
  type NodeIo,
  type Parsed,
  positional,
  switched,
} from './command.ts';
import { openObject } from './open.ts';
import { printLines } from './output.ts';

export const disasm: Command = {
  name: 'disasm',
  positionals: ['FILE'],
  options: [
    { name: 'no-raw', value: null, about: 'omit the bytes of each instruction' },
    { name: 'lines', value: null, about: 'print the source lines of line_info' },
  ],
  about: 'Disassembly with each relocation under its instruction, as llvm-objdump -dr prints it.',
  run,
};

async function run(parsed: Parsed, io: NodeIo): Promise<void> {
  const path = positional(parsed, 0);
  const { model, source } = await openObject(io, path);
  if (!isBpf(model)) throw new CommandFailure(`${visible(path)} has no BPF code`);
  const raw = !switched(parsed, 'no-raw');
  const options = { path, raw, lines: switched(parsed, 'lines') };
  for await (const lines of disassembly(model, source, options)) await printLines(io, lines);
}
