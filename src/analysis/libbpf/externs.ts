/**
 * The names that an object leaves to the kernel, as libbpf collects them when it opens the object.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object__collect_externs and what it calls. Lines are those
 * that libbpf logs, without `libbpf: `. Names in them are raw.
 */

import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { SHT } from '#formats/elf/constants.ts';
import { symbolIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { symbolBinding, symbolName } from '#model/symbols.ts';
import {
  intData,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { errnoNumber, type Failure, failed } from './failure.ts';
import {
  compareKconfig,
  type ExternIndex,
  indexExterns,
  isDeclared,
  KCONFIG,
  type KconfigType,
  KSYMS,
  kconfigTypeOf,
  layOutKconfig,
} from './fixup-externs.ts';
import { isExternSymbol } from './fixups.ts';

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

const WEAK = 2;

/** The externs of an object; libbpf stops at the first that it cannot use. */
export function collectExterns({ types, symbols, sections }: ObjectModel): Externs {
  const found: Extern[] = [];
  const index = types === null ? null : indexExterns(types);
  for (let row = 0; row < symbols.count; row++) {
    const symbol = symbolIndex(row);
    const isIn = sections.type[symbols.table[row] ?? 0] === SHT.symtab;
    const name = isIn && isExternSymbol(symbols, symbol) ? symbolName(symbols, symbol) : '';
    if (name === '') continue;
    const number = symbols.indexInTable[row] ?? 0;
    const isWeak = symbolBinding(symbols, symbol) === WEAK;
    const one =
      types === null || index === null
        ? noBtf(name, 'ESRCH')
        : describe(types, index, { name, number, isWeak });
    if ('errno' in one) return { list: sorted(found), failure: one };
    found.push(one);
  }
  return { list: sorted(found), failure: null };
}

function noBtf(name: string, errno: string, where = ''): Failure {
  const number = errnoNumber({ errno });
  return failed(errno, `failed to find BTF for extern '${name}'${where}: ${number}`);
}

type Symbol = { readonly name: string; readonly number: number; readonly isWeak: boolean };

function describe(
  t: TypeTable,
  { byName, sectionOf }: ExternIndex,
  { name, number, isWeak }: Symbol,
): Extern | Failure {
  const btfId = byName.get(name);
  if (btfId === undefined) return noBtf(name, 'ENOENT');
  if (!isDeclared(t, btfId)) return noBtf(name, 'EINVAL');
  const section = sectionOf.get(btfId);
  if (section === undefined) return noBtf(name, 'ENOENT', ` [${btfId}] section`);
  const sectionName = nameOf(t, section);
  const isFunc = kindOf(t, btfId) === BtfKind.FUNC;
  const of = typeId(sizeOrTypeOf(t, btfId));
  const type = skipModifiers(t, of);
  const base = { name, weak: isWeak, symbol: number, btfId, type };
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

/** Options before all others, which are in the order of their names. Source: cmp_externs. */
function sorted(found: readonly Extern[]): Extern[] {
  const options = found.flatMap(({ name, kconfig }) =>
    kconfig === null ? [] : { name, ...kconfig },
  );
  const { places } = layOutKconfig(options);
  const slotOf = ({ name, kconfig }: Extern) =>
    kconfig === null ? { name, size: 0, align: 0 } : { name, ...kconfig };
  return found
    .toSorted((a, b) => compareKconfig(slotOf(a), slotOf(b)))
    .map((extern) =>
      extern.kconfig === null
        ? extern
        : { ...extern, kconfig: { ...extern.kconfig, offset: places.get(extern.name) ?? 0 } },
    );
}

/** As strtoull with base 0 reads it, to the end of the text. Source: parse_u64. */
export function parseNumber(value: string): bigint | null {
  const [, sign = '', digits = ''] = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|\d+)$/.exec(value) ?? [];
  if (digits === '' || digits.length > 40) return null;
  const isOctal = /^0[0-7]+$/.test(digits);
  if (!isOctal && /^0\d/.test(digits)) return null;
  const number = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  if (number >= 1n << 64n) return null;
  return BigInt.asUintN(64, sign === '-' ? -number : number);
}

/** As `enum libbpf_tristate` has them. */
const TRISTATE = ['n', 'y', 'm'];

/** The number that an option has in `.kconfig`; null for text, and where nothing is known of it. */
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
