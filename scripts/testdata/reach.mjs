// Makes programs with CO-RE relocations that fail on a kernel, for each optimisation level and cpu
// version. The name of a program tells if the verifier reaches the failing instruction. Also makes
// the two kernels.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './tools.mjs';

const SOURCES = ['fields', 'others', 'branches'];
const LEVELS = ['O1', 'O2'];
const CPUS = ['v2', 'v3', 'v4'];
const KERNELS = ['old', 'new'];

export function writeReach(work, output) {
  run(['mkdir', '-p', 'reach'], { cwd: work });
  const write = (file, commands) => {
    for (const command of commands) run(command, { cwd: work });
    const line = commands.map((command) => command.join(' ')).join(' && ');
    output.writePacked(file, readFileSync(join(work, file)), line);
  };
  for (const kernel of KERNELS) {
    const [dwarf, btf] = [`reach/${kernel}.dwarf.o`, `reach/${kernel}.btf`];
    const options = ['-ffreestanding', '-gdwarf-4', '-O1', '-fno-inline', '-w'];
    const types = ['-fdebug-compilation-dir=.', '-fno-eliminate-unused-debug-types'];
    const version = kernel === 'new' ? ['-DNEW'] : [];
    const all = ['--target=x86_64-linux-gnu', ...options, ...types, ...version];
    write(btf, [
      ['clang-19', ...all, '-c', 'src/reach/kernel.c', '-o', dwarf],
      ['pahole', '-J', `--btf_encode_detached=${btf}`, dwarf],
    ]);
  }
  for (const source of SOURCES) {
    for (const level of LEVELS) {
      for (const cpu of CPUS) {
        const file = `reach/${source}-${level}-${cpu}.o`;
        const options = ['-g', `-${level}`, `-mcpu=${cpu}`, '-Isrc/samples/include', '-Isrc/reach'];
        const all = ['--target=bpfel', ...options, '-w', '-fdebug-compilation-dir=.'];
        write(file, [
          ['clang-19', ...all, '-c', `src/reach/${source}.bpf.c`, '-o', file],
          ['llvm-strip-19', '-g', file],
        ]);
      }
    }
  }
}
