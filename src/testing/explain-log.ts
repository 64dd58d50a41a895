/** Explains the log of a program for tests, beside the program's object. */
import { type Answer, answerFor } from '#analysis/verifier/answer.ts';
import { logTableSteps } from '#analysis/verifier/log-table.ts';
import { codeOf, programCodes } from '#analysis/verifier/program-codes.ts';
import { finish } from '#bytes/long-work.ts';
import { bufferSource } from '#bytes/source.ts';
import { openModel } from './open-model.ts';

/** Returns the answer about the first log of the verifier in a text. Throws if there is none. */
export async function explainLog(
  text: string,
  program: string,
  bytes: Uint8Array | null,
): Promise<Answer> {
  const table = finish(logTableSteps(new TextEncoder().encode(text)));
  const part = table.parts.find(({ kind }) => kind === 'verifier');
  if (part === undefined) throw new Error(`${program}: no log in the text`);
  if (bytes === null) return answerFor(table, part, { object: null, program, kernel: null });
  const object = await openModel(`${program}.o`, bytes);
  const codes = await programCodes({ model: object, source: bufferSource(program, bytes) });
  return answerFor(table, part, { object, program, kernel: null, code: codeOf(codes, program) });
}
