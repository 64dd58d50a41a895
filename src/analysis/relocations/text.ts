/** What a relocation entry does, as one or two plain sentences. Names in them are raw text. */

import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import type { SectionRole } from '#analysis/objects/section-role.ts';
import { signedHex } from '#bytes/text.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';

type Facts = Omit<RelocationMeaning, 'words'>;

const R_BPF_NONE = 0;
const R_BPF_64_64 = 1;
const R_BPF_64_32 = 10;

/** `rType` is the number of the type, `facts` all that is known of the entry. */
export function relocationText(model: ObjectModel, rType: number, facts: Facts): string {
  if (!isBpf(model)) return otherMachine(model, facts);
  if (!facts.known) return bpfRelocationType(rType).description;
  if (rType === R_BPF_NONE) return 'Does nothing.';
  return `${written(model, facts)} ${purpose(rType, facts)}`;
}

/** `Writes 0x8, 32 bits, to byte 0x3c of .text.` */
function written(model: ObjectModel, { result, site }: Facts): string {
  const value = result === null ? 'a value that cannot be told' : number(result);
  if (site === null) return `Would write ${value}, but names no section to write to.`;
  return `Writes ${value}, ${site.bitSize} bits, to ${place(model, site)}.`;
}

function place(model: ObjectModel, site: NonNullable<Facts['site']>): string {
  return `byte ${number(BigInt(site.byteOffset))} of ${sectionName(model.sections, site.section)}`;
}

function purpose(rType: number, facts: Facts): string {
  const { target, belongsTo } = facts;
  switch (rType) {
    case R_BPF_64_64:
      return `The loader later puts ${addressOf(target)} into this ld_imm64.`;
    case R_BPF_64_32:
      return callPurpose(target);
    default:
      return dataPurpose(target, belongsTo);
  }
}

function dataPurpose(target: RelocationTarget | null, belongsTo: SectionRole): string {
  const name = nameOf(target);
  switch (belongsTo) {
    case 'btf':
      return `That is the offset of ${name} in its DATASEC. Loaders do not apply it: libbpf takes the offset of a global variable from the symbol table, and of a static one as it stands.`;
    case 'btf-ext':
      return `That is where a record of .BTF.ext finds its instruction in ${name}. It is no CO-RE relocation, and no loader applies it.`;
    case 'debug':
      return `It completes the debugging information about ${name}, which only debuggers read.`;
    default:
      return `That makes a word of data refer to ${name}.`;
  }
}

function callPurpose(target: RelocationTarget | null): string {
  if (target?.what === 'extern') {
    return `The call goes to ${target.name}, which is not in this file: a kernel function, or one that the linker finds.`;
  }
  return `The call goes to ${nameOf(target)}: imm counts instructions from the start of its section, less one.`;
}

function addressOf(target: RelocationTarget | null): string {
  switch (target?.what) {
    case 'map':
      return `the map ${target.name}`;
    case 'extern':
      return `what it finds under the name ${target.name} in the running kernel`;
    default:
      return `the address of ${nameOf(target)}`;
  }
}

function nameOf(target: RelocationTarget | null): string {
  return target === null ? 'a symbol without a name' : target.name;
}

function otherMachine(model: ObjectModel, facts: Facts): string {
  const { typeName, known, site, target } = facts;
  const what = target === null ? '' : ` to refer to ${target.name}`;
  const where = site === null ? 'no section that the file has' : place(model, site);
  return known
    ? `The linker changes ${where}${what}, as the processor supplement says for ${typeName}.`
    : `The linker changes ${where}${what}. What ${typeName} computes is not known here.`;
}

/** Hex, but small numbers as they are. */
function number(value: bigint): string {
  if (value > -10n && value < 10n) return `${value}`;
  return signedHex(value);
}
