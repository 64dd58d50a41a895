/** Outputs of all commands with `--json` for real files, named as in docs/json-schema.json. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { EM } from '#formats/elf/constants.ts';
import { arFile } from './archives.ts';
import { btfBlob } from './btf-blob.ts';
import { struct } from './btf-types.ts';
import { KNOWS_LESS, KNOWS_MORE } from './compared-logs.ts';
import { elfObject } from './elf-object.ts';
import { JsonRow } from './json-row.ts';
import { kernelModule } from './kernel-module.ts';
import { type Ran, runCommand } from './run-command.ts';
import { LOGS } from './verifier-logs.ts';

const KERNELS = `${import.meta.dirname}/../../testdata/kernels`;
const ARCHIVES = `${import.meta.dirname}/../../testdata/archives`;
const DWARF = `${import.meta.dirname}/../../testdata/dwarf`;
const RELOCS = `${import.meta.dirname}/../../testdata/relocs`;
const kernels = new Map(
  ['1', '3'].map((n) => {
    const name = `vmlinux-small-${n}-amd64.btf.zst`;
    return [name, new Uint8Array(readFileSync(`${KERNELS}/${name}`))] as const;
  }),
);
const [OLD = '', NEW = ''] = kernels.keys();

export type JsonOutput = {
  /** Name of the output's definition in the schema. */
  readonly of: string;
  readonly words: readonly string[];
  readonly text: string;
};

const SAMPLES = [
  ...['kinds.bpf.o', 'exec_trace.bpf.o', 'externs.bpf.o', 'xdp_counter.bpf.o', 'doc_core.bpf.o'],
  ...['data_relocs.bpf.o', 'kernel.btf', 'kinds_2026.btf', 'module.distilled.ko'],
  ...['alpha_literal.ecoff', 'alpha_data.ecoff'],
];

/** Commands that are run on each file; they may print nothing. */
const ON_EACH = 'info members readelf disasm symbols relocs data core load-calls check'.split(' ');

/** A module with one list of ids, of which the types are not there. */
const WITH_IDS = {
  header: { machine: 62 },
  sections: [{ name: '.BTF_ids', flags: 2, data: new Uint8Array(8) }],
  symbols: [{ name: 'some_ids', type: 1, size: 8, bind: 0, shndx: '.BTF_ids' }],
};

/** Names of the outputs for an eCOFF file, by command, where they differ. */
const OF_ECOFF: ReadonlyMap<string, string> = new Map([
  ['relocs', 'relocs-ecoff'],
  ['check', 'check-without-btf'],
]);

/** Runs the commands. Each name in the schema gets output, though some files are rejected. */
export async function jsonOutputs(): Promise<readonly JsonOutput[]> {
  const outputs: JsonOutput[] = [];
  const files = new Map<string, Uint8Array>(kernels);
  files.set('package.deb', new Uint8Array(readFileSync(`${ARCHIVES}/package.deb`)));
  const ask = async (of: string, ...words: readonly string[]): Promise<Ran> => {
    const ran = await runCommand(words, files);
    if (ran.out !== '') outputs.push({ of, words, text: ran.out });
    return ran;
  };
  for (const file of SAMPLES) {
    for (const command of ON_EACH) {
      const isOwn = file.endsWith('.ecoff');
      const name = (isOwn && OF_ECOFF.get(command)) || command;
      await ask(name, command, file, '--json');
    }
    for (const at of [1, 100, 900]) await ask('where', 'where', file, `${at}`, '--json');
  }
  for (const name of ['aarch64.o', 'aarch64.out', 'aarch64.map']) {
    files.set(name, new Uint8Array(readFileSync(`${RELOCS}/${name}`)));
  }
  await ask('relocs', 'relocs', 'aarch64.o', '--linked', 'aarch64.out', '--json');
  files.set('libtest.a', arFile({ 'aarch64.o': files.get('aarch64.o') ?? new Uint8Array(0) }));
  await ask('relocs', 'relocs', 'libtest.a', '--json');
  files.set('module.ko', kernelModule(EM.x86_64));
  await ask('relocs', 'relocs', 'module.ko', '--json');
  await ask('members', 'members', 'package.deb', '--json');
  files.set('ids.ko', elfObject(WITH_IDS).bytes);
  await ask('btf-ids', 'btf-ids', 'ids.ko', '--json');
  await ask('attach', 'attach', 'do_exit', 'no_such', '--kernel', OLD, '--json');
  await ask('inlined', 'inlined', 'kinds_2026.btf', '--json');
  for (const file of ['kinds.btf', 'kinds_2026.btf', 'kernel.btf']) {
    for (let id = 1; id < 96; id += 5) await ask('type', 'type', file, `${id}`, '--json');
    await ask('json', 'raw', file, '--json');
    await ask('json', 'json', file, '--json');
    await ask('text', 'c', file, '--json');
    await ask('text', 'pahole', file, '--json');
  }
  await ask('text', 'c', 'kernel.btf', '--type', 'task_struct', '--json');
  files.set('two.btf', btfBlob({ types: [struct('s', 8, []), struct('s', 16, [])] }).bytes);
  await ask('type', 'type', 'two.btf', 's', '--json');
  const members = [
    'task_struct.pid',
    'task_struct.comm[3]',
    'task_struct.parent->pid',
    'sk_buff.pkt_type',
  ];
  for (const member of members) {
    await ask(
      'type-member',
      'type',
      member.startsWith('sk') ? OLD : 'kernel.btf',
      member,
      '--json',
    );
  }
  for (const at of ['sk_buff+0x10', 'sk_buff+0x68', 'sk_buff+143']) {
    await ask('type-at', 'type', OLD, at, '--json');
  }
  await ask('type-at', 'type', 'kernel.btf', 'task_struct+95', '--json');
  await ask('paths', 'paths', OLD, 'sk_buff', 'net_device', '--json', '--container-of');
  await ask('paths', 'paths', OLD, 'sk_buff', 'pkt_type', '--json');
  await ask('query', 'query', 'kernel.btf', 'select name from types limit 3', '--json');
  await ask('min', 'min', 'exec_trace.bpf.o', '--target', 'kernel.btf', '-o', 'out', '--json');
  files.set('dwarf.o', new Uint8Array(readFileSync(`${DWARF}/gcc.o`)));
  await ask('encode', 'encode', 'dwarf.o', '--json', '--report');
  await ask('diff', 'diff', OLD, NEW, '--json');
  await ask('diff-type', 'diff', OLD, NEW, '--type', 'sk_buff', '--json');
  await ask('diff-type', 'diff', OLD, 'kernel.btf', '--type', 'net_device', '--json');
  for (const object of ['exec_trace.bpf.o', 'externs.bpf.o', 'xdp_counter.bpf.o']) {
    for (const kernel of ['kernel.btf', OLD, 'none']) {
      await ask('load', 'load', object, '--kernel', kernel, '--json');
    }
    await ask('needs', 'needs', object, '--kernel', 'kernel.btf', '--json');
    for (const kernel of ['kernel.btf', OLD]) {
      await ask('core', 'core', object, '--target', kernel, '--json');
    }
  }
  const log = await runCommand(['core', 'exec_trace.bpf.o', '--target', OLD, '--log'], files);
  files.set('load.log', new TextEncoder().encode(log.out));
  const linked = ['--object', 'exec_trace.bpf.o', '--kernel', 'kernel.btf', '--kernel', OLD];
  await ask('explain', 'explain', 'load.log', ...linked, '--json');
  await ask('explain', 'explain', 'load.log', '--json');
  for (const [name, text] of Object.entries(LOGS)) {
    files.set(name, new TextEncoder().encode(text));
    await ask('explain', 'explain', name, '--json');
    await ask('explain-lines', 'explain', name, '--lines', '--json');
  }
  files.set('more.log', new TextEncoder().encode(KNOWS_MORE));
  files.set('less.log', new TextEncoder().encode(KNOWS_LESS));
  await ask('explain-compare', 'explain', 'more.log', 'less.log', '--compare', '--json');
  const { saved } = await runCommand(['atlas', 'build', 'fleet', OLD, NEW], files);
  files.set('fleet', saved.get('fleet') ?? new Uint8Array(0));
  await ask('atlas-info', 'atlas', 'info', 'fleet', '--json');
  for (const [word, name] of [
    ['type', 'sk_buff'],
    ['struct', 'sk_buff'],
    ['member', 'sk_buff.len'],
    ['member', 'sk_buff.no_such'],
    ['func', 'vfs_read'],
    ['typedef', 'pid_t'],
    ['union', 'bpf_attr'],
    ['enumerator', 'bpf_func_id.BPF_FUNC_map_lookup_elem'],
  ] as const) {
    await ask('atlas-ask', 'atlas', 'ask', 'fleet', word, name, '--json');
  }
  for (const name of ['sk_buff', 'vfs_read', 'bpf_func_id', 'pid_t']) {
    await ask('atlas-history', 'atlas', 'ask', 'fleet', 'history', name, '--json');
  }
  files.set('batch', sampleBatch());
  await ask('atlas-batch', 'atlas', 'ask', 'fleet', '--batch', 'batch');
  return outputs;
}

function sampleBatch(): Uint8Array {
  const lines = [
    { id: 1, ask: 'member', name: 'sk_buff', member: 'len' },
    { id: 'two', ask: 'struct', name: 'sk_buff' },
  ];
  return new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Definitions whose outputs have one JSON value per line. */
const ON_LINES: ReadonlySet<string> = new Set([
  'load',
  'needs',
  'explain',
  'explain-compare',
  'explain-lines',
  'atlas-batch',
]);

/** Returns the JSON values in an output. Numbers above 2^53 lose digits. */
export function valuesOf({ of, text }: JsonOutput): readonly unknown[] {
  if (!ON_LINES.has(of)) return [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Returns the definitions in docs/json-schema.json, and a function that lists a value's violations.
 */
export function jsonSchema() {
  const text = readFileSync(`${import.meta.dirname}/../../docs/json-schema.json`, 'utf8');
  const schema = JsonRow.parse(text);
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  ajv.addSchema(Object.fromEntries(schema.fields), 'btfscope');
  return {
    text,
    names: [...schema.row('$defs').fields.keys()],
    faults(of: string, value: unknown): string[] {
      const validate = ajv.getSchema(`btfscope#/$defs/${of}`);
      if (validate === undefined) return [`${of} is not in the schema`];
      validate(value);
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}
