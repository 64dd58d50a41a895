/**
 * The externs that libbpf collects when it opens an object. Log lines lack `libbpf: `, and have raw
 * names. Source: libbpf 1.8, libbpf.c: bpf_object__collect_externs.
 */
import { alignedThing, alignOf } from '#analysis/types/sizes.ts';
import { BtfKind, IntEncoding, Linkage } from '#formats/btf/kinds.ts';
import { SHT, STB } from '#formats/elf/constants.ts';
import { type SymbolIndex, symbolIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import {
  type SymbolTable,
  SymbolType,
  symbolBinding,
  symbolName,
  symbolType,
} from '#model/symbols.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindOf,
  lastId,
  nameOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import { shortName } from './fixup-copy.ts';
import { errnoNumber, type Failure, failed } from './outcome.ts';
import { resolveSize } from './resolve-size.ts';

export const KCONFIG = '.kconfig';
export const KSYMS = '.ksyms';

/** libbpf's words for externs: a kernel option, a symbol without a type, a variable, a function. */
export type ExternKind = 'kcfg' | 'ksym' | 'var ksym' | 'func ksym';

export type Extern = {
  /** Name of the extern as raw text. */
  readonly name: string;
  readonly kind: ExternKind;
  readonly weak: boolean;
  /** Index of the extern's symbol in the symbol table. */
  readonly symbol: number;
  /** Id of the extern's VAR or FUNC. */
  readonly btfId: TypeId;
  /** Id of the DATASEC that lists the extern. */
  readonly section: TypeId;
  /** Type of the variable, or prototype of the function, without modifiers and typedefs. */
  readonly type: TypeId;
  /** Place in `.kconfig` of an extern of kind `kcfg`; null for other kinds. */
  readonly kconfig: KconfigSlot | null;
};

/** Type of an option, and its place in `.kconfig` in bytes. */
export type KconfigSlot = {
  readonly type: KconfigType;
  readonly signed: boolean;
  readonly size: number;
  readonly align: number;
  readonly offset: number;
};

export type Externs = {
  /** Externs in libbpf's order, up to the first that libbpf cannot use. */
  readonly list: readonly Extern[];
  readonly failure: Failure | null;
  /** `failure` as a sentence; names are raw text. */
  readonly sentence: string;
  /** Warning about an option of size 0, at which libbpf stops collecting but goes on; else null. */
  readonly unsized: string | null;
};

/** Returns true for a global or weak symbol. */
export function isVisible(symbols: SymbolTable, symbol: SymbolIndex): boolean {
  const binding = symbolBinding(symbols, symbol);
  return binding === STB.global || binding === STB.weak;
}

/** Returns true for a symbol that is declared here and defined elsewhere. Source: sym_is_extern. */
export function isExternSymbol(symbols: SymbolTable, symbol: SymbolIndex): boolean {
  const isUntyped = symbolType(symbols, symbol) === SymbolType.NOTYPE;
  return isUntyped && symbols.shndx[symbol] === 0 && isVisible(symbols, symbol);
}

type Symbols = Pick<ObjectModel, 'types' | 'symbols' | 'sections'>;

/** Returns the externs of an object. Source: bpf_object__collect_externs. */
export function collectExterns({ types, symbols, sections }: Symbols): Externs {
  const list: Extern[] = [];
  const index = types === null ? null : indexExterns(types);
  for (let row = 0; row < symbols.count; row++) {
    const symbol = symbolIndex(row);
    const isIn = sections.type[symbols.table[row] ?? 0] === SHT.symtab;
    const name = isIn && isExternSymbol(symbols, symbol) ? symbolName(symbols, symbol) : '';
    if (name === '') continue;
    const number = symbols.indexInTable[row] ?? 0;
    const isWeak = symbolBinding(symbols, symbol) === STB.weak;
    const extern =
      types === null || index === null
        ? noBtf(name, 'ESRCH', `The file has no BTF for the extern ${shortName(name)}.`)
        : describe(types, index, { name, number, isWeak });
    if (typeof extern === 'string') return { ...NO_FAILURE, list, unsized: extern };
    if ('failure' in extern) return { list: sorted(list), ...extern, unsized: null };
    list.push(extern);
  }
  return { ...NO_FAILURE, list: sorted(list) };
}

const NO_FAILURE = { failure: null, sentence: '', unsized: null };

type Refused = { readonly failure: Failure; readonly sentence: string };

function refused(errno: string, line: string, sentence: string): Refused {
  return { failure: failed(errno, line), sentence };
}

function noBtf(name: string, errno: string, sentence: string, where = ''): Refused {
  const line = `failed to find BTF for extern '${name}'${where}: ${errnoNumber({ errno })}`;
  return refused(errno, line, sentence);
}

type Symbol = { readonly name: string; readonly number: number; readonly isWeak: boolean };

/** Returns the extern, its failure, or the warning about an option of size 0. */
function describe(
  t: TypeTable,
  { byName, sectionOf }: ExternIndex,
  { name, number, isWeak }: Symbol,
): Extern | Refused | string {
  const shown = shortName(name);
  const btfId = byName.get(name);
  if (btfId === undefined) return noBtf(name, 'ENOENT', `There is no BTF for the extern ${shown}.`);
  if (!isDeclared(t, btfId)) {
    const sentence = `The symbol ${shown} is extern, but its BTF, type ${btfId}, is not.`;
    return noBtf(name, 'EINVAL', sentence);
  }
  const section = sectionOf.get(btfId);
  if (section === undefined) {
    const sentence = `No DATASEC lists the extern ${shown}, type ${btfId}.`;
    return noBtf(name, 'ENOENT', sentence, ` [${btfId}] section`);
  }
  const sectionName = nameOf(t, section);
  const isFunc = kindOf(t, btfId) === BtfKind.FUNC;
  const of = typeId(sizeOrTypeOf(t, btfId));
  const type = skipModifiers(t, of);
  const base = { name, weak: isWeak, symbol: number, btfId, type, section };
  if (sectionName === KSYMS) {
    const kind = isFunc ? 'func ksym' : type === 0 ? 'ksym' : 'var ksym';
    return { ...base, kind, kconfig: null };
  }
  if (sectionName !== KCONFIG) {
    const line = `unrecognized extern section '${sectionName}'`;
    const sentence = `The extern ${shown} is in ${shortName(sectionName)}; libbpf supports externs in ${KSYMS} and ${KCONFIG} only.`;
    return refused('ENOTSUP', line, sentence);
  }
  if (isFunc) {
    const line = `extern function ${name} is unsupported under ${KCONFIG} section`;
    return refused('ENOTSUP', line, `The extern ${shown} in ${KCONFIG} is a function.`);
  }
  const size = resolveSize(t, of);
  const unsized = (number: number) =>
    `failed to resolve size of extern (kcfg) '${name}': ${number}`;
  if (size === 0) return unsized(0);
  if (typeof size !== 'number') {
    const line = unsized(errnoNumber({ errno: size }));
    return refused(size, line, `The extern ${shown} has no size.`);
  }
  const align = alignOf(t, of);
  if (align === 0) {
    const lines = [
      `unsupported BTF_KIND:${kindOf(t, alignedThing(t, of))}`,
      `failed to determine alignment of extern (kcfg) '${name}': 0`,
    ];
    return {
      failure: failed('EINVAL', ...lines),
      sentence: `The extern ${shown} has no alignment.`,
    };
  }
  const kconfig = kconfigTypeOf(t, of);
  if (kconfig === null) {
    const sentence = `The extern ${shown} has a type that ${KCONFIG} cannot have.`;
    return refused('ENOTSUP', `extern (kcfg) '${name}': type is unsupported`, sentence);
  }
  const slot = {
    type: kconfig,
    signed:
      kindOf(t, type) === BtfKind.INT && (intData(t, type).encoding & IntEncoding.SIGNED) !== 0,
    size,
    align,
    offset: 0,
  };
  return { ...base, kind: 'kcfg', kconfig: slot };
}

/** Sorts options by `compareKconfig`, then all other externs by name. Source: cmp_externs. */
function sorted(externs: readonly Extern[]): Extern[] {
  const optionOf = ({ name, kconfig }: Extern) => ({ name, size: 0, align: 0, ...kconfig });
  const { places } = layOutKconfig(externs.filter(({ kconfig }) => kconfig !== null).map(optionOf));
  return externs
    .toSorted((a, b) => compareKconfig(optionOf(a), optionOf(b)))
    .map((extern) =>
      extern.kconfig === null
        ? extern
        : { ...extern, kconfig: { ...extern.kconfig, offset: places.get(extern.name) ?? 0 } },
    );
}

type ExternIndex = {
  /** First VAR or FUNC with each name. */
  readonly byName: ReadonlyMap<string, TypeId>;
  /** First DATASEC that lists each type. */
  readonly sectionOf: ReadonlyMap<TypeId, TypeId>;
};

/** Indexes the types in one pass. Source: find_extern_btf_id, find_extern_sec_btf_id. */
function indexExterns(t: TypeTable): ExternIndex {
  const byName = new Map<string, TypeId>();
  const sectionOf = new Map<TypeId, TypeId>();
  for (let n = 1; n <= lastId(t); n++) {
    const id = typeId(n);
    const kind = kindOf(t, id);
    if (kind === BtfKind.VAR || kind === BtfKind.FUNC) {
      const name = nameOf(t, id);
      if (!byName.has(name)) byName.set(name, id);
    }
    if (kind !== BtfKind.DATASEC) continue;
    for (const { type } of varSecinfosOf(t, id)) if (!sectionOf.has(type)) sectionOf.set(type, id);
  }
  return { byName, sectionOf };
}

/** Returns true for a VAR or FUNC with extern linkage. */
function isDeclared(t: TypeTable, id: TypeId): boolean {
  return (kindOf(t, id) === BtfKind.FUNC ? vlenOf(t, id) : varLinkage(t, id)) === Linkage.extern;
}

export type KconfigType = 'bool' | 'char' | 'int' | 'tristate' | 'char array';

/** Returns the type of an option; null if libbpf does not support it. Source: find_kcfg_type. */
function kconfigTypeOf(t: TypeTable, id: TypeId): KconfigType | null {
  const at = skipModifiers(t, id);
  const size = sizeOrTypeOf(t, at);
  switch (kindOf(t, at)) {
    case BtfKind.INT:
      if ((intData(t, at).encoding & IntEncoding.BOOL) !== 0) return size === 1 ? 'bool' : null;
      if (size === 1) return 'char';
      return size === 2 || size === 4 || size === 8 ? 'int' : null;
    case BtfKind.ENUM:
    case BtfKind.ENUM64: {
      const isSized = kindOf(t, at) === BtfKind.ENUM64 || size === 4;
      return isSized && nameOf(t, at) === 'libbpf_tristate' ? 'tristate' : null;
    }
    case BtfKind.ARRAY: {
      const { nelems, elemType } = arrayData(t, at);
      // `isChar` looks at one element type only, since an array of arrays is no char array.
      const isChar =
        kindOf(t, skipModifiers(t, elemType)) === BtfKind.INT &&
        kconfigTypeOf(t, elemType) === 'char';
      return nelems > 0 && isChar ? 'char array' : null;
    }
    default:
      return null;
  }
}

/** An option of `.kconfig`, with its size and alignment in bytes. */
export type KconfigOption = {
  readonly name: string;
  readonly size: number;
  readonly align: number;
};

/** Compares alignment (larger first), then size, then name. Source: cmp_externs. */
function compareKconfig(a: KconfigOption, b: KconfigOption): number {
  return b.align - a.align || a.size - b.size || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Lays out `.kconfig`. Returns the offset of each option by name, and the total size, in bytes. */
export function layOutKconfig(externs: readonly KconfigOption[]): {
  readonly places: ReadonlyMap<string, number>;
  readonly size: number;
} {
  const places = new Map<string, number>();
  let size = 0;
  for (const option of externs.toSorted(compareKconfig)) {
    const start = Math.ceil(size / option.align) * option.align;
    places.set(option.name, start);
    size = start + option.size;
  }
  return { places, size };
}

/** Parses a number like strtoull with base 0; null for any other text. Source: parse_u64. */
export function parseNumber(value: string): bigint | null {
  const [, sign = '', digits = ''] = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|\d+)$/.exec(value) ?? [];
  if (digits === '' || digits.length > 40) return null;
  const isOctal = /^0[0-7]+$/.test(digits);
  if (!isOctal && /^0\d/.test(digits)) return null;
  const number = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  if (number >= 1n << 64n) return null;
  return BigInt.asUintN(64, sign === '-' ? -number : number);
}

/** Letters of the values 0, 1 and 2 of `enum libbpf_tristate`. */
const TRISTATE = ['n', 'y', 'm'];

/** Returns the number that `.kconfig` has for an option; null for text or an unknown value. */
export function optionNumber(
  { type }: KconfigSlot,
  result: string | null,
  value: string | null,
): bigint | null {
  if (result === 'weak_zero') return type === 'char array' ? null : 0n;
  if (result !== 'set' || value === null || type === 'char array') return null;
  const choice = TRISTATE.indexOf(value[0] ?? '');
  if (choice < 0) return parseNumber(value);
  return BigInt(type === 'char' ? value.charCodeAt(0) : choice);
}
