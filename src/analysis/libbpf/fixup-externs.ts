/**
 * The changes that libbpf makes to extern variables and functions in BTF when it opens an object:
 * the kernel knows none, so each becomes a variable with a place.
 *
 * Source: libbpf.c, bpf_object__collect_externs.
 */
import { BTF_TYPE_SIZE, BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { paramsOf, varSecinfosOf } from '#model/type-items.ts';
import { infoOf, kindOf, nameOf, nameOffOf, sizeOrTypeOf } from '#model/type-table.ts';
import { type Externs, KCONFIG, type KconfigOption, KSYMS, layOutKconfig } from './externs.ts';
import { firstInt32, type LoadedCopy, shortName } from './fixup-copy.ts';

const GLOBAL = 1;
const INT_BYTES = 4;

/** Rewrites `.ksyms` and `.kconfig`. Returns the reason why libbpf stops, as a sentence, or null. */
export function rewriteExterns(
  copy: LoadedCopy,
  { list, failure, sentence }: Externs,
  dummy: TypeId | null,
): string | null {
  if (failure !== null) return sentence;
  const options = list.flatMap(({ name, kconfig }) =>
    kconfig === null ? [] : { name, ...kconfig },
  );
  const known = new Set(list.map(({ name }) => name));
  const ksyms = list.findLast(({ kconfig }) => kconfig === null);
  const wrong = ksyms === undefined ? null : rewriteKsyms(copy, ksyms.section, known, dummy);
  const option = list.findLast(({ kconfig }) => kconfig !== null);
  return wrong ?? (option === undefined ? null : rewriteKconfig(copy, option.section, options));
}

/** Makes each extern an int, at consecutive places; functions become global, and `dummy` is listed for them. */
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

function rewriteKconfig(
  copy: LoadedCopy,
  section: TypeId,
  externs: readonly KconfigOption[],
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
