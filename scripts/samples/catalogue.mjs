// All samples in the order of the index, with the command lines that build them.
import { ALPHA } from './alpha.mjs';
import { PROGRAMS } from './programs.mjs';

const CLANG = 'clang 19.1.7';

/** Returns the commands that compile a BPF object and, without `debug`, strip its DWARF. */
function bpfSteps({ name, cpu, debug }, target, file) {
  const compile = ['clang-19', `--target=${target}`];
  if (cpu) compile.push(`-mcpu=${cpu}`);
  compile.push(debug ?? '-g', '-O2', '-Wall', '-Werror', '-fdebug-compilation-dir=.');
  compile.push('-c', `src/${name}.bpf.c`, '-o', file);
  return debug ? [compile] : [compile, ['llvm-strip-19', '-g', file]];
}

/** Releases of the toy kernel: the version of Linux that each is like, and RELEASE in its source. */
const RELEASES = [
  ['5.10', 510],
  ['5.15', 515],
  ['6.1', 601],
  ['6.6', 606],
  ['6.12', 612],
  ['6.18', 618],
];

const releaseFile = (version) => `toy-${version}.btf`;

function bpfSample(program, endian) {
  const { name, title, about, shows, hasReleases = false } = program;
  const isLittle = endian === 'little';
  const file = isLittle ? `${name}.bpf.o` : `${name}.be.bpf.o`;
  return {
    file,
    title: isLittle ? title : `${title} (big-endian)`,
    about,
    source: `src/${name}.bpf.c`,
    endian,
    base: null,
    kernels: hasReleases && isLittle ? RELEASES.map(([version]) => releaseFile(version)) : [],
    compiler: CLANG,
    steps: bpfSteps(program, isLittle ? 'bpfel' : 'bpfeb', file),
    // The texts in `shows` have numbers and bytes of the little-endian build.
    shows: isLittle ? shows : {},
  };
}

/** Returns a sample of host code, from whose DWARF pahole makes BTF. */
function paholeSample({ name, title, about, base, shows, file = `${name}.btf`, defined = [] }) {
  const dwarf = file.replace(/\.btf$/, '.dwarf.o');
  return {
    file,
    title,
    about,
    source: `src/${name}.c`,
    endian: 'little',
    base,
    compiler: `${CLANG}, pahole 1.24`,
    steps: [
      [
        ...['clang-19', '--target=x86_64-linux-gnu', '-ffreestanding', '-gdwarf-4', '-O1'],
        ...['-fno-inline', '-Wall', '-Werror', '-fdebug-compilation-dir=.'],
        ...[...defined, '-c', `src/${name}.c`, '-o', dwarf],
      ],
      [
        ...['pahole', '-J', ...(base ? [`--btf_base=${base}`] : [])],
        ...[`--btf_encode_detached=${file}`, dwarf],
      ],
    ],
    shows,
  };
}

/** Returns a release of the toy kernel, like a version of Linux. */
function releaseSample([version, release]) {
  return paholeSample({
    name: 'toy_releases',
    file: releaseFile(version),
    title: `A toy kernel like Linux ${version}`,
    about: 'One of six releases on which task_state.bpf.o is to be loaded.',
    base: null,
    defined: [`-DRELEASE=${release}`],
    shows: {
      btf: [
        `'${release < 514 ? 'state' : '__state'}' type_id=`,
        ...(release < 606 ? [] : ["FUNC 'bpf_map_sum_elem_count'"]),
      ],
    },
  });
}

const RAW = [
  {
    file: 'kinds.btf',
    title: 'Raw BTF',
    about: 'The types of "Every BTF kind" alone, as the kernel shows its own in /sys/kernel/btf.',
    source: 'src/kinds.bpf.c',
    endian: 'little',
    base: null,
    compiler: CLANG,
    steps: [['llvm-objcopy-19', '--dump-section', '.BTF=kinds.btf', 'kinds.bpf.o', 'kinds.copy.o']],
    shows: { btf: ["ENUM64 'span'", "FUNC 'add' type_id=13 linkage=static"] },
  },
  {
    file: 'kinds_2026.btf',
    title: 'Raw BTF of 2026',
    about:
      'The same types with the kinds of inlined functions, and a layout section, which lets a reader step over a kind it does not know.',
    source: 'src/kinds.bpf.c',
    endian: 'little',
    base: null,
    compiler: CLANG,
    steps: [['node', '../../scripts/samples/btf-2026.mjs', 'kinds.btf', 'kinds_2026.btf']],
    shows: {},
  },
  paholeSample({
    name: 'kernel',
    title: 'A toy kernel',
    about: 'Types of a kernel of our own: the base of the module, and a target for CO-RE.',
    base: null,
    shows: {
      btf: ["STRUCT 'task_struct'", "'PIDTYPE_SID' val=4", "FUNC 'do_exit'", "'__state' type_id="],
    },
  }),
  paholeSample({
    name: 'network',
    title: 'A toy kernel with TCP',
    about:
      'Types of a kernel that takes tables of programs (struct_ops): a target for congestion.bpf.o.',
    base: null,
    shows: {
      btf: [
        "STRUCT 'bpf_struct_ops_tcp_congestion_ops' size=192",
        "STRUCT 'tcp_congestion_ops' size=128 vlen=12",
      ],
    },
  }),
  paholeSample({
    name: 'module',
    title: 'A module of the toy kernel',
    about: 'Split BTF: only what kernel.btf lacks, with ids and strings that count on from there.',
    base: 'kernel.btf',
    shows: { btf: ["[83] STRUCT 'watch_stats'", "FUNC 'rule_matches'"] },
  }),
  {
    file: 'module.distilled.ko',
    title: 'A module with a distilled base',
    about:
      'The same module as an object that brings names and sizes of what it needs of the kernel along.',
    source: 'src/module.c',
    endian: 'little',
    base: 'kernel.btf',
    compiler: `${CLANG}, pahole 1.24`,
    steps: [
      [
        ...['node', '../../scripts/samples/distill.mjs', 'module.btf', 'kernel.btf'],
        ...['module.own', 'module.base'],
      ],
      [
        ...['llvm-objcopy-19', '--strip-debug', '--add-section', '.BTF=module.own'],
        ...['--add-section', '.BTF.base=module.base', 'module.dwarf.o', 'module.distilled.ko'],
      ],
    ],
    shows: { readelf: ['.BTF PROGBITS', '.BTF.base PROGBITS', 'FUNC GLOBAL DEFAULT 2 watch_exec'] },
  },
];

/** Returns the atlas of the releases of the toy kernel. */
function releaseAtlas() {
  const releases = RELEASES.map(([version]) => `${version}-toy=${releaseFile(version)}`);
  return {
    file: 'toy.btfatlas',
    title: 'One struct over six kernels',
    about: 'An atlas of the six releases: where each member of a struct is in each of them.',
    source: 'src/toy_releases.c',
    endian: 'little',
    base: null,
    compiler: 'none',
    steps: [['node', '../../scripts/samples/atlas-run.mjs', 'toy.btfatlas', ...releases]],
    shows: {},
  };
}

/** All samples: little-endian objects first, other formats last. */
export const SAMPLES = [
  ...PROGRAMS.map((program) => bpfSample(program, 'little')),
  ...RAW,
  ...RELEASES.map(releaseSample),
  releaseAtlas(),
  ...PROGRAMS.map((program) => bpfSample(program, 'big')),
  ...ALPHA,
];
