/** Finds an example of each glossary term in the open file. */
import { licenseSection } from '#analysis/libbpf/programs.ts';
import { holdsMaps } from '#analysis/objects/section-role.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { symbolIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { AddendSource, COMPACT_TYPE } from '#model/relocations.ts';
import { isCode } from '#model/sections.ts';
import { typeSelection } from '#model/selection.ts';
import { symbolBinding } from '#model/symbols.ts';
import { membersOf } from '#model/type-items.ts';
import {
  arrayData,
  kindFlagOf,
  kindOf,
  nameOf,
  refOf,
  stringAt,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import {
  bitfieldIndex,
  bytesAt,
  COMPOSITES,
  coreOf,
  coreWhere,
  extField,
  extSectionField,
  headerBlock,
  headerField,
  memberOf,
  recordBytes,
  recordSizeField,
  typeOf,
} from './find-btf.ts';
import {
  bpfRelocation,
  ecoffRelocation,
  firstInsn,
  firstProgram,
  insnField,
  relocatedInsn,
  relocationField,
  relocationWhere,
  sectionHeaderField,
  sectionNamed,
  sectionWhere,
  symbolField,
} from './find-objects.ts';
import type { Find, Place } from './term.ts';
import type { TermId } from './term-names.ts';

const ANY = Object.values(BtfKind).filter((kind) => kind !== BtfKind.UNKN);
const FIELDS = [0, 1, 2, 3, 4, 5];
const ALL_CORE_KINDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

const hasItems = (t: TypeTable, id: TypeId): boolean => vlenOf(t, id) > 0;

/** Returns the index of the last member if it is an array without elements, else -1. */
function flexibleIndex(t: TypeTable, id: TypeId): number {
  const last = membersOf(t, id).at(-1);
  if (last === undefined || kindOf(t, last.type) !== BtfKind.ARRAY) return -1;
  return arrayData(t, last.type).nelems === 0 ? last.index : -1;
}

function firstType({ types }: ObjectModel): Place | null {
  return types === null || types.count === 0
    ? null
    : { selection: typeSelection(typeId(types.firstId)), view: 'types' };
}

function stringSection(model: ObjectModel): Place | null {
  const { types } = model;
  if (types?.fileOffset == null) return null;
  return bytesAt(model, types.fileOffset + types.strStart, types.strEnd - types.strStart);
}

function license(model: ObjectModel): Place | null {
  const section = licenseSection(model);
  return section === null ? null : { selection: { kind: 'section', section }, view: 'bytes' };
}

/** Returns a finder for the first REFLONG or REFQUAD entry that is local, or that has a symbol. */
function addressEntry(isLocal: boolean): Find {
  return relocationWhere(
    ({ format, relocations: { type, symbol } }, row) =>
      format === 'ecoff' && [1, 2].includes(type[row] ?? 0) && (symbol[row] ?? -1) < 0 === isLocal,
  );
}

/** Returns a finder for the `info` word of the first type of one of the kinds. */
function infoWord(kinds: readonly number[], test?: (t: TypeTable, id: TypeId) => boolean): Find {
  return recordBytes(kinds, 4, 4, test);
}

function elfRelocation(test: (table: ObjectModel['relocations'], row: number) => boolean): Find {
  return relocationWhere(
    ({ format, relocations }, row) => format === 'elf' && test(relocations, row),
  );
}

function isPositive(column: 'link' | 'info' | 'entsize') {
  return ({ sections }: ObjectModel, section: number) => (sections[column][section] ?? 0) > 0;
}

export const EXAMPLES: Readonly<Partial<Record<TermId, Find>>> = {
  // Terms of the .BTF header
  'btf-section': headerBlock('BTF header'),
  magic: headerField('BTF header', 'magic'),
  'hdr-len': headerField('BTF header', 'hdr_len'),
  'type-off': headerField('BTF header', 'type_off'),
  'type-len': headerField('BTF header', 'type_len'),
  'str-off': headerField('BTF header', 'str_off'),
  'str-len': headerField('BTF header', 'str_len'),
  'string-section': stringSection,
  'layout-section': headerField('BTF header', 'layout_off'),
  'type-id': firstType,
  void: typeOf([BtfKind.PTR, BtfKind.FUNC_PROTO], (t, id) => refOf(t, id) === 0),
  // Terms of struct btf_type
  'btf-type': typeOf(ANY),
  'name-off': recordBytes(ANY, 0, 4),
  info: infoWord(ANY),
  vlen: infoWord([...COMPOSITES, BtfKind.ENUM, BtfKind.FUNC_PROTO], hasItems),
  kind: infoWord(ANY),
  'kind-flag': infoWord([...COMPOSITES, BtfKind.FWD, BtfKind.ENUM], kindFlagOf),
  'size-or-type': recordBytes(ANY, 8, 4),
  // Terms of the BTF kinds
  'kind-int': typeOf([BtfKind.INT]),
  'kind-ptr': typeOf([BtfKind.PTR]),
  'kind-array': typeOf([BtfKind.ARRAY]),
  'kind-struct': typeOf([BtfKind.STRUCT]),
  'kind-union': typeOf([BtfKind.UNION]),
  'kind-enum': typeOf([BtfKind.ENUM]),
  'kind-fwd': typeOf([BtfKind.FWD]),
  'kind-typedef': typeOf([BtfKind.TYPEDEF]),
  'kind-volatile': typeOf([BtfKind.VOLATILE]),
  'kind-const': typeOf([BtfKind.CONST]),
  'kind-restrict': typeOf([BtfKind.RESTRICT]),
  'kind-func': typeOf([BtfKind.FUNC]),
  'kind-func-proto': typeOf([BtfKind.FUNC_PROTO]),
  'kind-var': typeOf([BtfKind.VAR]),
  'kind-datasec': typeOf([BtfKind.DATASEC]),
  'kind-float': typeOf([BtfKind.FLOAT]),
  'kind-decl-tag': typeOf([BtfKind.DECL_TAG]),
  'kind-type-tag': typeOf([BtfKind.TYPE_TAG]),
  'kind-enum64': typeOf([BtfKind.ENUM64]),
  'kind-loc-param': typeOf([BtfKind.LOC_PARAM]),
  'kind-loc-proto': typeOf([BtfKind.LOC_PROTO]),
  'kind-locsec': typeOf([BtfKind.LOCSEC]),
  // Terms of the items after a struct btf_type
  member: memberOf(COMPOSITES, (t, id) => (vlenOf(t, id) > 0 ? 0 : -1)),
  'bit-offset': recordBytes(COMPOSITES, 20, 4, hasItems),
  'bitfield-size': memberOf(COMPOSITES, bitfieldIndex),
  'int-encoding': recordBytes([BtfKind.INT], 12, 4),
  nelems: recordBytes([BtfKind.ARRAY], 20, 4, (t, id) => arrayData(t, id).nelems > 0),
  enumerator: recordBytes([BtfKind.ENUM], 12, 8, hasItems),
  param: recordBytes([BtfKind.FUNC_PROTO], 12, 8, hasItems),
  'var-secinfo': recordBytes([BtfKind.DATASEC], 12, 12, hasItems),
  linkage: typeOf([BtfKind.FUNC, BtfKind.VAR]),
  'type-tag-chain': typeOf([BtfKind.TYPE_TAG]),
  'component-idx': recordBytes([BtfKind.DECL_TAG], 12, 4),
  // General terms
  endianness: (model) =>
    headerField('ELF header', 'e_ident[EI_DATA]')(model) ??
    headerField('BTF header', 'magic')(model),
  padding: typeOf([BtfKind.STRUCT], (t, id) => structLayout(t, id).paddingBits > 0),
  hole: typeOf([BtfKind.STRUCT], (t, id) => structLayout(t, id).holes > 0),
  'flexible-array': memberOf([BtfKind.STRUCT], flexibleIndex),
  'bit-field': memberOf(COMPOSITES, bitfieldIndex),
  // Terms of .BTF.ext
  'btf-ext': headerBlock('.BTF.ext header'),
  'ext-header': headerBlock('.BTF.ext header'),
  'rec-size': recordSizeField,
  'sec-name-off': extSectionField(0),
  'num-info': extSectionField(4),
  'func-info': extField('func', 0, 8),
  'line-info': extField('line', 0, 16),
  'core-relo': coreOf(ALL_CORE_KINDS),
  'insn-off': extField('func', 0, 4),
  'access-str-off': extField('core', 8, 4),
  'file-name-off': extField('line', 4, 4),
  'line-off': extField('line', 8, 4),
  'line-col': extField('line', 12, 4),
  // Terms of CO-RE
  core: coreOf(ALL_CORE_KINDS),
  'access-string': coreWhere(({ types, ext }, i) => {
    const text = types === null ? '' : stringAt(types, ext.core.accessStrOff[i] ?? 0, 64);
    return text.includes(':');
  }),
  spec: coreOf(FIELDS),
  'root-type': extField('core', 4, 4),
  'essential-name': coreOf(FIELDS),
  'local-value': coreOf([0]),
  guard: coreOf([2, 8, 10]),
  // Terms of the CO-RE relocation kinds
  'byte-off': coreOf([0]),
  'byte-sz': coreOf([1]),
  'field-exists': coreOf([2]),
  signed: coreOf([3]),
  'lshift-u64': coreOf([4]),
  'rshift-u64': coreOf([5]),
  'local-type-id': coreOf([6]),
  'target-type-id': coreOf([7]),
  'type-exists': coreOf([8]),
  'type-size': coreOf([9]),
  'enumval-exists': coreOf([10]),
  'enumval-value': coreOf([11]),
  'type-matches': coreOf([12]),
  // Terms of ELF
  'section-header': sectionHeaderField(0, 64),
  'sh-type': sectionHeaderField(4, 4),
  'sh-flags': sectionHeaderField(8, 8, (model, section) => isCode(model.sections, section)),
  'sh-offset': sectionHeaderField(24, 8),
  'sh-size': sectionHeaderField(32, 8),
  'sh-link': sectionHeaderField(40, 4, isPositive('link')),
  'sh-info': sectionHeaderField(44, 4, isPositive('info')),
  'sh-entsize': sectionHeaderField(56, 8, isPositive('entsize')),
  symbol: symbolField(0, 24),
  'st-value': symbolField(8, 8),
  'st-info': symbolField(
    4,
    1,
    ({ symbols }, row) => symbolBinding(symbols, symbolIndex(row)) === 1,
  ),
  'st-other': symbolField(5, 1),
  'st-shndx': symbolField(6, 2),
  // Terms of ELF relocations
  rel: elfRelocation(({ addendSource }, row) => addendSource[row] === AddendSource.implicit),
  rela: elfRelocation(({ addendSource }, row) => addendSource[row] === AddendSource.explicit),
  'r-offset': relocationField(0, 8),
  'r-info': relocationField(8, 8),
  addend: elfRelocation(({ addend }, row) => addend[row] !== 0n),
  'reloc-64-64': bpfRelocation(1),
  'reloc-abs64': bpfRelocation(2),
  'reloc-abs32': bpfRelocation(3),
  'reloc-nodyld32': bpfRelocation(4),
  'reloc-64-32': bpfRelocation(10),
  // Terms of instructions
  insn: firstInsn,
  opcode: insnField(0, 1),
  'dst-src': insnField(1, 1),
  off: insnField(2, 2),
  imm: insnField(4, 4),
  'ld-imm64': relocatedInsn(1),
  'pseudo-src': relocatedInsn(1),
  'pseudo-call': relocatedInsn(10),
  // Terms of programs, maps and data
  'program-section': firstProgram,
  map: sectionWhere(holdsMaps, 'data'),
  'maps-section': sectionNamed('.maps', 'data'),
  'global-data': (model) =>
    sectionNamed('.data', 'data')(model) ?? sectionNamed('.bss', 'data')(model),
  rodata: sectionNamed('.rodata', 'data'),
  kconfig: typeOf([BtfKind.DATASEC], (t, id) => nameOf(t, id) === '.kconfig'),
  ksyms: typeOf([BtfKind.DATASEC], (t, id) => nameOf(t, id) === '.ksyms'),
  license,
  // Terms of the kernel API
  'map-create': sectionNamed('.maps'),
  'prog-load': extField('func', 0, 8),
  'jit-symbol': typeOf([BtfKind.FUNC]),
  // Terms of split BTF
  'split-btf': (model) => (model.types?.split === true ? firstType(model) : null),
  'distilled-base': sectionNamed('.BTF.base'),
  'btf-ids': sectionNamed('.BTF_ids', 'overview'),
  'btf-id-macros': sectionNamed('.BTF_ids', 'overview'),
  'btf-id-set': sectionNamed('.BTF_ids', 'overview'),
  // Terms of the generation of BTF
  'btf-generation': sectionNamed('.BTF'),
  'pahole-jv': typeOf([BtfKind.STRUCT]),
  'llvm-variables': typeOf([BtfKind.VAR]),
  'var-linkage': recordBytes([BtfKind.VAR], 12, 4),
  'enum-sign': typeOf([BtfKind.ENUM, BtfKind.ENUM64]),
  'int-offset': recordBytes([BtfKind.INT], 12, 4),
  'index-type': recordBytes([BtfKind.ARRAY], 16, 4),
  'kflag-members': infoWord(COMPOSITES),
  'kbuild-extmod': sectionNamed('.BTF.base'),
  'kinds-2019': infoWord([BtfKind.FLOAT, BtfKind.DECL_TAG, BtfKind.TYPE_TAG, BtfKind.ENUM64]),
  'enum-2019': typeOf([BtfKind.ENUM]),
  'linkage-2019': typeOf([BtfKind.FUNC]),
  'kflag-2019': infoWord([...COMPOSITES, BtfKind.FWD]),
  // Terms of Alpha eCOFF
  'alpha-relocation': ecoffRelocation(1, 2, 4, 6, 7),
  gp: headerField('optional header', 'gp_value'),
  'r-vaddr': ecoffRelocation(1, 2, 4, 6, 7),
  'r-symndx': ecoffRelocation(1, 2, 4, 6, 7),
  'local-entry': addressEntry(true),
  'external-entry': addressEntry(false),
  refquad: ecoffRelocation(2, 1),
  literal: ecoffRelocation(4),
  lituse: ecoffRelocation(5),
  gpdisp: ecoffRelocation(6),
  braddr: ecoffRelocation(7),
  hint: ecoffRelocation(8),
  gpvalue: ecoffRelocation(16),
  gprel: ecoffRelocation(17, 18),
  gprel32: ecoffRelocation(3),
  'tls-relocations': ecoffRelocation(20, 21, 22),
  'stack-expression': ecoffRelocation(12),
  'op-store': ecoffRelocation(13),
  'compact-relocations': relocationWhere(
    ({ format, relocations }, row) =>
      format === 'ecoff' && (relocations.type[row] ?? 0) >= COMPACT_TYPE,
  ),
  // Terms of the errata
  'errata-arrays': typeOf(
    [BtfKind.ARRAY],
    (t, id) => kindOf(t, arrayData(t, id).elemType) === BtfKind.ARRAY,
  ),
  'zig-btf': typeOf([BtfKind.INT]),
  'zig-values': typeOf([BtfKind.INT]),
};
