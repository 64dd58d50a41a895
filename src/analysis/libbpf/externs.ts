/**
 * The names that an object leaves to the kernel, as libbpf collects them when it opens the object.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object__collect_externs and what it calls. Lines are those
 * that libbpf logs, without `libbpf: `. Names in them are raw.
 */
import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { SHT } from '#formats/elf/constants.ts';
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

const EXTERN = 2;
const BOOL = 4;

export const KCONFIG = '.kconfig';
export const KSYMS = '.ksyms';

/** A kernel option, a symbol without a type, a variable, a function. */
export type ExternKind = 'kcfg' | 'ksym' | 'var ksym' | 'func ksym';

export type Extern = {
  /** Raw text. */
  readonly name: string;
  readonly kind: ExternKind;
  readonly weak: boolean;
  /** Number of its symbol in the symbol table. */
  readonly symbol: number;
  /** The VAR or FUNC. */
  readonly btfId: TypeId;
  /** The DATASEC that lists it. */
  readonly section: TypeId;
  /** The type of the VAR, or the FUNC_PROTO, without modifiers and typedefs. */
  readonly type: TypeId;
  /** null for other kinds than `kcfg`. */
  readonly kconfig: KconfigSlot | null;
};

/** The place of an option in `.kconfig`; bytes. */
export type KconfigSlot = {
  readonly type: KconfigType;
  readonly signed: boolean;
  readonly size: number;
  readonly align: number;
  readonly offset: number;
};

/** The list is in libbpf's order, which is that of `2002000000 + n`. libbpf stops at the first extern that it cannot use. */
export type Externs = {
  readonly list: readonly Extern[];
  /** The lines that libbpf logs, and the same as a sentence. Names are raw text. */
  readonly failure: Failure | null;
  readonly sentence: string;
};

const WEAK = 2;

const LOCAL = 0;

export function isVisible(symbols: SymbolTable, symbol: SymbolIndex): boolean {
  const binding = symbolBinding(symbols, symbol);
  return binding !== LOCAL && binding <= WEAK;
}

/** Returns whether another file defines the symbol. Source: sym_is_extern. */
function isExternSymbol(symbols: SymbolTable, symbol: SymbolIndex): boolean {
  const isUntyped = symbolType(symbols, symbol) === SymbolType.NOTYPE;
  return isUntyped && symbols.shndx[symbol] === 0 && isVisible(symbols, symbol);
}

type Symbols = Pick<ObjectModel, 'types' | 'symbols' | 'sections'>;

/** The externs of an object. Source: bpf_object__collect_externs, sym_is_extern. */
export function collectExterns({ types, symbols, sections }: Symbols): Externs {
  const list: Extern[] = [];
  const index = types === null ? null : indexExterns(types);
  for (let row = 0; row < symbols.count; row++) {
    const symbol = symbolIndex(row);
    const isIn = sections.type[symbols.table[row] ?? 0] === SHT.symtab;
    const name = isIn && isExternSymbol(symbols, symbol) ? symbolName(symbols, symbol) : '';
    if (name === '') continue;
    const number = symbols.indexInTable[row] ?? 0;
    const isWeak = symbolBinding(symbols, symbol) === WEAK;
    const extern =
      types === null || index === null
        ? noBtf(name, 'ESRCH', `The file has no BTF for the extern ${shortName(name)}.`)
        : describe(types, index, { name, number, isWeak });
    if ('failure' in extern) return { list: sorted(list), ...extern };
    list.push(extern);
  }
  return { list: sorted(list), failure: null, sentence: '' };
}

type Refused = { readonly failure: Failure; readonly sentence: string };

function refused(errno: string, line: string, sentence: string): Refused {
  return { failure: failed(errno, line), sentence };
}

function noBtf(name: string, errno: string, sentence: string, where = ''): Refused {
  const line = `failed to find BTF for extern '${name}'${where}: ${errnoNumber({ errno })}`;
  return refused(errno, line, sentence);
}

type Symbol = { readonly name: string; readonly number: number; readonly isWeak: boolean };

function describe(
  t: TypeTable,
  { byName, sectionOf }: ExternIndex,
  { name, number, isWeak }: Symbol,
): Extern | Refused {
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
    const supported = `libbpf supports externs in ${KSYMS} and ${KCONFIG} only`;
    return refused(
      'ENOTSUP',
      `unrecognized extern section '${sectionName}'`,
      `The extern ${shown} is in ${shortName(sectionName)}; ${supported}.`,
    );
  }
  if (isFunc) {
    const line = `extern function ${name} is unsupported under ${KCONFIG} section`;
    return refused('ENOTSUP', line, `The extern ${shown} in ${KCONFIG} is a function.`);
  }
  const kconfig = kconfigTypeOf(t, of);
  if (kconfig === null) {
    const sentence = `The extern ${shown} has a type that ${KCONFIG} cannot have.`;
    return refused('ENOTSUP', `extern (kcfg) '${name}': type is unsupported`, sentence);
  }
  const slot = {
    type: kconfig,
    signed: kindOf(t, type) === BtfKind.INT && (intData(t, type).encoding & 1) !== 0,
    size: Number(sizeOf(t, of) ?? 0n),
    align: alignOf(t, of),
    offset: 0,
  };
  if (slot.size === 0 || slot.align === 0) {
    const line = `failed to resolve size of extern (kcfg) '${name}': ${errnoNumber({ errno: 'EINVAL' })}`;
    return refused('EINVAL', line, `The extern ${shown} has no size.`);
  }
  return { ...base, kind: 'kcfg', kconfig: slot };
}

/** Options before all others, which are in the order of their names. Source: cmp_externs. */
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
  /** The first VAR or FUNC of a name. */
  readonly byName: ReadonlyMap<string, TypeId>;
  /** The first DATASEC that lists a type. */
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

/** Returns whether the linkage of the VAR or FUNC `id` is extern. */
function isDeclared(t: TypeTable, id: TypeId): boolean {
  return (kindOf(t, id) === BtfKind.FUNC ? vlenOf(t, id) : varLinkage(t, id)) === EXTERN;
}

export type KconfigType = 'bool' | 'char' | 'int' | 'tristate' | 'char array';

/** Returns the type of a `.kconfig` extern; null where libbpf does not support it. Source: find_kcfg_type. */
function kconfigTypeOf(t: TypeTable, id: TypeId): KconfigType | null {
  const at = skipModifiers(t, id);
  const size = sizeOrTypeOf(t, at);
  switch (kindOf(t, at)) {
    case BtfKind.INT:
      if ((intData(t, at).encoding & BOOL) !== 0) return size === 1 ? 'bool' : null;
      if (size === 1) return 'char';
      return size === 2 || size === 4 || size === 8 ? 'int' : null;
    case BtfKind.ENUM:
    case BtfKind.ENUM64: {
      const isSized = kindOf(t, at) === BtfKind.ENUM64 || size === 4;
      return isSized && nameOf(t, at) === 'libbpf_tristate' ? 'tristate' : null;
    }
    case BtfKind.ARRAY: {
      const { nelems, elemType } = arrayData(t, at);
      // One level of arrays is enough: an array of arrays is no char array, and may nest deeply.
      const isChar =
        kindOf(t, skipModifiers(t, elemType)) === BtfKind.INT &&
        kconfigTypeOf(t, elemType) === 'char';
      return nelems > 0 && isChar ? 'char array' : null;
    }
    default:
      return null;
  }
}

/** An option as `.kconfig` lays it out; bytes. */
export type KconfigOption = {
  readonly name: string;
  readonly size: number;
  readonly align: number;
};

/** The most aligned first, then the smallest, then by name. Source: cmp_externs. */
function compareKconfig(a: KconfigOption, b: KconfigOption): number {
  return b.align - a.align || a.size - b.size || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Places the options in `.kconfig`. Returns the offset of each by name, and the size of all, in bytes. */
export function layOutKconfig(externs: readonly KconfigOption[]): {
  readonly places: ReadonlyMap<string, number>;
  readonly size: number;
} {
  const places = new Map<string, number>();
  let size = 0;
  for (const { name, size: own, align } of externs.toSorted(compareKconfig)) {
    const start = Math.ceil(size / align) * align;
    places.set(name, start);
    size = start + own;
  }
  return { places, size };
}

/** Parses a number as strtoull with base 0 does; null where anything else follows. Source: parse_u64. */
export function parseNumber(value: string): bigint | null {
  const [, sign = '', digits = ''] = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|\d+)$/.exec(value) ?? [];
  if (digits === '' || digits.length > 40) return null;
  const isOctal = /^0[0-7]+$/.test(digits);
  if (!isOctal && /^0\d/.test(digits)) return null;
  const number = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  if (number >= 1n << 64n) return null;
  return BigInt.asUintN(64, sign === '-' ? -number : number);
}

/** The letters of `enum libbpf_tristate` by value. */
const TRISTATE = ['n', 'y', 'm'];

/** Returns the number of an option in `.kconfig`; null for text, and where the value is not known. */
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
