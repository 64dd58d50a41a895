// Writes the files of a release and their checksums into a new folder: `node
// scripts/release-files.mjs FOLDER`. Needs the output of `npm run build`, `npm run build:single`
// and `npm run docs:api`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from './runtimes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv[2] === undefined) throw new Error('usage: release-files.mjs FOLDER');
const folder = resolve(process.argv[2]);
mkdirSync(folder);

npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
const sbom = npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], root);
JSON.parse(sbom);
writeFileSync(join(folder, 'btfscope.cdx.json'), sbom);
copyFileSync(join(root, 'dist-single/btfscope.html'), join(folder, 'btfscope.html'));
const site = join(folder, 'btfscope-site.tar.gz');
execFileSync('tar', ['-czf', site, '--exclude=*.map', '-C', join(root, 'dist'), '.']);

const sums = readdirSync(folder)
  .toSorted()
  .map((name) => {
    const sum = createHash('sha256').update(readFileSync(join(folder, name)));
    return `${sum.digest('hex')}  ${name}\n`;
  });
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
console.log(sums.join('').trimEnd());
