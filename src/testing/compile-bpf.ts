/** Compiles C to a BPF object with clang-19, which must be installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Compiles C to a little-endian BPF object with BTF, with more options of clang. Throws clang's
 * message if clang fails.
 */
export function compileBpf(text: string, ...options: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-bpf-'));
  try {
    writeFileSync(join(folder, 'a.c'), text);
    const words = ['--target=bpfel', '-g', '-O2', ...options, '-c', 'a.c', '-o', 'a.o'];
    const { status, stderr } = spawnSync('clang-19', words, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return new Uint8Array(readFileSync(join(folder, 'a.o')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
