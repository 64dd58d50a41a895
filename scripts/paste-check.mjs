// Compares the workbench with clang 19 on whole programs:
// node scripts/paste-check.mjs --kernel BTF [-I DIR]… [--libbpf PREFIX] [--json FILE] FOLDER|FILE.c…
//
// Compiles each program of the folders (each .c file with SEC) with clang-19 for BPF, and with the
// workbench, which gets the program and the local headers that clang reads. vmlinux.h is made from
// the BTF of the kernel by bpftool. `-I` names folders of local headers. PREFIX is a folder with
// include/bpf; without it, the headers of libbpf are those of /usr. Prints a table, then each program
// that the workbench refuses and each difference that no note names. Ends with status 1 if there is
// such a difference. Prints why and ends with status 0 where clang-19 or bpftool is missing.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importBuilt } from './import-built.mjs';

const CLANG = 'clang-19';
/** Milliseconds after which clang is ended. */
const TIMEOUT = 120_000;
const PARALLEL = 2;
const LARGEST_DUMP = 1 << 28;
/** Bytes of a vmlinux.h that the workbench leaves out: it takes types from the BTF of the kernel. */
const LARGEST_HEADER = 500_000;
const OUTCOMES = [
  ['same', 'equal, with the same ids'],
  ['documented', 'equal up to what docs/workbench.md says'],
  ['noted', 'different, and a note names what differs'],
  ['refused', 'refused by the workbench'],
  ['no clang', 'refused by clang'],
  ['silent', 'different, and no note names it'],
];

const { values, positionals } = parseArgs({
  options: {
    kernel: { type: 'string' },
    include: { type: 'string', short: 'I', multiple: true, default: [] },
    libbpf: { type: 'string', default: '/usr' },
    json: { type: 'string' },
  },
  allowPositionals: true,
});
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-paste-check-'));

async function main() {
  const hindrance = whyImpossible();
  if (hindrance !== null) {
    console.log(`nothing is compared: ${hindrance}`);
    return;
  }
  const btf = readFileSync(values.kernel);
  const vmlinux = join(scratch, 'vmlinux');
  mkdirSync(vmlinux);
  const dump = ['btf', 'dump', 'file', values.kernel, 'format', 'c'];
  writeFileSync(
    join(vmlinux, 'vmlinux.h'),
    execFileSync('bpftool', dump, { maxBuffer: LARGEST_DUMP }),
  );
  const { openKernel, compare } = await importBuilt('scripts/paste-check/compare-run.mjs', scratch);
  const kernel = await openKernel(basename(values.kernel), btf);
  const paths = positionals.flatMap((path) => programsIn(resolve(path)));
  const rows = [];
  await inParallel(paths, async (path, i) => {
    const name = relative(process.cwd(), path);
    const object = join(scratch, `${i}.o`);
    const { error, headers } = await compileWithClang(path, object, vmlinux);
    // The workbench takes the first header whose name fits: those beside the program come first.
    const beside = headers.filter((header) => dirname(header) === dirname(path));
    const files = [...new Set([path, ...beside, ...headers])]
      .map((name) => ({ name, text: readFileSync(name, 'utf8') }))
      .filter(({ name, text }) => basename(name) !== 'vmlinux.h' || text.length < LARGEST_HEADER);
    const found =
      error === null
        ? await compare(files, readFileSync(object), kernel)
        : { outcome: 'no clang', lines: [error] };
    rows.push({ name, ...found });
    rmSync(object, { force: true });
  });
  rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  report(rows);
}

/** Returns why nothing can be compared, or null. */
function whyImpossible() {
  if (spawnSync(CLANG, ['--version']).status !== 0) return `there is no ${CLANG}`;
  if (spawnSync('bpftool', ['version']).status !== 0) return 'there is no bpftool';
  if (values.kernel === undefined) return 'name the BTF of a kernel with --kernel';
  return positionals.length === 0 ? 'name programs or folders of them' : null;
}

/** Returns the BPF programs at a path, in the order of names. Links are not followed. */
function programsIn(path) {
  const stat = lstatSync(path);
  if (stat.isDirectory()) {
    return readdirSync(path)
      .sort()
      .flatMap((name) => programsIn(join(path, name)));
  }
  return path.endsWith('.c') && stat.isFile() && /\bSEC\s*\(/.test(readFileSync(path, 'utf8'))
    ? [path]
    : [];
}

/** Compiles a program. Returns clang's first error or null, and the local headers that it read. */
async function compileWithClang(path, object, vmlinux) {
  const dependencies = `${object}.d`;
  const folders = [dirname(path), ...values.include.map((folder) => resolve(folder))];
  // vmlinux.h of kernels that are built with -fms-extensions needs it: `struct { struct tagged; }`.
  const words = [
    '-w',
    '-fms-extensions',
    '-g',
    '-O2',
    '--target=bpf',
    '-D__TARGET_ARCH_x86',
    '-D__x86_64__',
  ];
  // The workbench calls the program a.c, and each header by its path as `main` passes it.
  words.push(`-fmacro-prefix-map=${path}=a.c`);
  for (const folder of folders) words.push('-I', folder);
  for (const folder of [vmlinux, join(values.libbpf, 'include')]) words.push('-isystem', folder);
  words.push('-isystem', '/usr/include/x86_64-linux-gnu', '-MMD', '-MF', dependencies);
  let { status, text } = await run(CLANG, [...words, '-c', path, '-o', object]);
  // Newer programs need atomics or jumps that the oldest instruction set does not have.
  if (status !== 0) {
    ({ status, text } = await run(CLANG, [...words, '-mcpu=v4', '-c', path, '-o', object]));
  }
  if (status !== 0) {
    const line = text.split('\n').find((each) => /error:/.test(each)) ?? `status ${status}`;
    return { error: line, headers: [] };
  }
  const [, ...headers] = readFileSync(dependencies, 'utf8')
    .replace(/^[^:]*:/, '')
    .split(/[\s\\]+/)
    .filter((word) => word !== '');
  rmSync(dependencies);
  return { error: null, headers: headers.filter((file) => existsSync(file)) };
}

function run(command, words) {
  return new Promise((settle) => {
    const child = spawn(command, words, { timeout: TIMEOUT, stdio: ['ignore', 'ignore', 'pipe'] });
    const parts = [];
    child.stderr.on('data', (bytes) => parts.push(bytes));
    child.on('close', (status) => settle({ status, text: Buffer.concat(parts).toString() }));
  });
}

async function inParallel(items, work) {
  const left = items.entries();
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (const [i, item] of left) await work(item, i);
    }),
  );
}

function report(rows) {
  console.log(`${rows.length} programs`);
  for (const [outcome, words] of OUTCOMES) {
    const count = rows.filter((row) => row.outcome === outcome).length;
    console.log(`${String(count).padStart(6)}  ${words}`);
  }
  for (const outcome of ['refused', 'silent']) {
    for (const { name, lines } of rows.filter((row) => row.outcome === outcome)) {
      console.log(`\n${outcome}: ${name}`);
      for (const line of lines) console.log(`  ${line}`);
    }
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, null, 1));
  if (rows.some(({ outcome }) => outcome === 'silent')) process.exitCode = 1;
}

await main().finally(() => rmSync(scratch, { recursive: true, force: true }));
