/** `btfscope relocs`: prints every relocation entry with the value that it writes. */
import { formatModule } from '#analysis/formats/registry.ts';
import { addendPlace, relocationMeaning } from '#analysis/relocations/meaning.ts';
import { signedHex, visible } from '#bytes/text.ts';
import { type RelocIndex, relocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { AddendSource, COMPACT_TYPE } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';
import { type Call, type Command, CommandFailure, flag } from './command.ts';
import { openObject } from './open.ts';

export const relocs: Command = {
  name: 'relocs',
  positionals: ['FILE'],
  options: [
    flag('json', 'print JSON, one row per entry; eCOFF entries with their groups'),
    flag('listing', 'of an Alpha eCOFF object: print the listing of the eCOFF document'),
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const { model } = await openObject(call.io, call.positional(0));
  const own = formatModule(model);
  if (call.has('listing')) {
    if (own === null) throw new CommandFailure(`${model.name} is not an eCOFF object`);
    return await call.writeLines(own.listing(model));
  }
  if (own !== null && call.has('json')) {
    return call.write(`${own.report(model)}\n`);
  }
  await call.print(
    () => relocationFacts(model),
    () => lines(model),
  );
}

/** Yields all relocation entries as JSON data. */
export function* relocationFacts(model: ObjectModel) {
  for (let i = 0; i < model.relocations.count; i++) yield rowOf(model, relocIndex(i));
}

function rowOf(model: ObjectModel, index: RelocIndex) {
  const { relocations, symbols } = model;
  const meaning = relocationMeaning(model, index);
  const symbol = relocations.symbol[index] ?? -1;
  return {
    section: nameOfSection(model, relocations.targetSection[index] ?? -1),
    index: relocations.indexInSection[index] ?? 0,
    offset: relocations.offset[index] ?? 0n,
    info: relocations.info[index] ?? 0n,
    type: relocations.type[index] ?? 0,
    type_name: meaning.typeName,
    symbol: meaning.symbolText,
    symbol_section: symbol < 0 ? null : nameOfSection(model, symbols.section[symbol] ?? -1),
    symbol_value: meaning.symbolValue,
    addend: meaning.addend,
    implicit: relocations.addendSource[index] !== AddendSource.explicit,
    site_offset: meaning.site?.byteOffset ?? null,
    site_bits: meaning.site?.bitSize ?? null,
    result: meaning.result,
    target: meaning.target?.name ?? null,
  };
}

/** Returns the name of a section; null for the undefined section and for reserved numbers. */
function nameOfSection(model: ObjectModel, section: number): string | null {
  return section > 0 ? sectionName(model.sections, sectionIndex(section)) : null;
}

/** Yields a section's entries as in "BPF LLVM Relocations"; S is the symbol, A the addend. */
function* lines(model: ObjectModel): Generator<string> {
  const { relSection, targetSection, offset, info, type, count } = model.relocations;
  let before = '';
  for (let i = 0; i < count; i++) {
    const name = nameOfSection(model, relSection[i] ?? 0) ?? '';
    // One table of compact relocations is about several sections.
    const target =
      (type[i] ?? 0) < COMPACT_TYPE ? null : nameOfSection(model, targetSection[i] ?? -1);
    const heading = `${visible(name)}${target === null ? '' : `, of ${visible(target)}`}:`;
    if (heading !== before) {
      if (before !== '') yield '';
      yield heading;
      yield columns(['Offset', 'Info', 'Type', 'S', 'A', 'A is', 'Symbol and effect']);
    }
    before = heading;
    const meaning = relocationMeaning(model, relocIndex(i));
    const { typeName, symbolText, symbolValue, addend, words } = meaning;
    yield columns([
      hex16(offset[i] ?? 0n),
      hex16(info[i] ?? 0n),
      typeName,
      symbolValue === null ? '-' : signedHex(symbolValue),
      addend === null ? '?' : signedHex(addend),
      addendPlace(model, relocIndex(i)) ?? '-',
      `${visible(symbolText)}  ${visible(words)}`,
    ]);
  }
}

const WIDTHS = [16, 16, 20, 8, 8, 8];

function columns(cells: readonly string[]): string {
  return `  ${cells.map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0)).join('  ')}`;
}

const hex16 = (value: bigint) => value.toString(16).padStart(16, '0');
