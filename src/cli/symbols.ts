/** `btfscope symbols`: prints an ELF file's symbol tables, or an eCOFF file's external symbols. */
import { symbolLabel, symbolText } from '#analysis/formats/section-text.ts';
import { visible } from '#bytes/text.ts';
import { type SymbolIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Call, type Command, flag } from './command.ts';
import { openObject } from './open.ts';

export const symbols: Command = {
  name: 'symbols',
  positionals: ['FILE'],
  options: [flag('json', 'print JSON, one row per symbol')],
  run,
};

async function run(call: Call): Promise<void> {
  const { model } = await openObject(call.io, call.positional(0));
  await call.print(
    () => symbolFacts(model),
    () => lines(model),
  );
}

/** Returns all symbols as JSON data. */
export function symbolFacts(model: ObjectModel) {
  return Array.from({ length: model.symbols.count }, (_, i) => rowOf(model, symbolIndex(i)));
}

function rowOf(model: ObjectModel, symbol: SymbolIndex) {
  const { symbols, sections } = model;
  const { type, binding, visibility, place } = symbolText(model, symbol);
  const table = symbols.table[symbol] ?? 0;
  return {
    table: table === 0 ? null : sectionName(sections, sectionIndex(table)),
    index: symbols.indexInTable[symbol] ?? 0,
    name: symbolLabel(model, symbol),
    value: symbols.value[symbol] ?? 0n,
    size: symbols.size[symbol] ?? 0n,
    type,
    binding: binding === '' ? null : binding,
    visibility: visibility === '' ? null : visibility,
    section: place === '' ? null : place,
  };
}

function* lines(model: ObjectModel): Generator<string> {
  const { table, count } = model.symbols;
  let before = -1;
  for (let i = 0; i < count; i++) {
    const row = rowOf(model, symbolIndex(i));
    if (table[i] !== before) {
      yield `${before < 0 ? '' : '\n'}${visible(row.table ?? 'external symbols')}:`;
      yield columns(['Num', 'Value', 'Size', 'Type', 'Bind', 'Vis', 'Section', 'Name']);
    }
    before = table[i] ?? 0;
    yield columns([
      `${row.index}`,
      row.value.toString(16).padStart(16, '0'),
      `${row.size}`,
      row.type,
      row.binding ?? '-',
      row.visibility ?? '-',
      visible(row.section ?? '-'),
      visible(row.name),
    ]);
  }
}

const WIDTHS = [6, 16, 8, 8, 6, 9, 16, 0];
/** Index of the rightmost column of numbers. Columns of numbers are right-aligned. */
const LAST_NUMBER = 2;

function columns(cells: readonly string[]): string {
  const texts = cells.map((cell, i) => {
    const width = WIDTHS[i] ?? 0;
    return i <= LAST_NUMBER ? cell.padStart(width) : cell.padEnd(width);
  });
  return texts.join('  ').trimEnd();
}
