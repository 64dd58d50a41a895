/**
 * What libbpf makes of extern variables and functions when it opens an object:
 * the kernel knows none, so they become variables that have their place.
 *
 * Source: libbpf.c, bpf_object__collect_externs, find_extern_btf_id,
 * find_extern_sec_btf_id, find_kcfg_type, cmp_externs.
 */
import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { BTF_TYPE_SIZE, BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { paramsOf, varSecinfosOf } from '#model/type-items.ts';
import {
  arrayData,
  infoOf,
  intData,
  kindOf,
  lastId,
  nameOf,
  nameOffOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import { firstInt32, type LoadedCopy, shortName } from './fixup-copy.ts';

const GLOBAL = 1;
const EXTERN = 2;
const INT_BYTES = 4;
const BOOL = 4;

export const KCONFIG = '.kconfig';
export const KSYMS = '.ksyms';

/** An option as `.kconfig` lays it out; bytes. */
type KconfigExtern = {
  readonly name: string;
  readonly size: number;
  readonly align: number;
};

/** An extern of the symbol table, or why libbpf gives up. */
type Found = { readonly section: TypeId; readonly kconfig: KconfigExtern | null } | string;

/** Rewrites `.ksyms` and `.kconfig`. Gives what libbpf would complain of, or null. */
export function rewriteExterns(
  copy: LoadedCopy,
  externs: readonly string[],
  dummy: TypeId | null,
): string | null {
  const known = new Set<string>();
  const kconfigs: KconfigExtern[] = [];
  let ksymsSection: TypeId | null = null;
  let kconfigSection: TypeId | null = null;
  const index = indexExterns(copy.table);
  for (const name of externs) {
    const found = findExtern(copy.table, index, name);
    if (typeof found === 'string') return found;
    known.add(name);
    if (found.kconfig === null) ksymsSection = found.section;
    else {
      kconfigs.push(found.kconfig);
      kconfigSection = found.section;
    }
  }
  const wrong = ksymsSection === null ? null : rewriteKsyms(copy, ksymsSection, known, dummy);
  if (wrong !== null) return wrong;
  return kconfigSection === null ? null : rewriteKconfig(copy, kconfigSection, kconfigs);
}

export type ExternIndex = {
  /** The first VAR or FUNC of a name. */
  readonly byName: ReadonlyMap<string, TypeId>;
  /** The first DATASEC that lists a type. */
  readonly sectionOf: ReadonlyMap<TypeId, TypeId>;
};

/** One pass over the types. Source: find_extern_btf_id, find_extern_sec_btf_id. */
export function indexExterns(t: TypeTable): ExternIndex {
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

function findExtern(t: TypeTable, { byName, sectionOf }: ExternIndex, name: string): Found {
  const shown = shortName(name);
  const id = byName.get(name);
  if (id === undefined) return `There is no BTF for the extern ${shown}.`;
  const isFunc = kindOf(t, id) === BtfKind.FUNC;
  if (!isDeclared(t, id)) {
    return `The symbol ${shown} is extern, but its BTF, type ${id}, is not.`;
  }
  const section = sectionOf.get(id);
  if (section === undefined) return `No DATASEC lists the extern ${shown}, type ${id}.`;
  const sectionName = nameOf(t, section);
  if (sectionName === KSYMS) return { section, kconfig: null };
  if (sectionName !== KCONFIG) {
    return `The extern ${shown} is in ${shortName(sectionName)}; libbpf supports externs in ${KSYMS} and ${KCONFIG} only.`;
  }
  if (isFunc) return `The extern ${shown} in ${KCONFIG} is a function.`;
  const type = typeId(sizeOrTypeOf(t, id));
  if (kconfigTypeOf(t, type) === null)
    return `The extern ${shown} has a type that ${KCONFIG} cannot have.`;
  const size = Number(sizeOf(t, type) ?? 0n);
  const align = alignOf(t, type);
  if (size === 0 || align === 0) return `The extern ${shown} has no size.`;
  return { section, kconfig: { name, size, align } };
}

/** Is the linkage of the VAR or FUNC `id` extern? */
export function isDeclared(t: TypeTable, id: TypeId): boolean {
  return (kindOf(t, id) === BtfKind.FUNC ? vlenOf(t, id) : varLinkage(t, id)) === EXTERN;
}

export type KconfigType = 'bool' | 'char' | 'int' | 'tristate' | 'char array';

/** What libbpf takes an extern of `.kconfig` for; null where it supports no such type. Source: find_kcfg_type. */
export function kconfigTypeOf(t: TypeTable, id: TypeId): KconfigType | null {
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
      // An array of arrays is as deep as its record says: one level is looked at.
      const isChar =
        kindOf(t, skipModifiers(t, elemType)) === BtfKind.INT &&
        kconfigTypeOf(t, elemType) === 'char';
      return nelems > 0 && isChar ? 'char array' : null;
    }
    default:
      return null;
  }
}

/** Each extern becomes an int, one behind another; functions become global ones and the stand-in is listed. */
function rewriteKsyms(
  copy: LoadedCopy,
  section: TypeId,
  known: ReadonlySet<string>,
  dummy: TypeId | null,
): string | null {
  const t = copy.table;
  const int = firstInt32(t);
  const items = varSecinfosOf(t, section);
  for (const { index, type } of items) {
    const name = nameOf(t, type);
    const shown = shortName(name);
    const kind = kindOf(t, type);
    if (!known.has(name)) return `${KSYMS} lists ${shown}, for which there is no symbol.`;
    if (kind === BtfKind.FUNC) rewriteFunc(copy, section, index, type, dummy);
    else if (kind !== BtfKind.VAR) return `${KSYMS} lists ${shown}, no variable or function.`;
    else {
      const target = copy.offsetIn(type, 8);
      const linkage = copy.offsetIn(type, BTF_TYPE_SIZE);
      copy.setWord(type, linkage, GLOBAL, () => `libbpf makes the extern ${shown} global.`);
      copy.setWord(type, target, int, () => `libbpf gives the extern ${shown} the type int.`);
    }
    const offset = copy.itemOffset(section, 12, index, 1);
    const size = copy.itemOffset(section, 12, index, 2);
    const place = () => `libbpf gives ${shown} a place of 4 bytes in ${KSYMS}.`;
    copy.setWord(section, offset, INT_BYTES * index, place);
    copy.setWord(section, size, INT_BYTES, place);
  }
  const total = INT_BYTES * items.length;
  const sentence = () => `libbpf counts 4 bytes for each extern in ${KSYMS}.`;
  copy.setWord(section, copy.offsetIn(section, 8), total, sentence);
  return null;
}

function rewriteFunc(
  copy: LoadedCopy,
  section: TypeId,
  index: number,
  func: TypeId,
  dummy: TypeId | null,
): void {
  const t = copy.table;
  const name = copy.nameFor(func);
  const proto = typeId(sizeOrTypeOf(t, func));
  const stand = dummy ?? typeId(0);
  for (const param of paramsOf(t, proto)) {
    if (param.type === 0 || param.nameOff !== 0) continue;
    const sentence = () =>
      `libbpf names argument ${param.index + 1} of ${name}, which has no name.`;
    copy.setWord(proto, copy.itemOffset(proto, 8, param.index, 0), nameOffOf(t, stand), sentence);
  }
  const listed = copy.itemOffset(section, 12, index, 0);
  copy.setWord(section, listed, stand, () => `libbpf lists its own variable in place of ${name}.`);
  const info = ((infoOf(t, func) & ~0xffff) | GLOBAL) >>> 0;
  const sentence = () => `libbpf makes the extern function ${name} global.`;
  copy.setWord(func, copy.offsetIn(func, 4), info, sentence);
}

/** The most aligned first, then the smallest, then by name. Source: cmp_externs. */
export function compareKconfig(a: KconfigExtern, b: KconfigExtern): number {
  return b.align - a.align || a.size - b.size || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Where libbpf puts each of the options, and the bytes of all. */
export function layOutKconfig(externs: readonly KconfigExtern[]): {
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

function rewriteKconfig(
  copy: LoadedCopy,
  section: TypeId,
  externs: readonly KconfigExtern[],
): string | null {
  const t = copy.table;
  const { places, size } = layOutKconfig(externs);
  const sizeSentence = () => `libbpf lays out ${KCONFIG} and computes its size.`;
  copy.setWord(section, copy.offsetIn(section, 8), size, sizeSentence);
  for (const { index, type } of varSecinfosOf(t, section)) {
    const name = nameOf(t, type);
    const shown = shortName(name);
    const place = places.get(name);
    if (place === undefined) return `${KCONFIG} lists ${shown}, for which there is no symbol.`;
    if (kindOf(t, type) !== BtfKind.VAR) return `${KCONFIG} lists ${shown}, no variable.`;
    const linkage = copy.offsetIn(type, BTF_TYPE_SIZE);
    copy.setWord(type, linkage, GLOBAL, () => `libbpf makes the extern ${shown} global.`);
    const sentence = () => `libbpf gives ${shown} its place in ${KCONFIG}.`;
    copy.setWord(section, copy.itemOffset(section, 12, index, 1), place, sentence);
  }
  return null;
}
