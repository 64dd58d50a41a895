// Builds testdata/ from testdata/src: objects of every compiler and byte order, small
// kernels with modules, damaged files, and the output of other tools for each.
//
//   node scripts/build-testdata.mjs           builds all files, writes testdata/MANIFEST.json
//   node scripts/build-testdata.mjs --check   fails if a file differs from the manifest
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeArchives } from './testdata/archives.mjs';
import { writeCoreOracle } from './testdata/core-oracle.mjs';
import { writeEcoff } from './testdata/ecoff.mjs';
import { writeEdges } from './testdata/edges.mjs';
import { writeExamples } from './testdata/examples.mjs';
import { buildKernels } from './testdata/kernels.mjs';
import { writeMerges } from './testdata/merges.mjs';
import { buildObjects, writeGoldens } from './testdata/objects.mjs';
import { buildRandomCases } from './testdata/random-cases.mjs';
import { writeReach } from './testdata/reach.mjs';
import { INSTALL_HINT, missingTools, Output, sha256Of, toolVersions } from './testdata/tools.mjs';
import { kernelLine, writeValidity } from './testdata/validity.mjs';
import { writeVerifier } from './testdata/verifier.mjs';

const HOME = fileURLToPath(new URL('../testdata/', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../public/samples/src/', import.meta.url));
/** A fixed path, because GCC writes the path of its directory into .BTF. */
const WORK = '/tmp/btfscope-testdata';
/** Files in testdata/ that this script does not build: written by hand, by others, or in `dwarf/` and `relocs/`. */
const KEPT = new Set(['README.md', 'MANIFEST.json', 'dwarf', 'relocs', 'schemas', 'src']);

if (process.argv[2] === '--check') check();
else build();

function build() {
  const missing = missingTools();
  if (missing.length > 0) {
    console.error(`testdata: cannot build: ${missing.join(', ')} not installed (${INSTALL_HINT})`);
    process.exitCode = 1;
    return;
  }
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  cpSync(join(HOME, 'src'), join(WORK, 'src'), { recursive: true });
  cpSync(SAMPLES, join(WORK, 'src/samples'), { recursive: true });
  const outputFolder = join(WORK, 'made');
  const output = new Output(outputFolder);
  for (const group of [
    'prog',
    'prog-be',
    'prog-cpu',
    'prog-opt',
    'prog-nodebug',
    'prog-dwarf',
    'hand',
    'hand-be',
    'gcc',
    'gcc-be',
    'linked',
  ]) {
    mkdirSync(join(WORK, 'objects', group), { recursive: true });
  }
  const objects = buildObjects(WORK, output);
  const { kernels, modules } = buildKernels(WORK, output);
  const random = buildRandomCases(WORK, output);
  const locals = random.map(({ id, local }) => ({ id, file: local }));
  const targets = random.flatMap((row) =>
    row.targets.map(({ btf }, n) => ({ id: `${row.id}__t${n}`, file: btf })),
  );
  writeGoldens(WORK, output, objects, false, 'objects');
  writeGoldens(WORK, output, locals, false, 'random/local');
  writeGoldens(WORK, output, targets, true, 'random/targets');
  const rows = writeCoreOracle(WORK, output, { objects, random, kernels, modules });
  console.log('testdata: CO-RE rows', rows);
  console.log('testdata: merges', writeMerges(WORK, output));
  console.log('testdata: validity rows', writeValidity(WORK, output, objects));
  console.log('testdata: edge rows', writeEdges(WORK, output, kernelLine(WORK)));
  writeEcoff(WORK, output, join(SAMPLES, '..'));
  writeExamples(WORK, output);
  writeReach(WORK, output);
  writeVerifier(WORK, output, HOME);
  writeArchives(WORK, output, join(SAMPLES, '..'));
  const manifest = { objects, random, debian: [] };
  output.writeJson('objects/MANIFEST.json', manifest, 'scripts/build-testdata.mjs');
  const files = Object.fromEntries([...output.files].sort(([a], [b]) => (a < b ? -1 : 1)));
  output.writeJson('MANIFEST.json', { tools: toolVersions(), files }, '');
  for (const name of readdirSync(HOME)) {
    if (!KEPT.has(name)) rmSync(join(HOME, name), { recursive: true });
  }
  cpSync(outputFolder, HOME, { recursive: true });
  const total = [...output.files.values()].reduce((sum, { size }) => sum + size, 0);
  console.log(`testdata: ${output.files.size} files, ${total} bytes`);
}

/** Checks that the files and the rows of the manifest match, by name and hash. */
function check() {
  const { files } = JSON.parse(readFileSync(join(HOME, 'MANIFEST.json'), 'utf8'));
  const paths = readdirSync(HOME, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(HOME.length))
    .filter((file) => !KEPT.has(file.split('/')[0]));
  const faults = paths
    .filter((file) => files[file] === undefined)
    .map((file) => `${file}: no maker`);
  for (const [file, { sha256 }] of Object.entries(files)) {
    if (!existsSync(join(HOME, file))) faults.push(`${file}: is missing`);
    else if (sha256Of(readFileSync(join(HOME, file))) !== sha256)
      faults.push(`${file}: has another sha256`);
  }
  for (const fault of faults) console.error(`testdata: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`testdata: ${paths.length} files are what the manifest says`);
}
