/** Names the CO-RE relocation of an instruction that the loader made invalid. */
import { coreRecord, coreRecordsAt } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { isCutOf, type LogBinding } from './typed-value.ts';

/** Returns the only CO-RE record of an instruction of the bound program as text; null without one. */
export function coreRecordText({ object, program }: LogBinding, insn: number): string | null {
  if (object === null || object.types === null || program === null) return null;
  const func = functionsOf(object).find((one) => one.isProgram && isCutOf(program, one.name));
  const offset = func === undefined ? 0 : func.start + insn * 8;
  if (func === undefined || offset >= func.end) return null;
  const [index, other] = coreRecordsAt(object, func.section, offset);
  if (index === undefined || other !== undefined) return null;
  const { kindName, root, accessStr, kind } = coreRecord(object, index);
  const { spec } = walkAccess(object.types, root, accessStr, kind);
  return `${kindName} of \`${spec.replace(/ \([^()]*\)$/, '')}\``;
}
