/** `btfscope readelf`: prints parts of an ELF file as llvm-readelf does. */
import { visible } from '#bytes/text.ts';
import { formatName } from '#model/object-model.ts';
import { type ReadelfPart, readelf as readelfLines } from '#print/readelf.ts';
import { type Call, type Command, CommandFailure, flag } from './command.ts';
import { headerFacts, sectionFacts } from './info.ts';
import { openObject } from './open.ts';
import { relocationFacts } from './relocs.ts';
import { symbolFacts } from './symbols.ts';

const PARTS: readonly (readonly [part: ReadelfPart, letter: string, about: string])[] = [
  ['file-header', 'h', 'print the file header'],
  ['sections', 'S', 'print the section headers'],
  ['symbols', 's', 'print the symbol tables'],
  ['relocations', 'r', 'print the relocation entries'],
];

export const readelf: Command = {
  name: 'readelf',
  positionals: ['FILE'],
  options: [
    ...PARTS.map(([part, letter, about]) => flag(part, about, letter)),
    flag('json', 'print JSON'),
  ],
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
  if (call.has('json')) {
    return await call.print(
      () => ({
        ...(parts.has('file-header') && { header: headerFacts(model) }),
        ...(parts.has('sections') && { sections: sectionFacts(model) }),
        ...(parts.has('symbols') && { symbols: symbolFacts(model) }),
        ...(parts.has('relocations') && { relocations: [...relocationFacts(model)] }),
      }),
      () => [],
    );
  }
  for await (const lines of readelfLines(model, source, parts)) await call.writeLines(lines);
}
