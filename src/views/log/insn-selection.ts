/** Places of a log's instructions in its object. */
import { coreRecord, coreRecordsAt } from '#analysis/core/core-records.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { isCutOf, type LogBinding } from '#analysis/verifier/typed-value.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';

type InsnSelection = Extract<Selection, { readonly kind: 'insn' }>;

/** Returns the instruction of the bound program; null beyond its end, in a subprogram. */
export function insnSelection({ object, program }: LogBinding, insn: number): InsnSelection | null {
  if (object === null) return null;
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
  binding: LogBinding,
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
