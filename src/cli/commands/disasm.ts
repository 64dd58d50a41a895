/** `btfscope disasm`: the code of an object with its relocations. */
import { visible } from '#bytes/text.ts';
import {
  type Command,
  CommandFailure,
  type NodeIo,
  type Parsed,
  positional,
  switched,
} from '#cli/command.ts';
import { printLines } from '#cli/json.ts';
import { openObject } from '#cli/open.ts';
import { isBpf } from '#model/object-model.ts';
import { disassembly } from '#print/disassembly.ts';

export const disasm: Command = {
  name: 'disasm',
  positionals: ['FILE'],
  options: [
    { name: 'no-raw', value: null, about: 'without the bytes of each instruction' },
    { name: 'lines', value: null, about: 'with the source lines that line_info holds' },
  ],
  about: 'The code with every relocation under its instruction, as llvm-objdump -dr prints it.',
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
