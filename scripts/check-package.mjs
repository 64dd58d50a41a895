// Packs the npm package, installs it into an empty folder, and uses its page, command and library.
// Needs dist/, dist-cli/ and dist-lib/. Fails if the package has unexpected files, is too large,
// needs a build or another package, or does not work on this Node. `--everywhere` also tests other
// versions of Node, and the library on Deno and Bun, if npm can install them.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkLibrary } from './check-library.mjs';
import { npm, runtimesFor } from './runtimes.mjs';

const LIMIT = 4_000_000;
/** Patterns of the files that the package may contain. Other files are an error. */
const MEANT = [
  /^README\.md$|^LICENSE$|^package\.json$|^bin\/btfscope\.mjs$/,
  /^dist\/(index\.html|embed\.(html|css)|service-worker\.js|btfscope-embed\.js|licences\.txt|manifest\.webmanifest|favicon\.svg|icon-\d+\.png)$/,
  /^dist\/assets\/[\w.~-]+\.(js|css)$/,
  /^dist\/samples\/[\w.-]+\.(o|btf|btfatlas|ko|ecoff|json|md)$/,
  /^dist-cli\/[\w-]+\.mjs$/,
  /^dist-lib\/(lib|bytes|formats|model|ingest|analysis|print|packages|_virtual)\/[\w@/.-]+\.js$/,
  /^dist-lib\/lib\/\w+\.d\.ts$/,
  /^dist-cli\/btfscope\.1$/,
];

const root = fileURLToPath(new URL('..', import.meta.url));
const sample = join(root, 'public/samples/kinds.bpf.o');
const folder = mkdtempSync(join(tmpdir(), 'btfscope package '));

try {
  const [packed] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
  );
  const paths = packed.files.map(({ path }) => path);
  const others = paths.filter((path) => !MEANT.some((pattern) => pattern.test(path)));
  expect(others.length === 0, `files that are not meant: ${others.join(', ')}`);
  for (const pattern of MEANT) {
    expect(
      paths.some((path) => pattern.test(path)),
      `no file is ${pattern}`,
    );
  }
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  expect(packed.size <= LIMIT, `${megabytes(packed.size)} is more than ${megabytes(LIMIT)}`);
  console.log(
    `${packed.filename}: ${paths.length} files, ${megabytes(packed.size)} packed, ${megabytes(packed.unpackedSize)} installed`,
  );

  // Runs the command of the release workflow with a registry that does not exist.
  const nowhere = ['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'];
  const tarball = join(folder, packed.filename);
  npm(['publish', '--dry-run', '--ignore-scripts', '--silent', ...nowhere, tarball], root);

  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  // With --offline any request to a registry fails.
  npm(['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], folder);
  const help = npm(['exec', '--offline', '--', 'btfscope', '--help'], folder);
  expect(help.startsWith('usage: btfscope FILE'), 'npx btfscope --help');
  const runtimes = runtimesFor(folder, process.argv.includes('--everywhere'));
  for (const { name, command } of runtimes.filter((runtime) => /^Node/.test(runtime.name))) {
    await checkCommand(name, command);
  }
  await checkLibrary(folder, runtimes);
  console.log(`Installed and used on Node ${process.versions.node}.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Checks the command with a version of Node. */
async function checkCommand(name, [node]) {
  const entry = join(folder, 'node_modules/btfscope/bin/btfscope.mjs');
  const run = (...words) => execFileSync(node, [entry, ...words], { encoding: 'utf8' });
  expect(run('--help').startsWith('usage: btfscope FILE'), `--help on ${name}`);
  const declared = run('c', sample);
  expect(declared.includes('struct ') && declared.includes('#endif'), `c FILE on ${name}`);
  await checkPage(node, entry);
  console.log(`${name}: the command and its page`);
}

/** Checks that `btfscope FILE` serves the page and the file until it is stopped. */
async function checkPage(node, entry) {
  const child = spawn(node, [entry, sample, '--no-open', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const address = await new Promise((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
        const found = /(http:\S+)\nPress Ctrl\+C to stop\.\n/.exec(text);
        if (found !== null) resolve(new URL(found[1]));
      });
      child.on('exit', (status) => reject(new Error(`btfscope FILE ended with ${status}`)));
    });
    const page = await fetch(address);
    expect(page.ok && (await page.text()).includes('<title>btfscope</title>'), 'the page');
    const file = await fetch(new URL('files/kinds.bpf.o', address));
    expect(Buffer.from(await file.arrayBuffer()).equals(readFileSync(sample)), 'the file');
  } finally {
    child.kill();
  }
}

function expect(isTrue, what) {
  if (!isTrue) throw new Error(`The package is not as meant: ${what}`);
}
