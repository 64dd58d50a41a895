/**
 * Calls of kfuncs that the kernel refuses, as far as its BTF tells. Source: kernel/bpf/verifier.c:
 * add_kfunc_call (before the first instruction), check_kfunc_call.
 */
import { typeId } from '#model/ids.ts';
import { sizeOrTypeOf } from '#model/type-table.ts';
import { funcModel } from './func-model.ts';
import { addressOf } from './kallsyms.ts';
import { kernelTypes, type LoadKernel } from './kernel.ts';
import { taggedKfuncs } from './kfuncs.ts';
import type { CalledKfunc, KernelProgram, Refusal } from './refusals.ts';
import { absentText, protoFault } from './traceable.ts';

/** Returns a refusal for each kfunc whose address or prototype the kernel cannot use. */
export function kfuncModels({ kfuncs }: KernelProgram, kernel: LoadKernel): readonly Refusal[] {
  return unique(kfuncs).flatMap(([insn, { name, btfId, module }]): Refusal[] => {
    const address = addressOf(name, kernel);
    const types = kernelTypes(kernel, module);
    const base = { step: 'kfunc', insn, pass: 'always' } as const;
    if (address?.is === 'absent') {
      const line = `cannot find address for kernel function ${name}`;
      return [{ ...base, text: absentText(name, address.copies), line }];
    }
    if (types === null) return [];
    const model = funcModel(types, typeId(sizeOrTypeOf(types, typeId(btfId))));
    const fault = protoFault(name, model, kernel);
    if (fault === null) return [];
    const { text, line, isSure, dependsOn } = fault;
    return [{ ...base, text, line, isSure, dependsOn }];
  });
}

/** A part of the names of most kfuncs, some of which pahole leaves without a tag. */
const OF_KFUNCS = 'bpf_';

/** Returns a refusal for each called function without the tag `bpf_kfunc`, if others have it. */
export function kfuncTags({ kfuncs }: KernelProgram, kernel: LoadKernel): readonly Refusal[] {
  return [...kfuncs].flatMap(([insn, { name, btfId, module }]): Refusal[] => {
    const types = kernelTypes(kernel, module);
    const tagged = types === null ? null : taggedKfuncs(types);
    if (tagged === null || tagged.size === 0 || tagged.has(typeId(btfId))) return [];
    const text = `${name} is no kfunc: it has no tag bpf_kfunc in the kernel's BTF.`;
    const line = `calling kernel function ${name} is not allowed`;
    const isSure = !name.includes(OF_KFUNCS);
    return [{ step: 'kfunc', text, line, insn, pass: 'reached', isSure }];
  });
}

/** Returns the first call of each kfunc, with its slot. */
function unique(kfuncs: ReadonlyMap<number, CalledKfunc>): [number, CalledKfunc][] {
  const seen = new Set<string>();
  return [...kfuncs].filter(([, { btfId, module }]) => {
    const key = `${btfId} ${module}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
