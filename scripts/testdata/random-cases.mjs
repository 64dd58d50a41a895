// Makes the random cases: a BPF program with random types, and four targets with changed types.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readElf } from './elf.mjs';
import { modelText, mutated, programText, randomModel, variablesText } from './random-c.mjs';
import { attempt, run, sha256Of } from './tools.mjs';

const CASES = 14;
const COMMON = ['-g', '-O2', '-std=gnu11', '-w', '-fdebug-compilation-dir=.'];
/** Number of changes, by target. */
const CHANGES = [2, 6, 16, 30];

/** Builds the cases. Returns their rows for the manifest: the local object and its targets. */
export function buildRandomCases(work, output) {
  return Array.from({ length: CASES }, (_, i) => buildCase(work, output, i + 1));
}

function buildCase(work, output, seed) {
  const id = String(seed).padStart(3, '0');
  const folder = `objects/random/${id}`;
  mkdirSync(join(work, folder), { recursive: true });
  const model = randomModel(seed, { structs: 4 + (seed % 4), enums: 3 });
  const isBig = seed % 6 === 0;
  const localArgs = [`--target=${isBig ? 'bpfeb' : 'bpfel'}`, '-mcpu=v4', ...COMMON];
  const object = `${folder}/local.o`;
  const compiles = [6, 3].some((infos) => {
    writeFileSync(join(work, folder, 'local.c'), programText(model, seed, infos));
    const command = ['clang-19', ...localArgs, '-c', `${folder}/local.c`, '-o', object];
    return attempt(command, { cwd: work }).status === 0;
  });
  if (!compiles) throw new Error(`clang cannot compile the random case ${seed}`);
  run(['llvm-strip-19', '-g', object], { cwd: work });
  const bytes = readFileSync(join(work, object));
  output.write(
    object,
    bytes,
    `random-c.mjs, seed ${seed}; clang-19 ${localArgs.join(' ')}; llvm-strip-19 -g`,
  );
  const targets = CHANGES.map((count, n) => {
    const { model: changed, words } = mutated(model, 1000 * seed + n, count);
    const source = `${folder}/t${n}.c`;
    writeFileSync(join(work, source), `${modelText(changed)}${variablesText(changed)}`);
    const isOther = seed % 9 === 0 ? !isBig : isBig;
    return { ...buildTarget(work, output, folder, n, source, isOther, seed), mutations: words };
  });
  return {
    seed,
    id: `random__${id}`,
    local: object,
    local_args: localArgs,
    size: bytes.length,
    sha256: sha256Of(bytes),
    targets,
  };
}

function buildTarget(work, output, folder, n, source, isBig, seed) {
  const btf = `${folder}/t${n}.btf`;
  const file = `${folder}/t${n}.o`;
  const byGcc = n === 3 && !isBig;
  const compile = byGcc
    ? [
        'gcc',
        '-g',
        '-std=gnu11',
        '-w',
        '-fno-eliminate-unused-debug-types',
        '-c',
        source,
        '-o',
        file,
      ]
    : ['clang-19', `--target=${isBig ? 'bpfeb' : 'bpfel'}`, ...COMMON, '-c', source, '-o', file];
  run(compile, { cwd: work });
  if (byGcc) run(['pahole', '-J', `--btf_encode_detached=${btf}`, file], { cwd: work });
  else {
    const section = readElf(readFileSync(join(work, file))).section('.BTF');
    writeFileSync(join(work, btf), section.data);
  }
  const bytes = readFileSync(join(work, btf));
  const how = byGcc ? `pahole -J --btf_encode_detached=${btf}` : 'the section .BTF';
  output.write(btf, bytes, `random-c.mjs, seed ${1000 * seed + n}; ${compile.join(' ')}; ${how}`);
  return {
    file: `t${n}.c`,
    compiler: compile[0],
    args: compile.slice(1),
    btf,
    size: bytes.length,
    sha256: sha256Of(bytes),
  };
}
