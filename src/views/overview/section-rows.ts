/** Rows of the section table, as `llvm-readelf -S` prints them, and the families of sections. */
import { sectionTypeText } from '#analysis/formats/section-text.ts';
import { type Steps, sortSteps } from '#bytes/long-work.ts';
import { sectionTypeName } from '#formats/elf/section-types.ts';
import { type SectionIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, isNamed, nameStartsWith, sectionCount, sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import type { Tone } from '#ui/tone.ts';

/** Header field that refers to a section or symbol. */
export type Reference = {
  readonly number: number;
  /** Raw text; empty if there is no such row. */
  readonly name: string;
};

export type SectionRow = {
  readonly section: SectionIndex;
  readonly name: string;
  readonly typeName: string;
  readonly flags: string;
  /** Load address; 0 in ELF objects. */
  readonly address: bigint;
  readonly offset: bigint;
  /** `sh_size`, also for sections without bytes in the file. */
  readonly size: bigint;
  readonly link: Reference | null;
  readonly info: Reference | null;
};

const SHF_INFO_LINK = 0x40n;

/** Returns one section with the unchecked numbers of its header. */
export function sectionRow(model: ObjectModel, section: SectionIndex): SectionRow {
  const { sections } = model;
  const { type, flags } = sectionTypeText(model, section);
  return {
    section,
    name: sectionName(sections, section),
    typeName: type,
    flags,
    address: sections.addr[section] ?? 0n,
    offset: sections.declaredOffset[section] ?? 0n,
    size: sections.declaredSize[section] ?? 0n,
    link: sectionReference(model, sections.link[section] ?? 0),
    info: infoReference(model, section),
  };
}

function sectionReference(model: ObjectModel, number: number): Reference | null {
  return number === 0 ? null : { number, name: sectionName(model.sections, sectionIndex(number)) };
}

/** Resolves `sh_info` by section type. Source: System V gABI, "Sections", sh_link and sh_info. */
function infoReference(model: ObjectModel, section: SectionIndex): Reference | null {
  const { sections, symbols } = model;
  const number = sections.info[section] ?? 0;
  if (number === 0) return null;
  const typeName = sectionTypeName(sections.type[section] ?? 0, model.machine?.number ?? 0);
  if (typeName === 'REL' || typeName === 'RELA') return sectionReference(model, number);
  if (((sections.flags[section] ?? 0n) & SHF_INFO_LINK) !== 0n) {
    return sectionReference(model, number);
  }
  if (typeName === 'GROUP') {
    const table = sections.link[section] ?? 0;
    for (let i = 0; i < symbols.count; i++) {
      if (symbols.table[i] === table && symbols.indexInTable[i] === number) {
        return { number, name: symbolName(symbols, symbolIndex(i)) };
      }
    }
  }
  return { number, name: '' };
}

/** Sort column and direction. */
export type RowOrder = {
  readonly columnId: string;
  readonly direction: 'ascending' | 'descending';
};

/** Returns section indexes sorted by a column. */
export function* sectionOrderSteps(
  model: ObjectModel,
  counts: Uint32Array,
  order: RowOrder | null,
): Steps<Uint32Array> {
  const count = sectionCount(model.sections);
  const first = model.sections.count - count;
  const indices = new Uint32Array(count);
  for (let i = 0; i < count; i++) indices[i] = first + i;
  const compare = order === null ? null : comparison(model, counts, order.columnId);
  if (order === null || compare === null) return indices;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return yield* sortSteps(indices, (a, b) => sign * compare(a, b));
}

/** Returns the comparison of a column; null for a column without sorting. */
function comparison(
  { sections }: ObjectModel,
  counts: Uint32Array,
  columnId: string,
): ((a: number, b: number) => number) | null {
  const values = new Map<string, BigUint64Array | Uint32Array>([
    ['offset', sections.declaredOffset],
    ['size', sections.declaredSize],
    ['relocations', counts],
  ]).get(columnId);
  if (values === undefined) return null;
  return (a, b) => {
    const [x, y] = [values[a] ?? 0, values[b] ?? 0];
    return x < y ? -1 : Number(x > y);
  };
}

/** Returns the order after a click on a column header: descending, ascending, file order. */
export function nextOrder(order: RowOrder | null, columnId: string): RowOrder | null {
  if (order?.columnId !== columnId) return { columnId, direction: 'descending' };
  return order.direction === 'descending' ? { columnId, direction: 'ascending' } : null;
}

/** Formats without links between sections have addresses instead. */
export function sectionColumnSet({ sections, format }: ObjectModel) {
  const isElf = format === 'elf';
  return { hasFlags: isElf, hasLinks: isElf || sections.link.some((link) => link !== 0) };
}

/** Label and colour of each family, in the order of the legend. */
export const FAMILIES = {
  code: { word: 'Code', tone: 'kind-func' },
  data: { word: 'Data', tone: 'kind-data' },
  btf: { word: 'BTF', tone: 'kind-composite' },
  relocations: { word: 'Relocations', tone: 'reloc-2' },
  symbols: { word: 'Symbols and strings', tone: 'kind-array' },
  debug: { word: 'Debug info', tone: 'kind-modifier' },
  header: { word: 'Headers', tone: 'kind-unknown' },
  other: { word: 'Other', tone: 'kind-enum' },
  gap: { word: 'In no section', tone: 'muted' },
} as const satisfies Readonly<Record<string, { readonly word: string; readonly tone: Tone }>>;

export type Family = keyof typeof FAMILIES;

const SHF_ALLOC = 2n;

const RELOCATION_TYPES = [
  'REL',
  'RELA',
  'RELR',
  'CREL',
  'ANDROID_REL',
  'ANDROID_RELA',
  'ANDROID_RELR',
];
const SYMBOL_TYPES = ['SYMTAB', 'DYNSYM', 'STRTAB', 'SYMTAB SECTION INDICES', 'HASH', 'GNU_HASH'];
const BTF_NAMES = ['.BTF', '.BTF_ids'];
const DEBUG_STARTS = ['.debug_', '.zdebug_', '.stab', '.line'];

/** Returns the family of a section. Its name is used only if type and flags are ambiguous. */
export function sectionFamily(model: ObjectModel, section: SectionIndex): Family {
  const type =
    model.format !== 'elf'
      ? ''
      : sectionTypeName(model.sections.type[section] ?? 0, model.machine?.number ?? 0);
  if (RELOCATION_TYPES.includes(type)) return 'relocations';
  if (SYMBOL_TYPES.includes(type)) return 'symbols';
  const { sections } = model;
  if (isCode(sections, section)) return 'code';
  if (BTF_NAMES.some((name) => isNamed(sections, section, name))) return 'btf';
  if (nameStartsWith(sections, section, '.BTF.')) return 'btf';
  if (DEBUG_STARTS.some((start) => nameStartsWith(sections, section, start))) return 'debug';
  return ((model.sections.flags[section] ?? 0n) & SHF_ALLOC) !== 0n ? 'data' : 'other';
}
