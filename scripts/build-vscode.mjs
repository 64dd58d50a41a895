// Builds the files of the VS Code extension into editors/vscode/dist: its script, the single-file
// page, icon and licences. `npm run package` in editors/vscode runs this script, then packs the
// extension.
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { licencesText } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = join(root, 'editors/vscode/dist');

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir,
    emptyOutDir: true,
    ssr: 'editors/vscode/src/extension.ts',
    // Node 20 is part of VS Code 1.90, the oldest version that the extension supports.
    target: 'node20',
    rolldownOptions: {
      external: ['vscode'],
      output: { format: 'cjs', entryFileNames: 'extension.cjs' },
    },
  },
});
execFileSync(process.execPath, [join(root, 'scripts/build-single.mjs')], { stdio: 'inherit' });
copyFileSync(join(root, 'dist-single/btfscope.html'), join(outDir, 'btfscope.html'));
copyFileSync(join(root, 'public/icon-192.png'), join(outDir, 'icon.png'));
writeFileSync(join(outDir, 'licences.txt'), licencesText());
