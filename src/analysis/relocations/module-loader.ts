/**
 * Tells what the kernel's module loader does with a relocation entry of a module. Source: Linux
 * 7.1.5, kernel/module/main.c (apply_relocations), and for each machine the function that the rules
 * name.
 */
import { EM, SHF } from '#formats/elf/constants.ts';
import type { RelocationType } from '#formats/elf/relocations/relocation-type.ts';
import { machineRelocations } from '#formats/elf/relocations/tables.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isNamed } from '#model/sections.ts';

type LoaderRules = {
  /** File and function of the kernel. */
  readonly source: string;
  /** Message for types without a rule, with `%` for the number; empty if not known. */
  readonly unknown: string;
  /** True if the bytes of the place must be 0 before. */
  readonly needsZero: boolean;
  /** What the loader does with types, by names without the machine's prefix. */
  readonly rules: readonly (readonly [types: RegExp, words: string])[];
};

const APPLIED = 'applied without a check';

const LOADERS: Readonly<Record<number, LoaderRules>> = {
  [EM.x86_64]: {
    source: 'arch/x86/kernel/module.c, __write_relocate_add',
    unknown: 'Unknown rela relocation: %',
    needsZero: true,
    rules: [
      [/^NONE$/, 'ignored'],
      [/^(?:64|PC64)$/, APPLIED],
      [/^32$/, 'applied; refused if the value does not fit 32 bits without sign'],
      [/^32S$/, 'applied; refused if the value does not fit 32 bits with sign'],
      [/^PC32$/, APPLIED],
      [/^PLT32$/, 'applied as PC32, without a check: there is no PLT'],
      [/^REX_GOTPCRELX$/, 'only for __stack_chk_guard: the address of a pointer in the kernel'],
    ],
  },
  [EM.i386]: {
    source: 'arch/x86/kernel/module.c, apply_relocate',
    unknown: 'Unknown relocation: %',
    needsZero: false,
    rules: [
      [/^32$/, APPLIED],
      [/^(?:PC32|PLT32)$/, APPLIED],
    ],
  },
  [EM.aarch64]: {
    source: 'arch/arm64/kernel/module.c, apply_relocate_add',
    unknown: 'unsupported RELA relocation: %',
    needsZero: false,
    rules: [
      [/^(?:NONE|NULL)$/, 'ignored'],
      [/^(?:ABS64|PREL64)$/, APPLIED],
      [/^ABS(?:32|16)$/, 'applied; refused if the value is negative or does not fit'],
      [/^PREL(?:32|16)$/, 'applied; refused if the value does not fit with sign'],
      [/^(?:MOVW_(?:UABS|SABS|PREL)_G\d(?:_NC)?)$/, 'applied, with the check of the supplement'],
      [/^(?:LD_PREL_LO19|ADR_PREL_LO21|TSTBR14|CONDBR19)$/, 'applied; refused if out of reach'],
      [
        /^ADR_PREL_PG_HI21$/,
        'applied; refused if out of reach; at offset 0xff8 or 0xffc of a page the adrp becomes an adr or a branch to a veneer (erratum 843419)',
      ],
      [/^ADR_PREL_PG_HI21_NC$/, APPLIED],
      [/^(?:ADD|LDST\d+)_ABS_LO12_NC$/, APPLIED],
      [/^(?:JUMP26|CALL26)$/, 'applied; out of reach, through an entry of the PLT of the module'],
    ],
  },
  [EM.riscv]: {
    source: 'arch/riscv/kernel/module.c, apply_relocate_add',
    unknown: '',
    needsZero: false,
    rules: [
      [/^(?:NONE|RELAX)$/, 'ignored'],
      [/^ALIGN$/, 'refused: modules are built without relaxation'],
      [/^32$/, 'applied; refused if the value does not fit'],
      [/^64$/, APPLIED],
      [/^(?:BRANCH|JAL|RVC_BRANCH|RVC_JUMP)$/, APPLIED],
      [/^CALL$/, 'applied; refused if out of reach of 32 bits'],
      [/^CALL_PLT$/, 'applied; out of reach, through an entry of the PLT of the module'],
      [/^GOT_HI20$/, 'applied, with an entry in the GOT of the module'],
      [/^(?:PCREL_HI20|HI20)$/, 'applied; refused if out of reach of 32 bits'],
      [/^PCREL_LO12_[IS]$/, 'applied with the value of the HI20 entry at the label'],
      [/^LO12_[IS]$/, APPLIED],
      [
        /^(?:(?:ADD|SUB)(?:8|16|32|64)|SUB6|SET(?:6|8|16|32)|(?:SET|SUB)_ULEB128)$/,
        'collected for each place, and written once with a check of the range',
      ],
      [/^(?:32_PCREL|PLT32)$/, 'applied'],
    ],
  },
  [EM.s390]: {
    source: 'arch/s390/kernel/module.c, apply_rela',
    unknown: '',
    needsZero: false,
    rules: [
      [/^NONE$/, 'ignored'],
      [/^(?:8|12|16|32|64)$/, 'applied; refused if the value does not fit without sign'],
      [/^20$/, 'applied; refused if the value does not fit 20 bits with sign'],
      [/^PC(?:16|32|64|16DBL|32DBL)$/, 'applied; refused if the value does not fit with sign'],
      [/^GOT(?:PLT)?(?:12|16|20|32|64|ENT)$/, 'applied, with an entry in the GOT of the module'],
      [/^PLT(?:16DBL|32DBL)$/, 'applied; out of reach, through an entry of the PLT of the module'],
      [/^(?:PLT32|PLT64|PLTOFF(?:16|32|64))$/, 'applied, with an entry in the PLT of the module'],
      [/^GOTOFF(?:16|32|64)$/, 'applied; refused if the value does not fit without sign'],
      [/^GOTPC(?:DBL)?$/, 'applied'],
    ],
  },
  [EM.ppc64]: {
    source: 'arch/powerpc/kernel/module_64.c, apply_relocate_add',
    unknown: '',
    needsZero: false,
    rules: [
      [/^(?:NONE|TOCSAVE)$/, 'ignored'],
      [/^(?:ADDR32|ADDR64|REL64)$/, APPLIED],
      [/^TOC$/, 'applied: the TOC of the module'],
      [/^TOC16(?:_DS)?$/, 'applied; refused if the value does not fit 16 bits with sign'],
      [/^TOC16_(?:LO|LO_DS|HA)$/, APPLIED],
      [
        /^REL24$/,
        'applied; to an undefined symbol through a stub, with the nop after the call replaced by the reload of r2; refused if out of reach',
      ],
      [/^REL32$/, 'applied; refused if the value does not fit 32 bits with sign'],
      [/^REL16_(?:HA|LO)$/, APPLIED],
      [/^ENTRY$/, 'the entry code becomes addis and addi where the TOC is within 2 GiB'],
      [
        /^(?:REL24_NOTOC|PCREL34|GOT_PCREL34)$/,
        'applied by kernels with CONFIG_PPC_KERNEL_PCREL, refused by others',
      ],
    ],
  },
};

export type LoaderAnswer = {
  readonly accepted: boolean;
  readonly words: string;
  /** File and function of the kernel. */
  readonly source: string;
};

/** Returns true if the file is a kernel module: it has the section of `struct module`. */
export function isKernelModule({ sections }: ObjectModel): boolean {
  for (let i = 1; i < sections.count; i++) {
    if (isNamed(sections, sectionIndex(i), '.gnu.linkonce.this_module')) return true;
  }
  return false;
}

/**
 * Returns what the module loader does with an entry that patches `section`; null for machines
 * without rules here. `before` are the bytes of the place, if they are known.
 */
export function moduleLoaderAnswer(
  model: ObjectModel,
  type: RelocationType,
  section: number,
  before: Uint8Array | null,
): LoaderAnswer | null {
  const machine = model.machine?.number ?? 0;
  const loader = LOADERS[machine];
  const prefix = machineRelocations(machine)?.prefix ?? '';
  if (loader === undefined) return null;
  const { source } = loader;
  if (((model.sections.flags[section] ?? 0n) & SHF.alloc) === 0n) {
    return { accepted: true, words: 'ignored: the section is not loaded', source };
  }
  const bare = type.name.slice(prefix.length);
  const words = loader.rules.find(([types]) => types.test(bare))?.[1];
  if (words === undefined) {
    const line = loader.unknown === '' ? '' : `: ${loader.unknown.replace('%', `${type.number}`)}`;
    return { accepted: false, words: `refused (ENOEXEC)${line}`, source };
  }
  const isZero = before?.every((byte) => byte === 0) ?? true;
  if (loader.needsZero && !isZero) {
    return {
      accepted: false,
      words: 'refused (ENOEXEC): the bytes of the place are not 0',
      source,
    };
  }
  return { accepted: !words.startsWith('refused'), words, source };
}
