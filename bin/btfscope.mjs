#!/usr/bin/env node
// The command as people call it. What it runs is built out of src/cli by `npm run build`.
import { existsSync } from 'node:fs';

const built = new URL('../dist-cli/main.mjs', import.meta.url);
if (existsSync(built)) {
  await import(built.href);
} else {
  process.stderr.write('btfscope: not built yet; run "npm run build" first\n');
  process.exitCode = 1;
}
