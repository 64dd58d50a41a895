// Functions of src/ that scripts/verifier-logs.mjs calls.
import { unifiedDiff } from '#analysis/load/source-diff.ts';
import { explainLog } from '#testing/explain-log.ts';
import { answerFaults } from '#testing/verifier-programs.ts';

/**
 * Returns what is wrong with the answer about a log, by the marks of the program's source, and the
 * repair as a unified diff, or null.
 */
export async function judge(log, program, object, source) {
  const answer = await explainLog(log, program, new Uint8Array(object));
  const diff = answer.edit === null ? null : unifiedDiff([answer.edit]);
  return { faults: answerFaults(source, answer), diff, message: answer.error?.line ?? '' };
}
