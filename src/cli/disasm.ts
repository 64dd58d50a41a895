/** `btfscope disasm`: the code of an object with its relocations. */
import { visible } from '#bytes/text.ts';
import { hasBpfCode } from '#model/object-model.ts';
import { disassembly } from '#print/disassembly.ts';
import { type Call, type Command, CommandFailure, flag } from './command.ts';
import { openObject } from './open.ts';

export const disasm: Command = {
  name: 'disasm',
  positionals: ['FILE'],
  options: [
    flag('no-raw', 'omit the bytes of each instruction'),
    flag('lines', 'print the source lines of line_info'),
    flag('decimal', 'print decimal numbers in instructions, as --print-imm-hex=false does'),
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const path = call.positional(0);
  const { model, source } = await openObject(call.io, path);
  if (!hasBpfCode(model)) throw new CommandFailure(`${visible(path)} has no BPF code`);
  const raw = !call.has('no-raw');
  const options = {
    path: visible(path),
    raw,
    lines: call.has('lines'),
    decimal: call.has('decimal'),
  };
  for await (const lines of disassembly(model, source, options)) await call.writeLines(lines);
}
