// Makes the BPF objects: programs of testdata/ and of public/samples, with each compiler, byte
// order and option that matters to readers; and the output of tools for them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, remembered, run, sha256Of } from './tools.mjs';

const COMMON = ['-Isrc/samples/include', '-w', '-fdebug-compilation-dir=.'];
const SAMPLES = [
  ...['xdp_counter', 'kinds', 'layout', 'doc_ld_imm64', 'doc_call', 'doc_data', 'doc_core'],
  ...['bitfields', 'exec_trace', 'externs', 'cpu_v4', 'data_relocs'],
].map((name) => ({ name, source: `src/samples/${name}.bpf.c` }));
const OWN = [
  ...['core_kernel', 'core_modules', 'maps', 'subprograms', 'odd_types', 'tags'],
  ...['link_a', 'link_b'],
].map((name) => ({ name, source: `src/programs/${name}.bpf.c` }));
/** Programs that need instructions of cpu v4. */
const ONLY_V4 = new Set(['cpu_v4']);

function byClang(group, { name, source }, target, options, { strip = 'dwarf' } = {}) {
  const file = `objects/${group}/${name}.o`;
  const args = [`--target=${target}`, '-g', '-O2', ...options, ...COMMON];
  const steps = [['clang-19', ...args, '-c', source, '-o', file]];
  if (strip === 'dwarf') steps.push(['llvm-strip-19', '-g', file]);
  if (strip === 'btf') {
    const sections = ['.BTF', '.BTF.ext', '.rel.BTF', '.rel.BTF.ext'];
    steps.push(['llvm-objcopy-19', '-g', ...sections.map((s) => `--remove-section=${s}`), file]);
  }
  return {
    group,
    name,
    source: [source],
    compiler: 'clang-19',
    file,
    steps,
    debug_stripped: strip !== 'none',
  };
}

function byGcc(group, { name, source }, options) {
  const file = `objects/${group}/${name}.o`;
  const args = ['-gbtf', '-mco-re', '-O2', '-w', '-Isrc/samples/include', ...options];
  const steps = [['bpf-gcc', ...args, '-c', source, '-o', file]];
  return { group, name, source: [source], compiler: 'bpf-gcc', file, steps, debug_stripped: true };
}

function linked(name, inputs) {
  const file = `objects/linked/${name}.o`;
  const steps = [['bpftool', 'gen', 'object', file, ...inputs]];
  return {
    group: 'linked',
    name,
    source: inputs,
    compiler: 'bpftool',
    file,
    steps,
    debug_stripped: true,
  };
}

const cpu = ({ name }, version) => `-mcpu=${ONLY_V4.has(name) ? 'v4' : version}`;
const programs = [...SAMPLES, ...OWN];

const HAND = [
  { name: 'maps', source: 'src/programs/maps.bpf.c' },
  { name: 'core_modules', source: 'src/programs/core_modules.bpf.c' },
  { name: 'no_code', source: 'src/programs/no_code.c' },
  { name: 'many_sections', source: 'src/programs/many_sections.c' },
  { name: 'assembly', source: 'src/programs/assembly.c' },
];

const PLAN = [
  ...programs.map((p) => byClang('prog', p, 'bpfel', [cpu(p, 'v3')])),
  ...programs.map((p) => byClang('prog-be', p, 'bpfeb', [cpu(p, 'v3')])),
  ...['v1', 'v2', 'v4'].flatMap((version) =>
    programs
      .filter(({ name }) => !ONLY_V4.has(name) && !(version === 'v1' && name === 'link_b'))
      .filter((_, i) => version === 'v4' || i % 2 === 0)
      .map((p) =>
        byClang('prog-cpu', { ...p, name: `${p.name}-${version}` }, 'bpfel', [`-mcpu=${version}`]),
      ),
  ),
  ...['O1', 'Os'].flatMap((level) =>
    OWN.map((p) =>
      byClang('prog-opt', { ...p, name: `${p.name}-${level}` }, 'bpfel', ['-mcpu=v3', `-${level}`]),
    ),
  ),
  ...['maps', 'subprograms', 'xdp_counter', 'data_relocs', 'core_kernel'].map((wanted) =>
    byClang(
      'prog-nodebug',
      programs.find(({ name }) => name === wanted),
      'bpfel',
      ['-mcpu=v3'],
      { strip: 'btf' },
    ),
  ),
  ...['subprograms', 'core_modules', 'tags', 'link_a'].flatMap((wanted) => {
    const program = programs.find(({ name }) => name === wanted);
    return ['4', '5'].map((version) =>
      byClang(
        'prog-dwarf',
        { ...program, name: `${wanted}-${version}` },
        'bpfel',
        ['-mcpu=v3', `-gdwarf-${version}`],
        { strip: 'none' },
      ),
    );
  }),
  ...HAND.map((p) => byClang('hand', p, 'bpfel', ['-mcpu=v4'])),
  ...HAND.map((p) => byClang('hand-be', p, 'bpfeb', ['-mcpu=v4'])),
  ...['gcc_core.c', 'odd_types.bpf.c', 'tags.bpf.c'].flatMap((file) => {
    const program = { name: file.replace(/(\.bpf)?\.c$/, ''), source: `src/programs/${file}` };
    return [byGcc('gcc', program, []), byGcc('gcc-be', program, ['-mbig-endian'])];
  }),
  linked('ab', ['objects/prog/link_a.o', 'objects/prog/link_b.o']),
  linked('core_and_maps', ['objects/prog/core_modules.o', 'objects/hand/maps.o']),
];

/** Command lines of the goldens by name; @ stands for the object. */
const GOLDENS = {
  'btf.raw.txt': ['bpftool', 'btf', 'dump', 'file', '@', 'format', 'raw'],
  'btf.json': ['bpftool', '-j', 'btf', 'dump', 'file', '@'],
  'btf.c.txt': ['bpftool', 'btf', 'dump', 'file', '@', 'format', 'c'],
  'pahole.txt': ['pahole', '-F', 'btf', '@'],
  'objdump.txt': ['llvm-objdump-19', '-dr', '--no-show-raw-insn', '@'],
  'objdump-raw.txt': ['llvm-objdump-19', '-dr', '@'],
  'objdump-S.txt': ['llvm-objdump-19', '-drS', '--no-show-raw-insn', '@'],
  'readelf.txt': ['llvm-readelf-19', '-h', '-S', '-s', '-r', '-W', '@'],
};

/**
 * Builds all objects of PLAN in `work`, which has the paths of testdata/; returns their rows for
 * the manifest.
 */
export function buildObjects(work, output) {
  const rows = PLAN.map(({ steps, ...row }) => {
    for (const step of steps) run(step, { cwd: work });
    const bytes = readFileSync(join(work, row.file));
    const command = steps.map((step) => step.join(' ')).join(' && ');
    const id = `${row.group}__${row.name}`;
    output.write(row.file, bytes, command);
    return { id, ...row, command, size: bytes.length, sha256: sha256Of(bytes) };
  });
  return rows;
}

/** Writes the output of each tool, one file per tool with a row per object. */
export function writeGoldens(work, output, entries, isRawBtf, folder) {
  for (const [name, command] of Object.entries(GOLDENS)) {
    if (isRawBtf && !/^(btf|pahole)/.test(name)) continue;
    const rows = entries.map(({ id, file }) => {
      const words = command.map((word) => (word === '@' ? file : word));
      const bytes = readFileSync(join(work, file));
      const { status, stdout, stderr } = remembered([...words, sha256Of(bytes)].join(' '), () =>
        attempt(words, { cwd: work }),
      );
      return { id, rc: status, stderr, text: stdout };
    });
    output.writeRows(`goldens/${folder}.${name}.jsonl.zst`, rows, command.join(' '));
  }
}
