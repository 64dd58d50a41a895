/** Places of a log's instructions in its object. */
import { coreRecord, coreRecordsAt } from '#analysis/core/core-records.ts';
import { type ProgramPart, slotPlace } from '#analysis/libbpf/program-parts.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { isCutOf, type LogBinding } from '#analysis/verifier/typed-value.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';

type InsnSelection = Extract<Selection, { readonly kind: 'insn' }>;

/** The object and program of a log; `functions` are those of the program in the object. */
export type InsnBinding = Pick<LogBinding, 'object' | 'program'> & {
  readonly functions?: readonly ProgramPart[];
};

/**
 * Returns the place of an instruction of the bound program in the object, also in its subprograms;
 * null without the object, or for an instruction that the object does not have.
 */
export function insnSelection(
  { object, program, functions = [] }: InsnBinding,
  insn: number,
): InsnSelection | null {
  if (object === null) return null;
  const place = slotPlace(functions, insn);
  if (place !== null) {
    const { section, insnOff } = place;
    const isWithin = functions.some(
      (one) => one.section === section && insnOff >= one.start && insnOff < one.end,
    );
    return isWithin ? { kind: 'insn', section, insnOff } : null;
  }
  const programs = functionsOf(object).filter(({ isProgram }) => isProgram);
  const own =
    program === null
      ? programs.length === 1
        ? programs[0]
        : undefined
      : programs.find(({ name }) => isCutOf(program, name));
  if (own === undefined || own.start + insn * 8 >= own.end) return null;
  return { kind: 'insn', section: own.section, insnOff: own.start + insn * 8 };
}

/** Returns the CO-RE records of an instruction of the bound program, with their numbers. */
export function recordsOf(
  binding: InsnBinding,
  insn: number,
): readonly { readonly core: CoreIndex; readonly number: number }[] {
  const place = insnSelection(binding, insn);
  const { object } = binding;
  if (place === null || object === null) return [];
  return coreRecordsAt(object, place.section, place.insnOff).map((core) => ({
    core,
    number: coreRecord(object, core).relocIndexInSection,
  }));
}

/** Instructions that libbpf made invalid, as the kernel prints them, and as libbpf's log has them. */
const POISONED = /^(?:call unknown#(?:195896080|200[12]\d{6})\b|<invalid )/;

/** Returns true for the printed text of an instruction that libbpf made invalid. */
export function isPoisoned(printed: string): boolean {
  return POISONED.test(printed);
}
