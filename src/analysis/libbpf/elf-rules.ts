/**
 * The rules of `bpf_object__open` for an ELF file, which libbpf checks before those for its BTF.
 * Source: libbpf 1.8, libbpf.c: bpf_object__elf_init, bpf_object__elf_collect,
 * bpf_object__add_programs, bpf_object__init_prog, bpf_object__collect_prog_relos; elf_errmsg of
 * libelf 0.188 for the words after the last colon of a message.
 */
import { addTo } from '#bytes/cache.ts';
import { SHF, SHN, SHT, STB } from '#formats/elf/constants.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isNamed, nameStartsWith, sectionName } from '#model/sections.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';

export type ElfRefusal = {
  readonly verdict: 'refused';
  readonly errno: 'ENOENT' | 'ENOTSUP' | 'EINVAL' | 'LIBBPF_ERRNO__FORMAT';
  /** Line that libbpf logs, without `libbpf: `; names are raw text. Empty if it logs none. */
  readonly message: string;
  /** The broken rule as one sentence. */
  readonly rule: string;
  /** Function of libbpf.c that checks the rule. */
  readonly where: string;
  /** Number of the section at which libbpf stops: 0 before the first, absent after the last. */
  readonly section?: number;
};

export type ElfVerdict = { readonly verdict: 'ok' } | ElfRefusal;

const LLVM_ADDRSIG = 0x6fff4c03;
const INSN_SIZE = 8n;

/** If a file has an issue with one of these codes, libelf finds no section either. */
const NO_SECTIONS = new Set(['elf.no-sections', 'elf.section-headers-past-end']);
/** With these issues, libelf may find other sections than this reader: it ignores e_shentsize. */
const UNREAD = new Set(['elf.section-header-size', 'elf.section-count-absurd']);

/** Returns why libelf may find other sections than this reader, or libbpf other BTF; else null. */
export function unreadPart({ format, issues }: ObjectModel): string | null {
  if (format === 'elf' && issues.some(({ code }) => UNREAD.has(code))) {
    return 'The file states a size or a number of section headers that libelf may read in another way.';
  }
  const isMarked = issues.some(
    ({ code, region }) => code === 'elf.unknown-compression' && region === '.BTF',
  );
  return isMarked ? 'The section .BTF is marked as compressed, which libbpf ignores.' : null;
}

/**
 * Checks headers, sections and programs in libbpf's order. Returns null for formats other than ELF,
 * and for files in which libelf may find other sections than this reader.
 */
export function checkElf(model: ObjectModel): ElfVerdict | null {
  if (model.format !== 'elf' || model.issues.some(({ code }) => UNREAD.has(code))) return null;
  const early = brokenHeader(model) ?? brokenSymbolTable(model);
  if (early !== null) return { ...early, section: 0 };
  return brokenSection(model) ?? { verdict: 'ok' };
}

/** Checks the relocation entries of programs, which libbpf collects last. */
export function checkProgramRelocations(model: ObjectModel): ElfVerdict {
  const { relocations, sections, symbols } = model;
  const firstSymbol = symbols.table.indexOf(sections.type.indexOf(SHT.symtab));
  for (let row = 0; row < relocations.count; row++) {
    if (!isProgramRelocation(model, row)) continue;
    const broken = brokenRelocation(model, row, firstSymbol);
    if (broken !== null) return broken;
  }
  return { verdict: 'ok' };
}

function refused(
  where: string,
  rule: string,
  message: string,
  errno: ElfRefusal['errno'] = 'LIBBPF_ERRNO__FORMAT',
): ElfRefusal {
  return { verdict: 'refused', errno, message, rule, where };
}

function brokenHeader(model: ObjectModel): ElfRefusal | null {
  const { name, sections, headers, issues } = model;
  const say = (rule: string, message: string) => refused('bpf_object__elf_init', rule, message);
  const version = headers[0]?.fields.find((field) => field.name === 'e_ident[EI_VERSION]');
  if (version !== undefined && Number(version.value) !== 1) {
    return say('EI_VERSION is 1.', `elf: '${name}' is not a proper ELF object`);
  }
  if (model.addressBits !== 64) {
    return say('The class is ELFCLASS64.', `elf: '${name}' is not a 64-bit ELF object`);
  }
  const names = (why: string) => `elf: failed to get section names strings from ${name}: ${why}`;
  const rule = 'There is a section with the section names.';
  const isMissing =
    issues.some(({ code }) => NO_SECTIONS.has(code)) || namesIndex(model) >= sections.count;
  if (isMissing) return say(rule, names("invalid `Elf' handle"));
  const why = brokenBytes(model, namesIndex(model));
  if (why !== null) return say(rule, names(why));
  if (model.fileType === 'relocatable' && isBpf(model)) return null;
  return say(
    'e_type is ET_REL, and e_machine is EM_BPF or EM_NONE.',
    `elf: ${name} is not a valid eBPF object file`,
  );
}

function namesIndex({ headers, sections }: ObjectModel): number {
  const field = headers[0]?.fields.find(({ name }) => name === 'e_shstrndx');
  const stored = Number(field?.value ?? 0);
  return stored === SHN.xindex ? (sections.link[0] ?? 0) : stored;
}

/** Size in bytes of a table entry by section type, for libelf, which ignores `sh_entsize`. */
const ENTRY_SIZES: ReadonlyMap<number, bigint> = new Map([
  [SHT.symtab, 24n],
  [SHT.dynsym, 24n],
  [SHT.rela, 24n],
  [SHT.rel, 16n],
  [SHT.group, 4n],
  [SHT.symtabShndx, 4n],
]);

/** Returns libelf's error for the data of a section; null if `elf_getdata` succeeds. */
function brokenBytes({ sections }: ObjectModel, index: number): string | null {
  const type = sections.type[index] ?? 0;
  if (type === SHT.nobits || type === SHT.null) return null;
  const size = sections.declaredSize[index] ?? 0n;
  if (size % (ENTRY_SIZES.get(type) ?? 1n) !== 0n) return 'invalid data';
  return size === BigInt(sections.byteLength[index] ?? 0) ? null : 'invalid section header';
}

const COLLECT = 'bpf_object__elf_collect';

function brokenData(model: ObjectModel, index: number): ElfRefusal | null {
  const why = brokenBytes(model, index);
  if (why === null) return null;
  const label = sectionName(model.sections, sectionIndex(index));
  return refused(
    COLLECT,
    'A section that libbpf reads lies in the file and has whole entries.',
    `elf: failed to get section(${index}) ${label} data from ${model.name}: ${why}`,
  );
}

function brokenSymbolTable(model: ObjectModel): ElfRefusal | null {
  const { sections, name } = model;
  const index = sections.type.indexOf(SHT.symtab);
  if (index < 0) {
    return refused(
      COLLECT,
      'There is a symbol table.',
      `elf: couldn't find symbol table in ${name}, stripped object file?`,
      'ENOENT',
    );
  }
  const broken = brokenData(model, index);
  if (broken !== null || !sections.type.includes(SHT.symtab, index + 1)) return broken;
  return refused(COLLECT, 'There is one symbol table.', `elf: multiple symbol tables in ${name}`);
}

/** Returns libelf's error for a string of section `index`; null if `elf_strptr` succeeds. */
function brokenString({ sections }: ObjectModel, index: number, offset: number): string | null {
  if (sections.type[index] !== SHT.strtab) return 'invalid section';
  return BigInt(offset) < (sections.declaredSize[index] ?? 0n) ? null : 'offset out of range';
}

function brokenName(model: ObjectModel, table: number, offset: number): string | null {
  const why = brokenString(model, table, offset);
  return why === null
    ? null
    : `elf: failed to get section name string at offset ${offset} from ${model.name}: ${why}`;
}

function brokenSection(model: ObjectModel): ElfRefusal | null {
  const { sections, name } = model;
  const symtab = sections.type.indexOf(SHT.symtab);
  const strings = sections.link[symtab] ?? 0;
  const functions = functionsBySection(model, symtab);
  for (let i = 1; i < sections.count; i++) {
    const unnamed = brokenName(model, namesIndex(model), sections.nameOff[i] ?? 0);
    if (unnamed !== null) {
      return { ...refused(COLLECT, 'Each section has a name.', unnamed), section: i };
    }
    if (isIgnored(model, i)) continue;
    const broken =
      brokenData(model, i) ??
      brokenByName(model, i) ??
      (isCode(model, i) ? brokenProgram(model, i, functions.get(i) ?? [], strings) : null);
    if (broken !== null) return { ...broken, section: i };
  }
  if (strings === 0 || strings >= sections.count) {
    return refused(
      COLLECT,
      'sh_link of the symbol table is a section.',
      `elf: symbol strings section missing or invalid in ${name}`,
    );
  }
  return sections.entsize[symtab] === ENTRY_SIZES.get(SHT.symtab)
    ? null
    : refused('bpf_object__collect_externs', 'sh_entsize of the symbol table is 24.', '');
}

/** Returns true if libbpf skips the section. Source: ignore_elf_section. */
export function isIgnored({ sections }: ObjectModel, index: number): boolean {
  const type = sections.type[index];
  const section = sectionIndex(index);
  if (type === SHT.strtab || type === LLVM_ADDRSIG) return true;
  return (
    (type === SHT.progbits &&
      sections.declaredSize[index] === 0n &&
      isNamed(sections, section, '.text')) ||
    ['.debug_', '.rel.debug_'].some((start) => nameStartsWith(sections, section, start)) ||
    ['.rel.BTF', '.rel.BTF.ext'].some((name) => isNamed(sections, section, name))
  );
}

function isCode({ sections }: ObjectModel, index: number): boolean {
  return (
    sections.type[index] === SHT.progbits &&
    ((sections.flags[index] ?? 0n) & SHF.execinstr) !== 0n &&
    (sections.declaredSize[index] ?? 0n) > 0n
  );
}

/** Checks REL sections, and sections whose name has a meaning for libbpf. */
function brokenByName(model: ObjectModel, index: number): ElfRefusal | null {
  const { sections, name } = model;
  const type = sections.type[index];
  const size = sections.declaredSize[index] ?? 0n;
  const hasBytes = type !== SHT.nobits && size > 0n;
  const is = (label: string) => isNamed(sections, sectionIndex(index), label);
  if (is('license') && !hasBytes) {
    const rule = 'The section license has bytes.';
    return refused('bpf_object__init_license', rule, `invalid license section in ${name}`);
  }
  if (is('version') && !(hasBytes && size === 4n)) {
    const rule = 'The section version has 4 bytes.';
    return refused('bpf_object__init_kversion', rule, `invalid kver section in ${name}`);
  }
  if (is('maps')) {
    return refused(
      COLLECT,
      'Maps are defined in .maps.',
      "elf: legacy map definitions in 'maps' section are not supported by libbpf v1.0+",
      'ENOTSUP',
    );
  }
  if ((is('.BTF') || is('.BTF.ext')) && type !== SHT.progbits) {
    return refused(COLLECT, '.BTF and .BTF.ext are of type SHT_PROGBITS.', '');
  }
  const isRel = type === SHT.rel && !is('.maps');
  const isSound = sections.entsize[index] === 16n && (sections.info[index] ?? 0) < sections.count;
  return isRel && !isSound
    ? refused(COLLECT, 'sh_entsize of a REL section is 16, and sh_info is a section.', '')
    : null;
}

/** Returns the functions in the symbol table, grouped by `st_shndx`. */
function functionsBySection(
  { symbols }: ObjectModel,
  symtab: number,
): ReadonlyMap<number, readonly number[]> {
  const rows = new Map<number, number[]>();
  for (let row = 0; row < symbols.count; row++) {
    if (symbols.table[row] !== symtab) continue;
    if (symbolType(symbols, symbolIndex(row)) !== SymbolType.FUNC) continue;
    addTo(rows, symbols.shndx[row] ?? 0, row);
  }
  return rows;
}

function brokenProgram(
  model: ObjectModel,
  section: number,
  functions: readonly number[],
  strings: number,
): ElfRefusal | null {
  const { symbols, sections } = model;
  const label = sectionIndex(section);
  const say = (rule: string, message: string, errno?: ElfRefusal['errno']) => {
    const line = `sec '${sectionName(sections, label)}': ${message}`;
    return refused('bpf_object__add_programs', rule, line, errno);
  };
  const isText = isNamed(sections, label, '.text');
  for (const row of functions) {
    const offset = symbols.value[row] ?? 0n;
    const size = symbols.size[row] ?? 0n;
    const stName = (symbols.nameOff[row] ?? 0) >= symbols.names.length;
    if (stName || brokenString(model, strings, 0) !== null) {
      return say('Each program has a name.', `failed to get symbol name for offset ${offset}`);
    }
    if (offset + size > (sections.declaredSize[section] ?? 0n)) {
      const message = `program at offset ${offset} crosses section boundary`;
      return say('A program lies in its section.', message);
    }
    const name = () => symbolName(symbols, symbolIndex(row));
    if (!isText && symbolBinding(symbols, symbolIndex(row)) === STB.local) {
      const message = `program '${name()}' is static and not supported`;
      return say('Static functions are in .text.', message, 'ENOTSUP');
    }
    if (size === 0n || size % INSN_SIZE !== 0n || offset % INSN_SIZE !== 0n) {
      const rule = 'Programs begin and end at whole instructions, and are not empty.';
      const message = `corrupted program '${name()}', offset ${offset}, size ${size}`;
      return { ...say(rule, message, 'EINVAL'), where: 'bpf_object__init_prog' };
    }
  }
  return null;
}

/** Returns true if libbpf collects the relocation entry for a program. */
function isProgramRelocation(model: ObjectModel, row: number): boolean {
  const { relocations, sections } = model;
  const section = relocations.relSection[row] ?? 0;
  const target = relocations.targetSection[row] ?? -1;
  return (
    sections.type[section] === SHT.rel &&
    ((sections.flags[target] ?? 0n) & SHF.execinstr) !== 0n &&
    !isIgnored(model, section)
  );
}

/**
 * Checks a relocation entry of a program. `first` is the first row of the symbol table.
 */
export function brokenRelocation(
  model: ObjectModel,
  row: number,
  first: number,
): ElfRefusal | null {
  const { relocations, sections, symbols } = model;
  const section = relocations.relSection[row] ?? 0;
  const number = relocations.symbolNumber[row] ?? 0;
  const entry = relocations.indexInSection[row] ?? 0;
  const say = (rule: string, message: string) => {
    const label = sectionName(sections, sectionIndex(section));
    const line = `sec '${label}': ${message} for relo #${entry}`;
    return refused('bpf_object__collect_prog_relos', rule, line);
  };
  // libbpf ignores sh_link: the symbol is in the file's one symbol table.
  const symbol = first + number;
  if (symbols.table[symbol] !== symbols.table[first]) {
    return say('The symbol of an entry exists.', `symbol #${number} not found`);
  }
  const shndx = symbols.shndx[symbol] ?? 0;
  if (shndx >= sections.count) {
    return say(
      'The symbol of an entry is in a section.',
      `corrupted symbol #${number} pointing to invalid section #${shndx}`,
    );
  }
  const offset = relocations.offset[row] ?? 0n;
  const size = sections.declaredSize[relocations.targetSection[row] ?? 0] ?? 0n;
  return offset % INSN_SIZE === 0n && offset < size
    ? null
    : say('r_offset is that of an instruction.', `invalid offset 0x${offset.toString(16)}`);
}
