import { parseArgs } from 'node:util';

export const USAGE = `node scripts/bench.mjs [--file PATH] [--runs N] [--throttle X] [--only page|tools|core]
  --file PATH   the file to drop; without it this machine's /sys/kernel/btf/vmlinux
  --runs N      fresh pages for each figure; 5 unless told
  --throttle X  the page's main thread X times slower; workers keep their speed
  --only PART   page: in the browser; tools: our command beside the field's tools;
                core: CO-RE relocations`;

/** What the command line asks for. Throws with a sentence when it cannot be done. */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      file: { type: 'string' },
      runs: { type: 'string', default: '5' },
      throttle: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs);
  const throttle = Number(values.throttle);
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error(`--runs wants a whole number from 1 on\n${USAGE}`);
  if (!(throttle >= 1)) throw new Error(`--throttle wants a number from 1 on\n${USAGE}`);
  if (!['', 'page', 'tools', 'core'].includes(values.only))
    throw new Error(`--only wants page, tools or core\n${USAGE}`);
  const isWanted = (part) => values.only === '' || values.only === part;
  return {
    file: values.file ?? null,
    runs,
    throttle,
    help: values.help,
    page: isWanted('page'),
    tools: isWanted('tools'),
    core: isWanted('core'),
  };
}
