/**
 * Checks the relocation entries of programs and of `.maps`, which libbpf collects at the end of
 * opening an object. Source: libbpf 1.8, libbpf.c: bpf_object__collect_relos,
 * bpf_object__collect_map_relos, bpf_object__collect_prog_relos, bpf_program__record_reloc.
 */
import { mapType } from '#analysis/kernel/map-types.ts';
import { type FunctionRange, functionAt, functionsOf } from '#analysis/objects/functions.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { lowerBound } from '#bytes/arrays.ts';
import { decodeInsn, SLOT_SIZE } from '#formats/bpf/insn.ts';
import { CALL_SOURCE, OPCODE } from '#formats/bpf/opcodes.ts';
import { SHT, STB } from '#formats/elf/constants.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { memberAt } from '#model/type-items.ts';
import { skipModifiers, vlenOf } from '#model/type-table.ts';
import { brokenRelocation } from './elf-rules.ts';
import { isExternSymbol } from './externs.ts';
import { isMapInMap } from './map-attributes.ts';
import type { BtfMap } from './map-definitions.ts';
import { type Failure, failed, failedSilently, RELOC } from './outcome.ts';
import { type SectionUse, sectionUses } from './section-uses.ts';

/** An object whose maps and externs libbpf has read. */
export type Collected = {
  readonly model: ObjectModel;
  readonly maps: readonly BtfMap[];
  /** Number in the symbol table of each extern; null if libbpf cannot collect all. */
  readonly externs: ReadonlySet<number> | null;
  readonly sectionBytes: SectionBytes;
};

/** What the rules on an entry read: the object, and facts about its sections. */
type Context = Collected & {
  readonly uses: readonly SectionUse[];
  /** Numbers of the sections `.text` and `.maps`; -1 without. */
  readonly text: number;
  readonly mapsSection: number;
  /** First row of the symbol table `.symtab`. */
  readonly firstSymbol: number;
  /** Programs by name, the first of each. */
  readonly programs: ReadonlyMap<string, FunctionRange>;
  readonly mapNames: ReadonlySet<string>;
  /** Offsets of the maps in `.maps`, ascending. */
  readonly mapOffsets: readonly number[];
};

/** Yields a failure for each entry that libbpf refuses, in its order. It stops at the first. */
export function* relocationFailures(collected: Collected): Generator<Failure> {
  const { model } = collected;
  const { relocations, sections, symbols } = model;
  const { uses } = sectionUses(model);
  const programs = new Map<string, FunctionRange>();
  for (const func of functionsOf(model)) {
    if (func.isProgram && uses[func.section] === 'code' && !programs.has(func.name))
      programs.set(func.name, func);
  }
  const context: Context = {
    ...collected,
    uses,
    text: uses.findLastIndex(
      (use, i) => use === 'code' && sectionName(sections, sectionIndex(i)) === '.text',
    ),
    mapsSection: uses.lastIndexOf('maps'),
    firstSymbol: symbols.table.indexOf(sections.type.indexOf(SHT.symtab)),
    programs,
    mapNames: new Set(collected.maps.map(({ name }) => name)),
    mapOffsets: collected.maps.map(({ place }) => place.offset),
  };
  for (let row = 0; row < relocations.count; row++) {
    const section = relocations.relSection[row] ?? 0;
    const target = sections.info[section] ?? 0;
    // Entries of struct_ops variables have rules of their own.
    if (uses[section] !== 'relocations' || uses[target] === 'struct_ops') continue;
    const failure =
      target === context.mapsSection ? mapFailure(context, row) : programFailure(context, row);
    if (failure !== null) yield failure;
  }
}

function symbolOf({ model, firstSymbol }: Context, row: number): number {
  return firstSymbol + (model.relocations.symbolNumber[row] ?? 0);
}

const PROG_ARRAY = mapType('PROG_ARRAY');
const HASH_OF_MAPS = mapType('HASH_OF_MAPS');

/** Checks an entry that sets a slot of a map. */
function mapFailure(context: Context, row: number): Failure | null {
  const { model, mapsSection, firstSymbol, programs, mapNames } = context;
  const { relocations, symbols } = model;
  const symbol = symbolOf(context, row);
  const say = (line: string, errno = 'EINVAL') =>
    failed(errno, `.maps relo #${relocations.indexInSection[row]}: ${line}`);
  if (symbols.table[symbol] !== symbols.table[firstSymbol]) {
    const number = (relocations.symbolNumber[row] ?? 0).toString(16);
    return say(`symbol ${number} not found`, 'LIBBPF_ERRNO__FORMAT');
  }
  const name = symbolName(symbols, symbolIndex(symbol));
  const offset = Number(relocations.offset[row] ?? 0n);
  const map = mapAt(context, offset);
  if (map === null) return say(`cannot find map '${name}' at rel->r_offset ${offset}`);
  const section = symbols.shndx[symbol];
  const type = map.mapType ?? 0;
  if (isMapInMap(type)) {
    if (section !== mapsSection) return say(`'${name}' isn't a BTF-defined map`, RELOC);
    if (type === HASH_OF_MAPS && map.key.byteSize !== 4) {
      return say(`hash-of-maps '${map.name}' should have key size 4.`);
    }
    if (!mapNames.has(name)) {
      return say(`'${name}' isn't a valid map reference`, 'ESRCH');
    }
  } else if (type === PROG_ARRAY) {
    const program = programs.get(name);
    if (program === undefined) return say(`'${name}' isn't a valid program reference`, 'ESRCH');
    if (program.section !== section || BigInt(program.start) !== symbols.value[symbol]) {
      return say(`'${name}' isn't an entry-point program`, RELOC);
    }
  } else {
    const cause = `The map ${map.name} has a pointer at offset ${offset - map.place.offset}, but its type has no slots to set.`;
    return failedSilently('EINVAL', cause);
  }
  return isSlot(model, map, offset - map.place.offset)
    ? null
    : failedSilently(
        'EINVAL',
        `The map ${map.name} has a pointer at offset ${offset - map.place.offset}, where it has no slot of values.`,
      );
}

/** Returns the map that has a pointer at `offset` of `.maps`; null if there is none. */
function mapAt({ maps, mapOffsets }: Context, offset: number): BtfMap | null {
  const start = mapOffsets[lowerBound(mapOffsets, offset + 1) - 1] ?? offset;
  const map = maps[lowerBound(mapOffsets, start)];
  if (map === undefined) return null;
  const end = map.place.offset + map.place.size;
  return map.place.offset <= offset && offset + SLOT_SIZE <= end ? map : null;
}

/** Returns true if a slot of `values`, the last member of the map's struct, begins at `offset`. */
function isSlot({ types }: ObjectModel, { type }: BtfMap, offset: number): boolean {
  if (types === null || type === null) return false;
  const struct = skipModifiers(types, type);
  const last = memberAt(types, struct, vlenOf(types, struct) - 1);
  if (last === null || last.name !== 'values') return false;
  const inValues = offset - Math.floor(last.bitOffset / 8);
  return inValues >= 0 && inValues % SLOT_SIZE === 0;
}

/** Checks an entry of a program or subprogram; libbpf skips those of code without a symbol. */
function programFailure(context: Context, row: number): Failure | null {
  const { model, firstSymbol, sectionBytes, uses } = context;
  const { relocations } = model;
  const broken = brokenRelocation(model, row, firstSymbol);
  if (broken !== null) return failed(broken.errno, broken.message);
  const section = sectionIndex(relocations.targetSection[row] ?? 0);
  const offset = Number(relocations.offset[row] ?? 0n);
  const program = functionAt(model, section, offset);
  const insn = decodeInsn(sectionBytes(section) ?? new Uint8Array(0), offset, model.endian);
  const isSkipped = program?.symbol === null || uses[section] !== 'code';
  if (program === null || isSkipped || insn === null) return null;
  const line = brokenReference(context, symbolOf(context, row), {
    ...insn,
    index: (offset - program.start) / SLOT_SIZE,
  });
  return line === null ? null : failed(RELOC, `prog '${program.name}': ${line}`);
}

/** An instruction with its number in its program or subprogram. */
type Referrer = {
  readonly index: number;
  readonly opcode: number;
  readonly srcReg: number;
  readonly imm: number;
};

const DATA: ReadonlySet<SectionUse | undefined> = new Set(['data', 'rodata', 'bss']);

/** Returns libbpf's line about an instruction that cannot refer to the symbol, or null. */
function brokenReference(context: Context, row: number, insn: Referrer): string | null {
  const { model, uses, externs, text, mapsSection, maps, mapOffsets } = context;
  const { symbols, sections } = model;
  const symbol = symbolIndex(row);
  const section = symbols.shndx[row] ?? 0;
  const inSection = sectionName(sections, sectionIndex(section));
  const type = symbolType(symbols, symbol);
  const isUnnamed = type === SymbolType.SECTION && symbols.nameOff[row] === 0;
  const name = isUnnamed ? inSection : symbolName(symbols, symbol);
  const value = symbols.value[row] ?? 0n;
  const isCall = insn.opcode === OPCODE.call;
  if (!isCall && insn.opcode !== OPCODE.ldImm64) {
    const code = insn.opcode.toString(16);
    return `invalid relo against '${name}' for insns[${insn.index}].code 0x${code}`;
  }
  if (isExternSymbol(symbols, symbol)) {
    const number = symbols.indexInTable[row] ?? 0;
    return externs === null || externs.has(number)
      ? null
      : `extern relo failed to find extern for '${name}' (${number})`;
  }
  if (isCall) {
    if (insn.srcReg !== CALL_SOURCE.pseudoCall) return 'incorrect bpf_call opcode';
    if (section !== text) return `bad call relo against '${name}' in section '${inSection}'`;
    return value % 8n === 0n ? null : `bad call relo against '${name}' at offset ${value}`;
  }
  if (section === 0) {
    return `invalid relo against '${name}' in special section 0x0; forgot to initialize global var?..`;
  }
  const isLocal = symbolBinding(symbols, symbol) === STB.local;
  if (section === text && type === (isLocal ? SymbolType.SECTION : SymbolType.FUNC)) {
    return value % 8n === 0n && insn.imm % SLOT_SIZE === 0
      ? null
      : `bad subprog addr relo against '${name}' at offset ${value}+${insn.imm}`;
  }
  const use = uses[section];
  if (use === 'arena') {
    return maps.some(({ mapType: one }) => one === ARENA)
      ? null
      : `bad arena data relocation at insn ${insn.index}, no arena maps defined`;
  }
  if (use === 'jump tables') return null;
  if (DATA.has(use)) {
    return sections.declaredSize[section] === 0n
      ? `data relo failed to find map for section '${inSection}'`
      : null;
  }
  if (sections.type[section] === SHT.symtab) {
    return `bad data relo against section '${inSection}'`;
  }
  if (section !== mapsSection) return `bad map relo against '${name}' in section '${inSection}'`;
  const offset = Number(value);
  return mapOffsets[lowerBound(mapOffsets, offset)] === offset
    ? null
    : `map relo failed to find map for section '${inSection}', off ${value}`;
}

const ARENA = mapType('ARENA');
