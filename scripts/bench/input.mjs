// Chooses the file to measure: by default the largest real file on this machine.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decompress } from 'fzstd';
import { generateBtf } from './generate-btf.mjs';

const RUNNING_KERNEL = '/sys/kernel/btf/vmlinux';
const KERNELS = fileURLToPath(new URL('../../../shared/corpus/kernels/', import.meta.url));
const GENERATED_TYPES = 126_000;

/**
 * Copies the input into `directory`, because a browser cannot read a sysfs file by ranges. `from`
 * in the result says where the file is from.
 */
export function prepareInput(chosenPath, directory) {
  const { name, bytes, from } = chooseInput(chosenPath);
  const path = join(directory, name);
  writeFileSync(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, path, size: bytes.length, sha256, from };
}

function chooseInput(chosenPath) {
  if (chosenPath !== null)
    return { name: basename(chosenPath), bytes: readFileSync(chosenPath), from: chosenPath };
  return runningKernel() ?? corpusKernel() ?? generated();
}

function runningKernel() {
  try {
    const bytes = readFileSync(RUNNING_KERNEL);
    return { name: 'vmlinux', bytes, from: `${RUNNING_KERNEL}, the kernel that runs here` };
  } catch {
    return null;
  }
}

function corpusKernel() {
  if (!existsSync(KERNELS)) return null;
  const kernels = readdirSync(KERNELS)
    .filter((file) => /^vmlinux-.*\.btf\.zst$/.test(file))
    .map((file) => ({
      name: basename(file, '.zst'),
      bytes: decompress(readFileSync(join(KERNELS, file))),
      from: `${file}, the largest kernel of the corpus`,
    }));
  return kernels.sort((a, b) => b.bytes.length - a.bytes.length)[0] ?? null;
}

function generated() {
  const bytes = generateBtf(GENERATED_TYPES);
  return { name: 'generated.btf', bytes, from: 'generated: there is no kernel at hand' };
}
