// Runs other tools and writes their results into testdata/.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const PATHS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** Tools, each with the option that prints its version. */
const TOOLS = {
  'clang-19': '--version',
  'llvm-strip-19': '--version',
  'llvm-objcopy-19': '--version',
  'llvm-objdump-19': '--version',
  'llvm-readelf-19': '--version',
  'llvm-ar-19': '--version',
  'bpf-gcc': '--version',
  gcc: '--version',
  pahole: '--version',
  bpftool: 'version',
  'alpha-linux-gnu-ld': '--version',
  'alpha-linux-gnu-objdump': '--version',
  zstd: '--version',
  xz: '--version',
  gzip: '--version',
  bzip2: '--help',
  tar: '--version',
  zip: '--version',
  'dpkg-deb': '--version',
};

export const INSTALL_HINT =
  'apt-get install clang-19 llvm-19 gcc gcc-bpf pahole bpftool libbpf-dev libelf-dev ' +
  'binutils-alpha-linux-gnu zstd xz-utils zip';

function find(tool) {
  return PATHS.map((directory) => join(directory, tool)).find((file) => existsSync(file)) ?? null;
}

export function missingTools(tools = Object.keys(TOOLS)) {
  return tools.filter((tool) => find(tool) === null);
}

/** Returns for each tool the first line that it prints about its version. */
export function toolVersions() {
  return Object.fromEntries(
    Object.entries(TOOLS).map(([tool, option]) => {
      const { stdout, stderr } = attempt([tool, option]);
      const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
      return [tool, lines.find((line) => /\d+\.\d+/.test(line)) ?? ''];
    }),
  );
}

/** Runs a command line (a list of words). Returns its status and both outputs. */
export function attempt([tool, ...words], { cwd = process.cwd(), input, binary = false } = {}) {
  const file = find(tool) ?? tool;
  const { error, status, signal, stdout, stderr } = spawnSync(file, words, {
    cwd,
    input,
    maxBuffer: 256 << 20,
    timeout: 300_000,
  });
  if (error) throw error;
  return {
    status: status ?? 128,
    signal,
    stdout: binary ? stdout : stdout.toString(),
    stderr: stderr.toString(),
  };
}

/** Runs a command line and returns its output. Throws if the command fails. */
export function run(command, options) {
  const { status, stdout, stderr } = attempt(command, options);
  if (status !== 0) throw new Error(`${command.join(' ')}\n${stderr || stdout}`);
  return stdout;
}

/** Folder in which results of tools are cached, because there are thousands of calls. */
const KEPT = join(tmpdir(), 'btfscope-testdata-cache');

/** Returns the result of `make`, cached by `key`, which must contain all of its inputs. */
export function remembered(key, make) {
  mkdirSync(KEPT, { recursive: true });
  const file = join(KEPT, sha256Of(key));
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = make();
  writeFileSync(file, JSON.stringify(made));
  return made;
}

export function packed(bytes) {
  return run(['zstd', '-13', '-q', '-c'], { input: bytes, binary: true });
}

export function sha256Of(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes the files of testdata/, and remembers the command that made each, for the manifest. */
export class Output {
  files = new Map();

  constructor(root) {
    this.root = root;
  }

  /** Writes a file. `command` makes the same file when a user runs it in testdata/. */
  write(file, content, command) {
    const bytes = Buffer.from(content);
    const target = join(this.root, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
    if (this.files.has(file)) throw new Error(`${file} is written twice`);
    this.files.set(file, { sha256: sha256Of(bytes), size: bytes.length, command });
  }

  /** Writes a file, compressed if it is larger than a disk block; returns its name. */
  writePacked(file, bytes, command) {
    const name = bytes.length > 4096 ? `${file}.zst` : file;
    this.write(name, name === file ? bytes : packed(bytes), command);
    return name;
  }

  writeJson(file, value, command) {
    this.write(file, `${JSON.stringify(value, null, 1)}\n`, command);
  }

  writeRows(file, rows, command) {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    this.write(file, file.endsWith('.zst') ? packed(text) : text, command);
  }

  read(file) {
    return readFileSync(join(this.root, file));
  }
}
