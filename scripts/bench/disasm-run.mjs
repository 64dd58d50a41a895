// Disassembles objects to standard output as `llvm-objdump -dr` does. With --time as first argument
// it prints only the milliseconds.
import { readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { ingestBytes } from '#ingest/ingest.ts';
import { isBpf } from '#model/object-model.ts';
import { disassembly } from '#print/disassembly.ts';

const args = process.argv.slice(2);
const isTimed = args[0] === '--time';
const paths = isTimed ? args.slice(1) : args;
const start = performance.now();
for (const path of paths) {
  const bytes = new Uint8Array(readFileSync(path));
  const opened = await ingestBytes(basename(path), bytes);
  if (opened.kind !== 'object' || !isBpf(opened.model)) continue;
  const options = { path, raw: true, lines: false };
  for await (const batch of disassembly(opened.model, opened.source, options)) {
    const text = Buffer.from(`${batch.join('\n')}\n`);
    if (!isTimed) writeSync(1, text);
  }
}
if (isTimed) process.stdout.write(`${performance.now() - start}`);
