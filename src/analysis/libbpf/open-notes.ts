/** Notes on an object that opens: what another libbpf, or the kernel, does with it. */
import { functionsOf } from '#analysis/objects/functions.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { checkBtf } from './check-btf.ts';
import { asLoaded } from './fixups.ts';
import { sectionUses } from './section-uses.ts';

/** Returns the notes on an object as sentences with raw names. */
export function openNotes(model: ObjectModel): readonly string[] {
  return [loneFunction(model), refusedBtf(model)].filter((note) => note !== null);
}

/** Source: libbpf's commit "never interpret subprogs in .text as entry programs", of 2024. */
function loneFunction(model: ObjectModel): string | null {
  const [func, ...others] = functionsOf(model).filter(({ symbol }) => symbol !== null);
  const isLone = func !== undefined && others.length === 0;
  if (!isLone || sectionName(model.sections, func.section) !== '.text') return null;
  const line = `prog '${func.name}': missing BPF prog type, check ELF section name '.text'`;
  return `libbpf before 1.5 takes the only function of the object as a program and fails to load it: ${line}`;
}

/** Source: bpf_object__load_btf: without a struct_ops map, the BTF is optional. */
function refusedBtf(model: ObjectModel): string | null {
  // libbpf needs the BTF of an object with struct_ops variables.
  if (sectionUses(model).uses.includes('struct_ops')) return null;
  const loaded = asLoaded(model);
  const verdict = loaded === null ? null : checkBtf(loaded.blob, null).native;
  if (verdict?.verdict !== 'refused') return null;
  const { word, typeId } = verdict;
  const where = typeId === null ? '' : ` in type [${typeId}]`;
  return `Linux 6.18 refuses the BTF of the object (${word}${where}): libbpf warns of it, and loads maps and programs without types.`;
}
