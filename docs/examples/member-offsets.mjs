// Prints where a member is in each kernel; the path may lead through nested and anonymous structs.
// node docs/examples/member-offsets.mjs task_struct tgid public/samples/kernel.btf testdata/kernels/vmlinux-small-1-amd64.btf.zst testdata/kernels/vmlinux-small-2-amd64.btf.zst testdata/kernels/vmlinux-small-3-amd64.btf.zst
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { open } from 'btfscope';

const [name, path, ...kernels] = argv.slice(2);
for (const kernelPath of kernels) {
  const { types } = await open(await readFile(kernelPath), { name: kernelPath });
  const member = types.find(name, 'struct')?.member(path) ?? null;
  const place =
    member === null
      ? 'not there'
      : member.isBitfield
        ? `bit ${member.bitOffset}, ${member.bitSize} bits`
        : `byte ${member.byteOffset}, ${member.type}`;
  console.log(`${kernelPath}: ${place}`);
}
