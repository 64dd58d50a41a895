// Seeds of the fuzzer: the samples, and small files of the corpus if there is one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decompress } from 'fzstd';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CORPUS = join(ROOT, '../shared/corpus');
/** Limit of a seed in bytes: larger ones are slow to mutate and reach little more code. */
const MAX_BYTES = 12_000;
/** That of a seed with DWARF: objects of C++ and Rust have more. */
const MAX_LANGUAGE_BYTES = 26_000;
const PACKED = /\.(gz|xz|zst|bz2|lzma|a|ko)$/;

/** Returns the BTF blob that the targets use as the kernel. */
export function kernelSeed() {
  return new Uint8Array(readFileSync(join(ROOT, 'public/samples/kernel.btf')));
}

/** Returns the seeds of each kind as byte arrays, always in the same order. */
export function readSeeds() {
  const samples = filesIn(join(ROOT, 'public/samples'));
  const edges = filesIn(join(CORPUS, 'edge'));
  const objects = [
    'hand',
    'hand-be',
    'hand-gcc',
    'prog',
    'prog-be',
    'gcc',
    'linked',
    'llvm_reloc',
  ].flatMap((group) => filesIn(join(CORPUS, 'objects', group)).slice(0, 12));
  const alpha = filesIn(join(CORPUS, 'ecoff')).filter(
    ({ name }) => !/\.(json|txt|md|s)$/.test(name),
  );
  const all = [...samples, ...edges, ...objects];
  const isAlpha = ({ name }) => name.endsWith('.ecoff');
  const isPacked = ({ name }) => PACKED.test(name);
  const isText = ({ name }) => /\.(md|json|jsonl|txt|html)$/.test(name);
  return {
    file: bytesOf(all.filter((file) => !isAlpha(file) && !isPacked(file) && !isText(file))),
    ecoff: bytesOf([...samples.filter(isAlpha), ...alpha]),
    dwarf: dwarfSeeds(),
    packed: bytesOf(all.filter(isPacked)),
    members: [...bytesOf(filesIn(join(ROOT, 'testdata/archives'))), ...skeletonSeeds()],
    split: splitSeeds(samples, edges),
    declarations: bytesOf([...filesIn(join(ROOT, 'public/samples/src')), ...sources()]),
    lesson: [...lessons(), ...bytesOf(filesIn(join(ROOT, 'public/lessons')))],
    log: logs(),
    choices: choices(),
    dump: textSeeds(
      '[{"key":["0x01"],"value":["0x02","0x03"]}]',
      '[{"key":[1],"values":[{"cpu":0,"value":[2]}]}]',
    ),
  };
}

/** Returns files with DWARF: of other machines and languages, split ones, some of each compiler. */
function dwarfSeeds() {
  const natives = filesIn(join(ROOT, 'testdata/edge')).filter(({ name }) =>
    name.startsWith('native'),
  );
  const objects = filesIn(join(CORPUS, 'dwarf/objects')).filter((_, i) => i % 6 === 0);
  const others = filesIn(join(ROOT, 'testdata/dwarf')).filter(({ name }) =>
    /\.dw[op]$|^(?:skeleton|languages)\..*\.(?:o|debug)$/.test(name),
  );
  return [...natives, ...others, ...objects]
    .map(({ name, path }) => {
      const stored = new Uint8Array(readFileSync(path));
      return name.endsWith('.zst') ? decompress(stored) : stored;
    })
    .filter(({ length }) => length <= MAX_LANGUAGE_BYTES);
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the bytes of files; unpacks files that end with `.zst`. */
function bytesOf(files) {
  return files
    .map(({ name, path }) => {
      const stored = new Uint8Array(readFileSync(path));
      const isOurs = /\.(o|btf|ko|gz|a)\.zst$/.test(name) && path.startsWith(CORPUS);
      return isOurs && stored.length <= MAX_BYTES ? decompress(stored) : stored;
    })
    .filter(({ length }) => length <= MAX_BYTES);
}

/** Returns skeletons without a limit of length, because their text has four characters per byte. */
function skeletonSeeds() {
  return ['externs.skel.h', 'externs.lskel.h'].map(
    (name) => new Uint8Array(readFileSync(join(ROOT, 'testdata/archives', name))),
  );
}

/** Returns inputs of split BTF: the length of the base, the base, and the module. */
function splitSeeds(samples, edges) {
  const pairs = [
    [samples, 'kernel.btf', 'module.btf'],
    [samples, 'kernel.btf', 'module.distilled.ko'],
    [edges, 'split_base.btf', 'split_module.btf'],
    [edges, 'split_base.btf', 'split_no_strings.btf'],
    [edges, 'split_base.btf', 'split_wrong_base.btf'],
    [edges, 'split_layout_base.btf', 'split_layout_in_base.btf'],
  ];
  return pairs.flatMap(([files, base, module]) => {
    const below = files.find(({ name }) => name === base);
    const above = files.find(({ name }) => name === module);
    if (below === undefined || above === undefined) return [];
    const [first, second] = [readFileSync(below.path), readFileSync(above.path)];
    const length = first.length;
    const head = [length & 0xff, (length >> 8) & 0xff, length >> 16, 0];
    return [Uint8Array.from([...head, ...first, ...second])];
  });
}

/** Returns inputs for the families. The bytes of an input choose questions and shapes. */
function choices() {
  return Array.from({ length: 64 }, (_, i) =>
    Uint8Array.from({ length: 6 + (i % 24) }, (_unused, j) => (i * (j + 1) * 37 + j * 11) & 0xff),
  );
}

function sources() {
  return filesIn(join(CORPUS, 'src/programs')).slice(0, 20);
}

function lessons() {
  const lesson = `---\ntitle: A\nabout: B\nobject: sample:layout.bpf.o\n---\n## One\n\nText *a* \`b\`.\n\n[show](#/types?type=struct:a)\n\n\`\`\`choose\n- [x] a\n- [ ] b\n\`\`\`\n`;
  return textSeeds(lesson);
}

function logs() {
  const own = textSeeds(
    "libbpf: prog 'a': relo #0: <byte_off> [2] struct task_struct.pid (0:0 @ offset 0)\nlibbpf: prog 'a': relo #0: no matching targets found\n[3] STRUCT x size=4 vlen=1\n\ta type_id=9 bits_offset=0 Invalid member\n",
    '0: (79) r1 = *(u64 *)(r1 +0)\nR1 invalid mem access\nprocessed 2 insns\n',
    VERIFIER_LOG,
  );
  const folder = join(CORPUS, 'core-oracle/logs');
  if (!existsSync(join(folder, 'hand.jsonl.zst'))) return own;
  const rows = new TextDecoder().decode(decompress(readFileSync(join(folder, 'hand.jsonl.zst'))));
  const some = rows
    .split('\n')
    .slice(0, 40)
    .filter(Boolean)
    .map((row) => `${JSON.parse(row).log}`);
  return [...own, ...textSeeds(...some.map((log) => log.slice(0, 4000)))];
}

/** Log with lines of most classes. */
const VERIFIER_LOG = `func#0 @0
subprog#0 f:
  0: (b7) r0 = 0
Live regs before insn:
      0: .......... (b7) r0 = 0
0: R1=ctx() R10=fp0
; int f(void *ctx) @ a.c:4
0: (b7) r2 = 5                        ; R2=P5 fp-8=????0 refs=1
mark_precise: frame0: last_idx 1 first_idx 0 subseq_idx -1
1: (55) if r1 != 0x0 goto pc+1 4: R1=scalar(smin=umin=1,var_off=(0x0; 0xff))
from 1 to 4: frame1: R1_rw=inv(id=0,smin_value=-1) R10=fp[0]-8 cb
R2 invalid mem access 'scalar'

Verification failed: Register Type Safety: Invalid dereference

At:
  f @ a.c:4:1
  Source context:
  >>> 4 | x
        | ^-- error: bad

processed 5 insns (limit 1000000) max_states_per_insn 0 total_states 1
`;

function textSeeds(...texts) {
  return texts.map((text) => new TextEncoder().encode(text));
}
