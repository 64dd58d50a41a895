// Makes the small kernels and their modules: several versions, machines, pointer sizes and byte
// orders. pahole writes their BTF from DWARF, as for a real kernel.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBtf, readElf } from './elf.mjs';
import { modelText, mutated, randomModel, variablesText } from './random-c.mjs';
import { run } from './tools.mjs';

const FILLER = { structs: 110, enums: 12, prefix: 'fill_' };
const HOST = [
  '-ffreestanding',
  '-gdwarf-4',
  '-O1',
  '-fno-inline',
  '-w',
  '-fdebug-compilation-dir=.',
];
const ALL_TYPES = '-fno-eliminate-unused-debug-types';

const KERNELS = [
  {
    id: 'small-1-amd64',
    version: 1,
    target: 'x86_64-linux-gnu',
    modules: ['veth', 'nf_conntrack'],
  },
  { id: 'small-2-amd64', version: 2, target: 'x86_64-linux-gnu', modules: ['veth'] },
  { id: 'small-2-arm64', version: 2, target: 'aarch64-linux-gnu', modules: ['veth'] },
  { id: 'small-3-amd64', version: 3, target: 'x86_64-linux-gnu', modules: [] },
  { id: 'small-1-armhf', version: 1, target: 'arm-linux-gnueabihf', modules: [] },
  { id: 'small-1-s390x', version: 1, target: 's390x-linux-gnu', modules: [] },
];

/** Returns types that only make the kernel larger; some of them change with the version. */
function fillerText(version) {
  const first = randomModel(77, FILLER);
  const { model } = version === 1 ? { model: first } : mutated(first, 770 + version, 60 * version);
  return `${modelText(model)}${variablesText(model)}`;
}

function compile(work, { id, version, target }, source, output) {
  const steps = [
    'clang-19',
    `--target=${target}`,
    ...HOST,
    ALL_TYPES,
    `-DVERSION=${version}`,
    `-Isrc/kernel/filler-${version}`,
    '-c',
    source,
    '-o',
    output,
  ];
  run(steps, { cwd: work });
  return steps.join(' ').replace(id, id);
}

/** Builds the kernels into work/kernels; returns {id, file} of each kernel and module. */
export function buildKernels(work, output) {
  const kernels = [];
  const modules = [];
  run(['mkdir', '-p', 'kernels/modules'], { cwd: work });
  for (const version of [1, 2, 3]) {
    run(['mkdir', '-p', `src/kernel/filler-${version}`], { cwd: work });
    writeFileSync(join(work, `src/kernel/filler-${version}/filler.h`), fillerText(version));
  }
  for (const kernel of KERNELS) {
    const dwarf = `kernels/${kernel.id}.dwarf.o`;
    const file = `kernels/vmlinux-${kernel.id}.btf`;
    const compiled = compile(work, kernel, 'src/kernel/vmlinux.c', dwarf);
    const encode = ['pahole', '-J', `--btf_encode_detached=${file}`, dwarf];
    run(encode, { cwd: work });
    const bytes = readFileSync(join(work, file));
    output.writePacked(file, bytes, `${compiled} && ${encode.join(' ')}`);
    kernels.push({ id: kernel.id, file });
    for (const name of kernel.modules)
      modules.push(...buildModule(work, output, kernel, file, name));
  }
  return { kernels, modules };
}

function buildModule(work, output, kernel, base, name) {
  const stem = `kernels/modules/${kernel.id}-${name}`;
  const compiled = compile(work, kernel, `src/kernel/${name}.c`, `${stem}.dwarf.o`);
  const encode = [
    'pahole',
    '-J',
    `--btf_base=${base}`,
    `--btf_encode_detached=${stem}.btf`,
    `${stem}.dwarf.o`,
  ];
  run(encode, { cwd: work });
  const blob = readFileSync(join(work, `${stem}.btf`));
  output.write(`${stem}.btf`, blob, `${compiled} && ${encode.join(' ')}`);
  fillIds(work, stem, readFileSync(join(work, base)), blob);
  const ship = [
    'llvm-objcopy-19',
    '--strip-debug',
    '--add-section',
    `.BTF=${stem}.btf`,
    `${stem}.dwarf.o`,
    `${stem}.ko`,
  ];
  run(ship, { cwd: work });
  const distil = [
    'node',
    join(import.meta.dirname, '../samples/distill.mjs'),
    `${stem}.btf`,
    base,
    `${stem}.own`,
    `${stem}.base`,
  ];
  run([process.execPath, ...distil.slice(1)], { cwd: work });
  const distilled = `kernels/modules/distilled-${kernel.id}-${name}.ko`;
  const join_ = [
    'llvm-objcopy-19',
    '--strip-debug',
    '--add-section',
    `.BTF=${stem}.own`,
    '--add-section',
    `.BTF.base=${stem}.base`,
    `${stem}.dwarf.o`,
    distilled,
  ];
  run(join_, { cwd: work });
  const shipped = kernel.id.includes('small-2') ? `${stem}.ko.xz` : `${stem}.ko`;
  if (shipped.endsWith('.xz'))
    run(['xz', '-k', '-f', '--check=crc32', `${stem}.ko`], { cwd: work });
  output.write(
    shipped,
    readFileSync(join(work, shipped)),
    `${ship.join(' ')}${shipped.endsWith('.xz') ? ` && xz --check=crc32 ${stem}.ko` : ''}`,
  );
  output.write(
    distilled,
    readFileSync(join(work, distilled)),
    `node ../scripts/samples/distill.mjs ${stem}.btf ${base} ${stem}.own ${stem}.base && ${join_.join(' ')}`,
  );
  return [{ id: `${kernel.id}-${name}.btf`, file: `${stem}.btf`, base }];
}

/** Writes ids at the labels in .BTF_ids and sorts each set, as resolve_btfids does. */
function fillIds(work, stem, baseBytes, blob) {
  const object = join(work, `${stem}.dwarf.o`);
  const elf = readElf(readFileSync(object));
  const section = elf.section('.BTF_ids');
  if (section === null) return;
  const base = readBtf(baseBytes);
  const own = readBtf(blob, { firstId: base.types.length + 1, baseStrings: base.strings });
  const types = [...base.types, ...own.types];
  const KINDS = { struct: 4, func: 12 };
  const data = Buffer.from(section.data);
  const sets = [];
  for (const { name, section: index, value } of elf.symbols) {
    if (index !== section.index) continue;
    const label = /^__BTF_ID__(struct|func)__(.*)__\d+$/.exec(name);
    if (label !== null) {
      const type = types.find((t) => t.kind === KINDS[label[1]] && t.name === label[2]);
      data.writeUInt32LE(type?.id ?? 0, value);
    }
    if (name.startsWith('__BTF_ID__set8__')) sets.push(value);
  }
  for (const at of sets) {
    const count = data.readUInt32LE(at);
    const rows = Array.from({ length: count }, (_, i) =>
      Buffer.from(data.subarray(at + 8 + 8 * i, at + 16 + 8 * i)),
    );
    rows.sort((a, b) => a.readUInt32LE(0) - b.readUInt32LE(0));
    Buffer.concat(rows).copy(data, at + 8);
  }
  const whole = readFileSync(object);
  data.copy(whole, section.offset);
  writeFileSync(object, whole);
}
