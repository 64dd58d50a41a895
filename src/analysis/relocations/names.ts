/**
 * Names and types of the relocation entries of machines other than BPF. `formats/elf/relocations/`
 * has the tables, `formats/bpf/relocations.ts` BPF's types.
 */
import { EM } from '#formats/elf/constants.ts';
import { fieldBytes, sizedField } from '#formats/elf/relocations/relocation-field.ts';
import type { RelocationType } from '#formats/elf/relocations/relocation-type.ts';
import { relocationTypes } from '#formats/elf/relocations/tables.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';

/**
 * Returns the types of an entry: one, none for an unknown number, or the three of an entry of 64-bit
 * MIPS without the R_MIPS_NONE at the end.
 */
export function typesOfEntry(model: ObjectModel, reloc: RelocIndex): readonly RelocationType[] {
  const rType = model.relocations.type[reloc] ?? 0;
  return typesOf(model.machine?.number ?? 0, rType, model.addressBits);
}

function typesOf(machine: number, rType: number, addressBits: 32 | 64): readonly RelocationType[] {
  const types = relocationTypes(machine);
  const numbers = numbersOf(machine, rType, addressBits);
  while (numbers.length > 1 && numbers.at(-1) === 0) numbers.pop();
  const found = numbers.map((number) => types.get(number));
  return found.every((type) => type !== undefined) ? found : [];
}

/** Returns the type numbers in `r_type`: three in 64-bit MIPS, the low byte in SPARC V9. */
function numbersOf(machine: number, rType: number, addressBits: 32 | 64): number[] {
  if (machine === EM.sparcv9) return [rType & 0xff];
  if (machine !== EM.mips || addressBits === 32) return [rType];
  return [rType & 0xff, (rType >>> 8) & 0xff, (rType >>> 16) & 0xff];
}

/** Returns a type's name, or null. 64-bit MIPS entries can have three names, joined by slashes. */
export function relocationName(
  machine: number,
  rType: number,
  addressBits: 32 | 64,
): string | null {
  const types = typesOf(machine, rType, addressBits);
  return types.length === 0 ? null : types.map(({ name }) => name).join('/');
}

/** Returns the name that llvm-readelf 19 prints; null where it prints `Unknown`. */
export function llvmRelocationName(
  machine: number,
  rType: number,
  addressBits: 32 | 64,
): string | null {
  const types = relocationTypes(machine);
  const isMips64 = machine === EM.mips && addressBits === 64;
  const numbers = isMips64 ? numbersOf(machine, rType, addressBits) : [rType];
  const names = numbers.map((number) => types.get(number)?.llvmName ?? null);
  return names.includes(null) ? null : names.join('/');
}

/** Returns the type of an entry that writes: the last one that is no mark. Null without types. */
export function writingType(types: readonly RelocationType[]): RelocationType | null {
  return types.findLast(({ kind }) => kind !== 'mark') ?? types[0] ?? null;
}

/**
 * Returns how many bits from `r_offset` on a relocation reads and writes: the data word, or the
 * instructions with the field. 0 if there are none, or if the place states their number (ULEB128).
 */
export function relocationBits({ field }: RelocationType, addressBits: 32 | 64): number {
  return field === null ? 0 : 8 * fieldBytes(sizedField(field, addressBits));
}
