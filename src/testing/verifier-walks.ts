/** Walks of logs of the verifier. */
import { buildWalk, type Walk } from '#analysis/verifier/walk.ts';
import { logTable } from './verifier-logs.ts';

/** Returns the walk of the log in a text, of the first one if it has several. */
export function walkOfText(text: string | Uint8Array): Walk {
  const table = logTable(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  const part = table.parts.find(({ kind }) => kind === 'verifier');
  if (part === undefined) throw new Error('the text has no log of the verifier');
  return buildWalk(table, part);
}
