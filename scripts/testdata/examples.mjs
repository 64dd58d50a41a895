// Writes the examples of the kernel's Documentation/bpf/btf.rst and llvm_reloc.rst that
// docs/document-examples.md shows: their C, compiled, and the types of `.BTF.base`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BtfStrings, btfBlob, infoOf, KIND } from '../btf-blob.mjs';
import { run } from './tools.mjs';

const SOURCES = 'src/examples';
const COMMAND = 'node scripts/build-testdata.mjs';
/** `encoding` of a signed INT, in the word after `struct btf_type`. */
const SIGNED = 1 << 24;

export function writeExamples(work, output) {
  mkdirSync(join(work, 'examples'), { recursive: true });
  const headers = `-I/usr/include/${run(['gcc', '-print-multiarch']).trim()}`;
  for (const source of readdirSync(join(work, SOURCES)).sort()) {
    if (!source.endsWith('.c')) continue;
    const file = `examples/${source.slice(0, -2)}.o`;
    const options = ['-w', '-c', '-g', '-O2', headers, '-fdebug-compilation-dir=.'];
    const steps = [
      ['clang-19', '--target=bpfel', ...options, `${SOURCES}/${source}`, '-o', file],
      ['llvm-strip-19', '-g', file],
    ];
    for (const step of steps) run(step, { cwd: work });
    const line = steps.map((step) => step.join(' ')).join(' && ');
    output.write(file, readFileSync(join(work, file)), line);
  }
  for (const [name, bytes] of Object.entries(splitBtf())) {
    writeFileSync(join(work, 'examples', name), bytes);
    output.write(`examples/${name}`, bytes, COMMAND);
  }
  const module = 'examples/module.ko';
  const sections = [
    '--add-section=.BTF=examples/module.btf',
    '--add-section=.BTF.base=examples/distilled.btf',
  ];
  const steps = [
    ['clang-19', '--target=bpfel', '-c', '-x', 'c', '/dev/null', '-o', module],
    ['llvm-objcopy-19', ...sections, module],
  ];
  for (const step of steps) run(step, { cwd: work });
  output.write(
    module,
    readFileSync(join(work, module)),
    steps.map((step) => step.join(' ')).join(' && '),
  );
}

/** Returns the blobs of section 4.4 by file name. */
function splitBtf() {
  const blob = (types, base) => {
    const strings = new BtfStrings(base);
    const words = types.map((type) => type(strings));
    return { strings, bytes: btfBlob({ types: words, strings: strings.bytes }) };
  };
  const int = (name, size, encoding) => (strings) => [
    strings.offset(name),
    infoOf(KIND.INT),
    size,
    encoding | (8 * size),
  ];
  const foo =
    (...types) =>
    (strings) => [
      strings.offset('foo'),
      infoOf(KIND.STRUCT, types.length),
      8,
      ...types.flatMap((type, i) => [strings.offset(`f${i + 1}`), type, 32 * i]),
    ];
  const pointer = () => [0, infoOf(KIND.PTR), 2];
  const base = blob([int('int', 4, SIGNED), foo(1, 1)]);
  const newBase = blob([int('long unsigned int', 8, 0), int('int', 4, SIGNED), foo(2, 2)]);
  const distilled = blob([int('int', 4, SIGNED), foo()]);
  return {
    'base.btf': base.bytes,
    'new_base.btf': newBase.bytes,
    'split.btf': blob([pointer], base.strings).bytes,
    'module.btf': blob([pointer], distilled.strings).bytes,
    'distilled.btf': distilled.bytes,
  };
}
