// Parses the command line of `node scripts/fuzz.mjs`.
import { parseArgs } from 'node:util';

export const USAGE = `Feeds changed files to every reader, printer and analysis.

  node scripts/fuzz.mjs [--minutes 5] [--target NAME]… [--seed 1] [--list]
  node scripts/fuzz.mjs --target NAME --input FILE     runs one input, as a find is run again

Finds are written to .cache/fuzz/, with what went wrong. Exit code 1 when there are any.`;

/** Parses the arguments. Throws for unknown options. */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '5' },
      target: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: '1' },
      input: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  const seed = Number(values.seed);
  if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes} is no time`);
  if (!Number.isInteger(seed)) throw new Error(`--seed ${values.seed} is no whole number`);
  if (values.input !== undefined && values.target.length !== 1) {
    throw new Error('--input needs one --target');
  }
  return { ...values, targets: values.target, minutes, seed };
}
