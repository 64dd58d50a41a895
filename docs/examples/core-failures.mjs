// Prints the CO-RE records of an object that do not find what they access, kernel by kernel.
// node docs/examples/core-failures.mjs public/samples/exec_trace.bpf.o public/samples/kernel.btf testdata/kernels/vmlinux-small-1-amd64.btf.zst
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { load, open, resolveCore, visible } from 'btfscope';

const [path, ...kernels] = argv.slice(2);
const object = await open(await readFile(path), { name: path });

for (const kernelPath of kernels) {
  const kernel = await open(await readFile(kernelPath), { name: kernelPath });
  const results = await resolveCore(object, kernel);
  const bad = results.filter(({ state }) => state === 'poisoned' || state === 'fails');
  console.log(`${kernelPath}: ${bad.length} of ${results.length} records`);
  for (const { record, state, reason } of bad) {
    const place = record.func === null ? record.section : `${record.func.name}+${record.func.insn}`;
    console.log(`  ${visible(place)}: ${state}: ${visible(reason)}`);
  }
  const { outcome, programs } = await load(object, kernel);
  console.log(`  libbpf: ${outcome}`);
  for (const program of programs) console.log(`    ${visible(program.name)}: ${program.outcome}`);
}
