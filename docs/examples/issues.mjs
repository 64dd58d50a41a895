// Prints what is wrong with a file: what cannot be read, and what a closer look finds.
// node docs/examples/issues.mjs testdata/edge/elf_cut_04756.o.zst
import { readFile } from 'node:fs/promises';
import { argv, exit } from 'node:process';
import { lint, Malformed, open, visible } from 'btfscope';

const [path] = argv.slice(2);
try {
  const file = await open(await readFile(path), { name: path });
  for (const issue of await lint(file)) show(issue);
} catch (error) {
  // Nothing of the file can be read.
  if (!(error instanceof Malformed)) throw error;
  show(error.issue);
  exit(1);
}

function show({ severity, code, message, span, expected, found }) {
  const place = span === null ? '' : ` at byte ${span.start}`;
  console.log(`${severity} ${code}${place}: ${visible(message)}`);
  if (expected !== undefined) console.log(`  expected ${expected}, found ${found}`);
}
