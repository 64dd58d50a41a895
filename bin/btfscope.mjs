#!/usr/bin/env node
// The installed command; loads the program that `npm run build` makes from src/cli.
import { existsSync } from 'node:fs';

const built = new URL('../dist-cli/main.mjs', import.meta.url);
if (existsSync(built)) {
  await import(built.href);
} else {
  process.stderr.write('btfscope: not built yet; run "npm run build" first\n');
  process.exitCode = 1;
}
