// Tools of the samples: the compiler, and tools that read its output. Their paths, the versions
// with which the committed samples were built, and their counts for the index.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { countTypes2026 } from './btf-2026.mjs';
import { countTypes } from './distill.mjs';
import { countRelocations } from './ecoff.mjs';

/** Versions of the tools that affect the bytes. Change them only together with the samples. */
const VERSIONS = {
  'clang-19': 'Debian clang version 19.1.7 (3~deb12u1)',
  'llvm-strip-19': 'LLVM version 19.1.7',
  'llvm-objcopy-19': 'LLVM version 19.1.7',
  pahole: 'v1.24',
};
/** Tools that only read: any version works. */
const READERS = ['llvm-readelf-19', 'llvm-objdump-19', 'bpftool'];

export const INSTALL_HINT = 'apt-get install clang-19 llvm-19 pahole bpftool';

const PATHS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];

function find(tool) {
  return PATHS.map((directory) => join(directory, tool)).find((file) => existsSync(file)) ?? null;
}

/** Returns why the samples cannot be built with the same bytes; null if they can. */
export function obstacle() {
  const missing = [...Object.keys(VERSIONS), ...READERS].filter((tool) => find(tool) === null);
  if (missing.length > 0) return `${missing.join(', ')} not installed (${INSTALL_HINT})`;
  for (const [tool, wanted] of Object.entries(VERSIONS)) {
    const found = run([tool, '--version']);
    if (!found.includes(wanted)) {
      return `${tool} is "${found.trim().split('\n')[0]}", the samples are from "${wanted}"`;
    }
  }
  return null;
}

/** Runs a command line (a list of words) and returns its output. Throws if the command fails. */
export function run([tool, ...words], cwd = process.cwd()) {
  const file = tool === 'node' ? process.execPath : find(tool);
  if (file === null) throw new Error(`${tool} is not installed`);
  return execFileSync(file, words, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 });
}

/** Returns what the tools print about a sample, with white space as single spaces. */
export function textsOf({ file, base }, cwd) {
  const plain = (words) => run(words, cwd).replace(/\s+/g, ' ');
  const isBpf = file.endsWith('.o');
  return {
    objdump: isBpf ? plain(['llvm-objdump-19', '-dr', file]) : '',
    readelf:
      isBpf || isDistilled(file) ? plain(['llvm-readelf-19', '-S', '-s', '-r', '-W', file]) : '',
    btf:
      isFuture(file, cwd) || isDistilled(file) || isEcoff(file) || isAtlas(file)
        ? ''
        : plain(['bpftool', ...(base ? ['-B', base] : []), 'btf', 'dump', 'file', file]),
  };
}

/**
 * Returns the numbers of types, ELF relocations and CO-RE records of a sample, according to tools.
 */
export function countsOf({ file, source }, texts, cwd) {
  if (isEcoff(file)) {
    const description = JSON.parse(readFileSync(join(cwd, source), 'utf8'));
    return { types: 0, relocations: countRelocations(description), core: 0 };
  }
  if (isAtlas(file)) return { types: 0, relocations: 0, core: 0 };
  const entries = [
    ...texts.readelf.matchAll(/Relocation section '[^']*' at offset \S+ contains (\d+) entries/g),
  ];
  return {
    types: typeCount(file, texts, cwd),
    relocations: entries.reduce((sum, [, count]) => sum + Number(count), 0),
    core: [...texts.objdump.matchAll(/: CO-RE </g)].length,
  };
}

function typeCount(file, texts, cwd) {
  if (isFuture(file, cwd)) return countTypes2026(readFileSync(join(cwd, file)));
  if (isDistilled(file)) return countTypes(readFileSync(join(cwd, 'module.own')));
  return [...texts.btf.matchAll(/\[\d+\] [A-Z0-9_]+ '/g)].length;
}

/** True for Alpha eCOFF objects. Their counts are from the description: no tool prints them. */
function isEcoff(file) {
  return file.endsWith('.ecoff');
}

/** True for an atlas of kernels, which only btfscope reads. */
function isAtlas(file) {
  return file.endsWith('.btfatlas');
}

/** True for a module with `.BTF.base`, which bpftool 7.1 does not know. */
function isDistilled(file) {
  return file.endsWith('.ko');
}

/** True for a blob with a header of 32 bytes, which bpftool 7.1 cannot open. */
function isFuture(file, cwd) {
  return file.endsWith('.btf') && readFileSync(join(cwd, file)).readUInt32LE(4) === 32;
}
