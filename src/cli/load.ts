/** `btfscope load`: whether objects load on kernels, as far as files tell. */
import type { TargetTable } from '#analysis/core/target.ts';
import type { LoadKernel } from '#analysis/load/kernel.ts';
import { judgeLoad } from '#analysis/load/load.ts';
import { type LoadObject, loadObject } from '#analysis/load/load-object.ts';
import { OUTCOMES } from '#analysis/load/program-code.ts';
import { visible } from '#bytes/text.ts';
import { isBpf } from '#model/object-model.ts';
import { type LoadPair, loadFields, loadMarkdown, loadText } from '#print/load-text.ts';
import {
  type Call,
  type Command,
  CommandFailure,
  flag,
  type NodeIo,
  UsageError,
  valued,
} from './command.ts';
import { openObject, openTarget, withModules } from './open.ts';

export const load: Command = {
  name: 'load',
  positionals: ['FILE…'],
  options: [
    { ...valued('kernel', 'BTF', 'a kernel; none: one without BTF'), many: true },
    {
      ...valued(
        'module',
        'BTF',
        'a module of the kernel, in load order; none: no module is loaded',
      ),
      many: true,
    },
    valued('config', 'FILE', 'the configuration of the kernel; none: the machine has none'),
    valued('kallsyms', 'FILE', 'the symbols of the running kernel, as in /proc/kallsyms'),
    valued('release', 'TEXT', 'what uname -r prints'),
    valued('uname-version', 'TEXT', 'what uname -v prints'),
    valued('fail-on', 'OUTCOME', 'exit with 1 on: fails (default), rejected, may-fail, never'),
    flag('json', 'print JSON, one line per object and kernel'),
    flag('markdown', 'print a table of programs by kernels as Markdown'),
  ],
  about: 'Whether libbpf 1.8 loads objects on kernels, up to the verifier, and why not.',
  run,
};

const FAIL_ON = ['may-fail', 'rejected', 'fails', 'never'];
/** Bytes of a configuration or of kallsyms; those of real kernels have less than 16 MB. */
const MAX_TEXT = 128 * 1024 * 1024;

async function run(call: Call): Promise<void> {
  const failOn = call.option('fail-on') ?? 'fails';
  if (!FAIL_ON.includes(failOn)) {
    throw new UsageError(`--fail-on takes one of ${FAIL_ON.join(', ')}`);
  }
  if (call.has('json') && call.has('markdown')) {
    throw new UsageError('--json and --markdown cannot be combined');
  }
  const kernels = call.all('kernel');
  if (kernels.length === 0) throw new UsageError('name a kernel with --kernel');
  if (call.all('module').length > 0 && kernels.length !== 1) {
    throw new UsageError('--module requires exactly one --kernel');
  }
  const objects: { readonly path: string; readonly object: LoadObject }[] = [];
  for (const path of call.positionals) {
    const { model, source } = await openObject(call.io, path);
    if (!isBpf(model)) throw new CommandFailure(`${visible(path)} is no BPF object`);
    objects.push({ path, object: await loadObject(model, source) });
  }
  const pairs: LoadPair[] = [];
  for (const path of kernels) {
    // One after another, so that only one kernel is in memory.
    const kernel = await openKernel(call, path);
    for (const { path: name, object } of objects) {
      const verdict = judgeLoad(object, kernel);
      const pair = {
        object: name,
        kernel: { ...kernel, vmlinux: null, modules: null },
        maps: object.maps,
        verdict,
      };
      if (call.has('json')) call.write(`${JSON.stringify(loadFields(pair))}\n`);
      pairs.push(pair);
    }
  }
  if (!call.has('json')) {
    const text = call.has('markdown') ? loadMarkdown : loadText;
    await call.writeLines([...text(pairs)].map(visible));
  }
  // The outcomes in their order, but for the best.
  const worst = FAIL_ON.indexOf(failOn) + 1;
  const bad = pairs.filter(({ verdict }) => OUTCOMES.indexOf(verdict.outcome) >= worst);
  if (bad.length > 0) {
    throw new CommandFailure(
      `${bad.length} of ${pairs.length} pairs of object and kernel: ${failOn} or worse`,
    );
  }
}

async function openKernel(call: Call, path: string): Promise<LoadKernel> {
  const { io } = call;
  const config = call.option('config');
  const kallsyms = call.option('kallsyms');
  return {
    ...(path === 'none'
      ? { name: 'no BTF', vmlinux: null, modules: [] }
      : await openTables(io, path, call.all('module'))),
    config:
      config === null ? null : config === 'none' ? 'none' : { text: await textOf(io, config) },
    kallsyms: kallsyms === null ? null : await textOf(io, kallsyms),
    release: call.option('release'),
    unameVersion: call.option('uname-version'),
  };
}

async function openTables(
  io: NodeIo,
  path: string,
  modules: readonly string[],
): Promise<Pick<LoadKernel, 'name' | 'vmlinux' | 'modules'>> {
  const paths = modules.filter((one) => one !== 'none');
  const { name, tables } = await withModules(io, await openTarget(io, path), paths);
  const [vmlinux, ...rest] = tables;
  const loaded: readonly TargetTable[] | null = modules.length === 0 ? null : rest;
  return { name, vmlinux: vmlinux?.types ?? null, modules: loaded };
}

/** A text, as it stands or packed by gzip. */
async function textOf(io: NodeIo, path: string): Promise<string> {
  const source = await io.open(path);
  if (source.size > MAX_TEXT) throw new CommandFailure(`${visible(path)} is too long`);
  const bytes = await source.read(0, source.size);
  return new TextDecoder().decode(bytes);
}
