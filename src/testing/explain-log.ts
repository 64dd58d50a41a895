/** Explains the log of a program for tests, beside the program's object. */
import { type Answer, answerFor } from '#analysis/verifier/answer.ts';
import { logTableSteps } from '#analysis/verifier/log-table.ts';
import { finish } from '#bytes/long-work.ts';
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
  const object = bytes === null ? null : await openModel(`${program}.o`, bytes);
  return answerFor(table, part, { object, program, kernel: null });
}
