// Builds an atlas: node atlas-run.mjs OUT.btfatlas NAME=KERNEL.btf…, where NAME has the kernel's version.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBuilt } from '../import-built.mjs';

const [, , out, ...kernels] = process.argv;
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-atlas-'));
try {
  const { atlasBytes } = await importBuilt('src/testing/small-atlas.ts', scratch);
  const blobs = kernels.map((word) => {
    const [name, file] = word.split('=');
    return [name, new Uint8Array(readFileSync(file))];
  });
  writeFileSync(out, await atlasBytes(Object.fromEntries(blobs)));
} finally {
  rmSync(scratch, { recursive: true });
}
