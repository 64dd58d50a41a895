import { parseArgs } from 'node:util';
import { PARTS } from './parts.mjs';

const NAMES = Object.keys(PARTS);
const WIDTH = Math.max(...NAMES.map((name) => name.length)) + 2;

export const USAGE = `node scripts/bench.mjs [--file PATH] [--runs N] [--throttle X] [--only PARTS] [--markdown]
  --file PATH   the file to drop; without it this machine's /sys/kernel/btf/vmlinux
  --runs N      how often each figure is taken; 5 unless told
  --throttle X  the page's main thread X times slower; workers keep their speed
  --markdown    under headings and in fences, as docs/performance.md has it
  --only PARTS  some of these, with commas between them
${NAMES.map((name) => `    ${name.padEnd(WIDTH)}${PARTS[name].about}`).join('\n')}`;

/** Parses the command line. Throws with a message for an invalid option. */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      file: { type: 'string' },
      runs: { type: 'string', default: '5' },
      throttle: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs);
  const throttle = Number(values.throttle);
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error(`--runs wants a whole number from 1 on\n${USAGE}`);
  if (!(throttle >= 1)) throw new Error(`--throttle wants a number from 1 on\n${USAGE}`);
  const parts = values.only === '' ? NAMES : values.only.split(',');
  if (!parts.every((part) => NAMES.includes(part)))
    throw new Error(`--only wants some of ${NAMES.join(', ')}\n${USAGE}`);
  const { help, markdown } = values;
  return { file: values.file ?? null, runs, throttle, help, markdown, parts };
}
