// Uses the library as other programs do: runs docs/examples, type-checks a program without src/,
// and bundles small pages. scripts/check-package.mjs calls this with an installed package.
//
// As a command, it runs the examples on dist-lib/ and rewrites docs/examples/output/.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { NODE } from './runtimes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLES = join(root, 'docs/examples');

/** Checks the package installed in `folder` with each runtime. Throws if a check fails. */
export async function checkLibrary(folder, runtimes) {
  cpSync(EXAMPLES, join(folder, 'examples'), { recursive: true });
  for (const runtime of runtimes) {
    const count = runExamples(join(folder, 'examples'), runtime.command);
    console.log(`${runtime.name}: ${count} examples print what they should`);
  }
  checkTypes(folder);
  await checkBundles(folder);
}

/** Runs the examples of a folder with a command; returns their number. */
function runExamples(folder, command) {
  const names = exampleNames();
  for (const name of names) {
    const expected = readFileSync(outputFile(name), 'utf8').replaceAll('\r\n', '\n');
    const printed = runExample(join(folder, name), command);
    if (printed !== expected) {
      throw new Error(
        `${name} with ${command.join(' ')} printed:\n${printed}\ninstead of:\n${expected}`,
      );
    }
  }
  return names.length;
}

function exampleNames() {
  return readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'));
}

function outputFile(name) {
  return join(EXAMPLES, 'output', name.replace('.mjs', '.txt'));
}

/** Runs an example with the arguments in its second line; their paths are relative to the root. */
function runExample(file, [program, ...words]) {
  const [, line = ''] = readFileSync(file, 'utf8').split(/\r?\n/);
  const [, given] = /^\/\/ node docs\/examples\/\S+ (.*)$/.exec(line) ?? [];
  if (given === undefined) throw new Error(`${file}: its second line is not how to run it`);
  const args = [...given.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
  const text = execFileSync(program, [...words, file, ...args], { cwd: root, encoding: 'utf8' });
  return text.replaceAll('\r\n', '\n');
}

/** Type-checks a program against the package: strict, without DOM, Node's types and src/. */
function checkTypes(folder) {
  const consumer = `
import { type CoreResult, compare, cText, decode, Malformed, maps, open, openAtlas, type Type } from 'btfscope';

export async function use(bytes: Uint8Array): Promise<number | null> {
  try {
    const signal = { throwIfAborted: () => undefined };
    const file = await open(bytes, { name: 'a.o', member: ['a', 'b'], signal });
    for (const { bitOffset } of (await (await openAtlas(bytes)).member('a', 'b')).kernels.values()) decode(file.types.get(bitOffset)!, bytes);
    const type: Type | null = file.types.find('task_struct', 'struct');
    const offset: number | undefined = type?.member('se.vruntime')?.bitOffset;
    const text: string = cText(file.types, { unsorted: true });
    for (const { value } of await maps(file)) if (value !== null) decode(value, bytes).toC();
    const state: CoreResult['state'] = 'same';
    return compare(file.types, file.types).same + text.length + (offset ?? 0) + state.length;
  } catch (error) {
    if (error instanceof Malformed) return error.issue.span?.start ?? null;
    throw error;
  }
}
`;
  for (const module of ['nodenext', 'preserve']) {
    const options = {
      module,
      target: 'es2022',
      lib: ['es2022'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const config = JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] });
    writeFileSync(join(folder, 'consumer.ts'), consumer);
    writeFileSync(join(folder, 'tsconfig.json'), config);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', folder], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  console.log('TypeScript takes the types without our sources');
}

/**
 * Scripts of small pages. Each sets `globalThis.counted` to a function that returns a file's number
 * of types.
 */
const APPS = {
  'one function': `
import { open } from 'btfscope';
globalThis.counted = async (bytes) => (await open(bytes)).types.count;
`,
  'all of the library': `
import * as btfscope from 'btfscope';
globalThis.counted = async (bytes) => (await btfscope.open(bytes)).types.count;
globalThis.btfscope = btfscope;
`,
};

/** Builds each page with Vite, checks its size, and runs its script in Node (without a DOM). */
async function checkBundles(folder) {
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="/app.mjs"></script>');
  const bytes = readFileSync(join(root, 'public/samples/kernel.btf'));
  for (const [number, [name, code]] of Object.entries(APPS).entries()) {
    writeFileSync(join(folder, 'app.mjs'), code);
    const outDir = join(folder, `app-${number}`);
    const options = { outDir, assetsDir: '', modulePreload: false };
    await build({ root: folder, configFile: false, logLevel: 'error', build: options });
    const files = readdirSync(outDir).filter((file) => file.endsWith('.js'));
    const all = files.map((file) => readFileSync(join(outDir, file)));
    const kilobytes = (list) =>
      (list.reduce((sum, { length }) => sum + length, 0) / 1000).toFixed(0);
    const packed = kilobytes(all.map((file) => gzipSync(file)));
    console.log(`Vite app, ${name}: ${kilobytes(all)} kB of scripts, ${packed} kB by gzip`);
    const entry = files.find((file) => file.startsWith('index-'));
    await import(pathToFileURL(join(outDir, entry)).href);
    const count = await globalThis.counted(bytes);
    if (count !== 82) throw new Error(`the app counts ${count} types in kernel.btf, not 82`);
  }
}

if (process.argv[1]?.endsWith('check-library.mjs')) {
  mkdirSync(join(EXAMPLES, 'output'), { recursive: true });
  for (const name of exampleNames()) {
    writeFileSync(outputFile(name), runExample(join(EXAMPLES, name), NODE.command));
  }
}
