/** `btfscope relocs`: prints every relocation entry with the value that it writes. */
import { formatModule } from '#analysis/formats/registry.ts';
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import { evaluatedRelocations } from '#analysis/relocations/evaluate.ts';
import type { LinkAddresses } from '#analysis/relocations/evaluated.ts';
import { evaluatedRow } from '#analysis/relocations/evaluated-row.ts';
import {
  GIVEN_BASES,
  type GivenAddresses,
  givenAddresses,
} from '#analysis/relocations/given-addresses.ts';
import { parseAddress, storedLayout } from '#analysis/relocations/layout.ts';
import { type MappedSection, parseLinkMap } from '#analysis/relocations/link-map.ts';
import { linkedAddresses } from '#analysis/relocations/linked-file.ts';
import { listCells } from '#analysis/relocations/list.ts';
import { addendPlace, relocationMeaning } from '#analysis/relocations/meaning.ts';
import { mergeableSections, relocatedSections } from '#analysis/relocations/relocated-sections.ts';
import { isCompactRecord } from '#analysis/relocations/sections.ts';
import type { ByteSource } from '#bytes/source.ts';
import { decodeText, signedHex, visible } from '#bytes/text.ts';
import { type RelocIndex, relocIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';
import {
  type Call,
  type Command,
  CommandFailure,
  flag,
  repeated,
  UsageError,
  valued,
} from './command.ts';
import { LAYOUT, layoutIn } from './layout-option.ts';
import { type OpenObject, openObject, openObjects } from './open.ts';

export const relocs: Command = {
  name: 'relocs',
  positionals: ['FILE'],
  options: [
    flag('json', 'print JSON, one row per entry; eCOFF entries with their groups'),
    flag('listing', 'of an Alpha eCOFF object: print the listing of the eCOFF document'),
    repeated(
      'at',
      'SECTION=ADDR',
      'address of a section; NAME#INDEX=ADDR if several have the name',
    ),
    repeated('symbol', 'NAME=ADDR', 'address of an undefined symbol'),
    repeated('base', 'NAME=ADDR', 'address of GOT, TOC, GP, TP or DTP'),
    valued('linked', 'OUT', 'take all addresses from the file that the linker made of FILE'),
    valued('map', 'MAP', 'the map of the linker; without it OUT.map, if there is one'),
    LAYOUT,
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const path = call.positional(0);
  if (call.has('listing') || call.has('linked'))
    return await printObject(call, await openObject(call.io, path));
  const objects = openObjects(call.io, path);
  const first = await objects.next();
  if (first.done === true) throw new CommandFailure(`${visible(path)} contains no object`);
  if (first.value.member === null) return await printObject(call, first.value);
  const all = restored(first.value, objects);
  await call.print(
    () => memberFacts(call, all),
    () => memberLines(all),
  );
}

async function printObject(call: Call, { model, source }: OpenObject): Promise<void> {
  const own = formatModule(model);
  if (call.has('listing')) {
    if (own === null) throw new CommandFailure(`${model.name} is not an eCOFF object`);
    return await call.writeLines(own.listing(model));
  }
  if (own !== null && call.has('json')) {
    return call.write(`${own.report(model)}\n`);
  }
  const facts = await factsOf(call, model, source);
  await call.print(facts, () => lines(model, layoutIn(call, model) ?? storedLayout(model)));
}

type Member = OpenObject & { readonly member: string | null };

async function* restored(first: Member, rest: AsyncGenerator<Member>): AsyncGenerator<Member> {
  yield first;
  yield* rest;
}

/** Yields the entries of the objects of an archive, each with the name of its member. */
async function* memberFacts(call: Call, members: AsyncIterable<Member>) {
  for await (const { member, model, source } of members) {
    const facts = await factsOf(call, model, source);
    for (const row of facts()) yield { member, ...row };
  }
}

async function* memberLines(members: AsyncIterable<Member>): AsyncGenerator<string> {
  for await (const { member, model } of members) {
    if (model.relocations.count === 0) continue;
    yield `${visible(member ?? model.name)}:`;
    yield* lines(model, storedLayout(model));
  }
}

/** Returns a function that yields the entries of an object as JSON data. */
async function factsOf(call: Call, model: ObjectModel, source: ByteSource) {
  if (model.format !== 'elf' || isBpf(model)) return () => relocationFacts(model);
  const addresses = await addressesOf(call, model, source);
  const bytes = await relocatedSections(model, source);
  return () => evaluatedFacts(model, bytes, addresses);
}

/** Returns the addresses that the options give, or those of the linked file. */
async function addressesOf(
  call: Call,
  model: ObjectModel,
  source: ByteSource,
): Promise<LinkAddresses> {
  const given: GivenAddresses = {
    sections: pairsOf(call, 'at'),
    symbols: pairsOf(call, 'symbol'),
    bases: new Map(Array.from(pairsOf(call, 'base'), ([name, at]) => [baseName(name), at])),
  };
  const path = call.option('linked');
  if (path === null) return givenAddresses(model, given);
  const linked = await openObject(call.io, path);
  const bytes = await linked.source.read(0, linked.source.size);
  const mapped = await readMap(call, path, model);
  const mergeable = await mergeableSections(model, source);
  return linkedAddresses(model, { model: linked.model, bytes, mapped, mergeable });
}

/** Parses the values `NAME=ADDR` of an option. */
function pairsOf(call: Call, option: string): Map<string, bigint> {
  return new Map(
    call.all(option).map((text) => {
      const at = text.lastIndexOf('=');
      const address = parseAddress(text.slice(at + 1));
      if (at <= 0 || address === null) {
        throw new UsageError(`--${option} ${visible(text)}: expected NAME=ADDR`);
      }
      return [text.slice(0, at), address] as const;
    }),
  );
}

function baseName(name: string): string {
  const known = GIVEN_BASES[name];
  if (known === undefined) {
    const names = Object.keys(GIVEN_BASES).join(', ');
    throw new UsageError(`--base ${visible(name)}: expected ${names}`);
  }
  return known;
}

/** Returns the input sections of the object in the linker's map; empty without a map. */
async function readMap(
  call: Call,
  linked: string,
  model: ObjectModel,
): Promise<readonly MappedSection[]> {
  const guessed = [`${linked}.map`, `${linked.replace(/\.\w+$/, '')}.map`];
  const path = call.option('map') ?? guessed.find((name) => call.io.exists(name)) ?? null;
  if (path === null) return [];
  const source = await call.io.open(path);
  const all = parseLinkMap(decodeText(await source.read(0, source.size)));
  return all.filter(({ file }) => isFileOf(file, model.name));
}

/** File name that lld has in maps for sections that it joined. */
const JOINED = '<internal>';

/** Returns true if a map's file name is that of the object: `dir/a.o`, `libx.a(a.o)`. */
function isFileOf(file: string, name: string): boolean {
  const own = name.split('/').at(-1) ?? name;
  const isOwn = (file.split('/').at(-1) ?? file) === own || file.endsWith(`(${own})`);
  return isOwn || file === JOINED;
}

/** Yields all relocation entries as JSON data, without values that need addresses. */
export function* relocationFacts(model: ObjectModel) {
  for (let i = 0; i < model.relocations.count; i++) yield rowOf(model, relocIndex(i));
}

/** Yields the entries of a machine with a table as JSON data, evaluated. */
function* evaluatedFacts(
  model: ObjectModel,
  bytes: ReadonlyMap<number, Uint8Array>,
  addresses: LinkAddresses,
) {
  for (const evaluated of evaluatedRelocations(model, bytes, addresses)) {
    yield { ...rowOf(model, evaluated.reloc), ...evaluatedRow(model, evaluated, addresses) };
  }
}

function rowOf(model: ObjectModel, index: RelocIndex) {
  const { relocations, symbols } = model;
  const meaning = relocationMeaning(model, index);
  const symbol = relocations.symbol[index] ?? -1;
  return {
    section: nameOfSection(model, relocations.targetSection[index] ?? -1),
    section_index: relocations.targetSection[index] ?? -1,
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
function* lines(model: ObjectModel, layout: RelocationLayout | null): Generator<string> {
  const { relSection, targetSection, offset, info, count } = model.relocations;
  // A format with layouts has a result for each entry, that of the layout.
  const result = (text: string) => (layout === null ? [] : [text]);
  let before = '';
  for (let i = 0; i < count; i++) {
    const name = nameOfSection(model, relSection[i] ?? 0) ?? '';
    // One table of compact relocations is about several sections.
    const target = isCompactRecord(model, i) ? nameOfSection(model, targetSection[i] ?? -1) : null;
    const heading = `${visible(name)}${target === null ? '' : `, of ${visible(target)}`}:`;
    if (heading !== before) {
      if (before !== '') yield '';
      yield heading;
      yield columns([
        'Offset',
        'Info',
        'Type',
        'S',
        'A',
        'A is',
        ...result('Result'),
        'Symbol and effect',
      ]);
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
      ...result(listCells(model, relocIndex(i), layout).result || '-'),
      `${visible(symbolText)}  ${visible(words)}`,
    ]);
  }
}

const WIDTHS = [16, 16, 20, 8, 8, 8, 12];

function columns(cells: readonly string[]): string {
  return `  ${cells.map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0)).join('  ')}`;
}

const hex16 = (value: bigint) => value.toString(16).padStart(16, '0');
