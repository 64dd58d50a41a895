/** `btfscope readelf`: header, sections, relocations and symbols of an ELF file, as llvm-readelf prints them. */
import { visible } from '#bytes/text.ts';
import { formatName } from '#model/object-model.ts';
import { type ReadelfPart, readelf as readelfLines } from '#print/readelf.ts';
import { type Call, type Command, CommandFailure, flag } from './command.ts';
import { openObject } from './open.ts';

const PARTS: readonly (readonly [part: ReadelfPart, letter: string, about: string])[] = [
  ['file-header', 'h', 'print the file header'],
  ['sections', 'S', 'print the section headers'],
  ['symbols', 's', 'print the symbol tables'],
  ['relocations', 'r', 'print the relocation entries'],
];

export const readelf: Command = {
  name: 'readelf',
  positionals: ['FILE'],
  options: PARTS.map(([part, letter, about]) => flag(part, about, letter)),
  run,
};

async function run(call: Call): Promise<void> {
  const path = call.positional(0);
  const { model, source } = await openObject(call.io, path);
  if (model.format !== 'elf') {
    throw new CommandFailure(`${visible(path)} is not an ELF file but ${formatName(model)}`);
  }
  const given = PARTS.map(([part]) => part).filter((part) => call.has(part));
  const parts = new Set(given.length > 0 ? given : PARTS.map(([part]) => part));
  for await (const lines of readelfLines(model, source, parts)) await call.writeLines(lines);
}
