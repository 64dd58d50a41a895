/**
 * The names that an object leaves to the kernel, as libbpf collects them when it opens the object.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object__collect_externs and what it calls. Lines are those
 * that libbpf logs, without `libbpf: `. Names in them are raw.
 */
import { KCONFIG, type KconfigType, KSYMS, kconfigTypeOf } from '#analysis/check/fixup-externs.ts';
import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { SHT } from '#formats/elf/constants.ts';
import { symbolIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import {
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
import { type Failure, failed } from './failure.ts';

/** As the loader tells them apart: an option, a symbol without a type, a variable, a function. */
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
  /** What the VAR is of, or the FUNC_PROTO, behind modifiers and typedefs. */
  readonly type: TypeId;
  /** Of an option. */
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

/** In the order in which libbpf sorts them, which is that of `2002000000 + n`. */
export type Externs = { readonly list: readonly Extern[]; readonly failure: Failure | null };

const UNDEFINED = 0;
const GLOBAL = 1;
const WEAK = 2;
const EXTERN_LINKAGE = 2;

/** The externs of an object; libbpf stops at the first that it cannot use. */
export function collectExterns({ types, symbols, sections }: ObjectModel): Externs {
  const found: Extern[] = [];
  for (let row = 0; row < symbols.count; row++) {
    const symbol = symbolIndex(row);
    const binding = symbolBinding(symbols, symbol);
    const isExtern =
      sections.type[symbols.table[row] ?? 0] === SHT.symtab &&
      symbols.shndx[row] === UNDEFINED &&
      (binding === GLOBAL || binding === WEAK) &&
      symbolType(symbols, symbol) === SymbolType.NOTYPE;
    const name = isExtern ? symbolName(symbols, symbol) : '';
    if (name === '') continue;
    const number = symbols.indexInTable[row] ?? 0;
    const one = types === null ? noBtf(name) : describe(types, name, number, binding === WEAK);
    if ('errno' in one) return { list: sorted(found), failure: one };
    found.push(one);
  }
  return { list: sorted(found), failure: null };
}

function noBtf(name: string): Failure {
  return failed('ESRCH', `failed to find BTF for extern '${name}': -3`);
}

function describe(t: TypeTable, name: string, symbol: number, weak: boolean): Extern | Failure {
  const btfId = externByName(t, name);
  if (typeof btfId === 'string') {
    return failed(btfId, `failed to find BTF for extern '${name}': ${errnoNumberOf(btfId)}`);
  }
  const section = sectionOf(t, btfId);
  if (section === null) {
    return failed('ENOENT', `failed to find BTF for extern '${name}' [${btfId}] section: -2`);
  }
  const sectionName = nameOf(t, section);
  const isFunc = kindOf(t, btfId) === BtfKind.FUNC;
  const of = typeId(sizeOrTypeOf(t, btfId));
  const type = skipModifiers(t, of);
  const base = { name, weak, symbol, btfId, type };
  if (sectionName === KSYMS) {
    const kind = isFunc ? 'func ksym' : type === 0 ? 'ksym' : 'var ksym';
    return { ...base, kind, kconfig: null };
  }
  if (sectionName !== KCONFIG) {
    return failed('ENOTSUP', `unrecognized extern section '${sectionName}'`);
  }
  if (isFunc) {
    return failed('ENOTSUP', `extern function ${name} is unsupported under ${KCONFIG} section`);
  }
  const kconfig = kconfigTypeOf(t, of);
  if (kconfig === null) return failed('ENOTSUP', `extern (kcfg) '${name}': type is unsupported`);
  const slot = {
    type: kconfig,
    signed: kindOf(t, type) === BtfKind.INT && (intData(t, type).encoding & 1) !== 0,
    size: Number(sizeOf(t, of) ?? 0n),
    align: alignOf(t, of),
    offset: 0,
  };
  return { ...base, kind: 'kcfg', kconfig: slot };
}

function errnoNumberOf(name: string): number {
  return name === 'EINVAL' ? -22 : -2;
}

/** Source: find_extern_btf_id. */
function externByName(t: TypeTable, name: string): TypeId | 'ENOENT' | 'EINVAL' {
  for (let n = 1; n <= lastId(t); n++) {
    const id = typeId(n);
    const kind = kindOf(t, id);
    if ((kind !== BtfKind.VAR && kind !== BtfKind.FUNC) || nameOf(t, id) !== name) continue;
    const linkage = kind === BtfKind.VAR ? varLinkage(t, id) : vlenOf(t, id);
    return linkage === EXTERN_LINKAGE ? id : 'EINVAL';
  }
  return 'ENOENT';
}

/** Source: find_extern_sec_btf_id. */
function sectionOf(t: TypeTable, extern: TypeId): TypeId | null {
  for (let n = 1; n <= lastId(t); n++) {
    const id = typeId(n);
    if (kindOf(t, id) !== BtfKind.DATASEC) continue;
    if (varSecinfosOf(t, id).some(({ type }) => type === extern)) return id;
  }
  return null;
}

/** Source: cmp_externs; then the places of options, as bpf_object__collect_externs gives them. */
function sorted(found: readonly Extern[]): Extern[] {
  const list = [...found].sort(
    (a, b) =>
      Number(a.kconfig === null) - Number(b.kconfig === null) ||
      (b.kconfig?.align ?? 0) - (a.kconfig?.align ?? 0) ||
      (a.kconfig?.size ?? 0) - (b.kconfig?.size ?? 0) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  let end = 0;
  return list.map((extern) => {
    if (extern.kconfig === null) return extern;
    const { align, size } = extern.kconfig;
    const offset = Math.ceil(end / align) * align;
    end = offset + size;
    return { ...extern, kconfig: { ...extern.kconfig, offset } };
  });
}
