/**
 * The reasons for which a kernel refuses a program at BPF_PROG_LOAD, as far as files tell. Each
 * rule is a function of its own; `programRefusals` asks all of them.
 */
import { typeId } from '#model/ids.ts';
import { nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import type { DependsOn } from './dependency.ts';
import { fieldRefusals } from './field-refusals.ts';
import type { ReachCode, WalkedKfunc } from './flow.ts';
import { funcModel } from './func-model.ts';
import { instructionSet } from './instruction-set.ts';
import { kernelTypes, type LoadKernel } from './kernel.ts';
import { missingHelper, missingProgramType } from './kernel-enums.ts';
import { kfuncModels, kfuncTags } from './kfunc-calls.ts';
import type { MapTypes } from './map-fields.ts';
import type { MapNumbers } from './map-numbers.ts';
import { traceFaults } from './traceable.ts';

/** Why the kernel refuses a map or program. */
export type Refusal = DependsOn & {
  /** Step of loading: maps, type, attach, instruction, field, kfunc or helper. */
  readonly step: string;
  /** The reason as one sentence; names are raw text. */
  readonly text: string;
  /** The kernel's log line, exactly; null if it prints none. */
  readonly line: string | null;
  /** Instruction slot, counted in the program with its subprograms; null for none. */
  readonly insn: number | null;
  /**
   * `always`: before the verifier, or in its first pass over all instructions. `reached`: only if
   * the verifier reaches the instruction.
   */
  readonly pass: 'always' | 'reached';
  /** False if the refusal depends on what is not known of the kernel. */
  readonly isSure?: boolean;
  /** Kind of instruction that the refusal is about: a program's refusals of a kind are one reason. */
  readonly kind?: string;
  /** Number of the helper that the refusal is about; absent for others. */
  readonly helper?: number;
};

/** A map as the kernel gets it: `union bpf_attr` of BPF_MAP_CREATE. */
export type KernelMap = MapNumbers & {
  /** Name in the object, as raw text. */
  readonly name: string;
  /** Name in the kernel, as raw text of at most 15 bytes. */
  readonly kernelName: string;
  /** Name of the section that defines the map or becomes the map, as raw text. */
  readonly section: string;
  /** True for a map that libbpf takes from the BPF file system if it is there. */
  readonly isPinned: boolean;
  /** What the kernel makes of the types of key and value; null if it creates the map without. */
  readonly types: MapTypes | null;
  /** Why the kernel creates the map without types, as a clause; empty if it has them. */
  readonly whyUntyped: string;
};

/** A kfunc that a program calls. */
export type CalledKfunc = {
  /** Name in the kernel, as raw text: that of the object without its flavour. */
  readonly name: string;
  /** Id of the FUNC in `types`. */
  readonly btfId: number;
  /** BTF of the kernel or of the module that has the kfunc. */
  readonly module: string | null;
};

/** A program as BPF_PROG_LOAD gets it, with the calls and loads that relocations tell. */
export type KernelProgram = ReachCode & {
  readonly name: string;
  /** Kind by section name, as `fentry.s`; empty if libbpf knows none. */
  readonly kind: string;
  /** Types of the object; null without BTF. */
  readonly types: TypeTable | null;
  /** Attach target in the BTF of the kernel or of a module; null for none. */
  readonly attach: { readonly btfId: number; readonly module: string | null } | null;
  /** Number of records with function information that libbpf passes; 0 without BTF. */
  readonly funcInfoCount: number;
  /** Kfunc of each slot that calls one. */
  readonly kfuncs: ReadonlyMap<number, CalledKfunc & WalkedKfunc>;
  /** Map of each slot that loads its address or a place in its value. */
  readonly maps: ReadonlyMap<number, KernelMap>;
  /** Offset in bytes in the value of a section's map, for each slot that loads such an address. */
  readonly offsets: ReadonlyMap<number, number>;
};

type Rule = (program: KernelProgram, kernel: LoadKernel) => readonly Refusal[];

/** The rules, in the order in which the kernel applies them. */
const RULES: readonly Rule[] = [
  programType,
  kfuncModels,
  attachTarget,
  instructionSet,
  fieldRefusals,
  kfuncTags,
  helpers,
];

/** Returns why the kernel refuses a program, in the order in which it meets the reasons. */
export function programRefusals(program: KernelProgram, kernel: LoadKernel): readonly Refusal[] {
  return RULES.flatMap((rule) => rule(program, kernel));
}

function programType({ type }: KernelProgram, kernel: LoadKernel): readonly Refusal[] {
  const text = missingProgramType(kernel, type);
  return text === null ? [] : [{ step: 'type', text, line: null, insn: null, pass: 'always' }];
}

/** Returns why the kernel refuses the function to which a program is to be attached. */
function attachTarget({ kind, attach }: KernelProgram, kernel: LoadKernel): readonly Refusal[] {
  const types = attach === null ? null : kernelTypes(kernel, attach.module);
  if (attach === null || types === null) return [];
  const id = typeId(attach.btfId);
  const func = {
    name: nameOf(types, id),
    model: funcModel(types, typeId(sizeOrTypeOf(types, id))),
    btfId: id,
  };
  return traceFaults(kind, func, kernel).map(({ when, text, line, isSure, dependsOn }) => ({
    step: 'attach',
    text,
    line,
    insn: null,
    pass: 'always',
    // A program that cannot be attached is loaded all the same.
    isSure: isSure && when === 'load',
    dependsOn,
  }));
}

function helpers({ helpers: called, types }: KernelProgram, kernel: LoadKernel): Refusal[] {
  return [...called].flatMap(([insn, helper]): Refusal[] => {
    const text = missingHelper(kernel, types, helper);
    return text === null
      ? []
      : [
          {
            step: 'helper',
            text,
            line: `invalid func unknown#${helper}`,
            insn,
            pass: 'reached',
            helper,
          },
        ];
  });
}
