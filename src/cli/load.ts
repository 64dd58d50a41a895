/** `btfscope load`: prints the verdicts on loading objects on kernels, derived from files alone. */
import { type CoreTarget, type TargetTable, targetOf } from '#analysis/core/candidates.ts';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { type LoadObject, loadObject } from '#analysis/libbpf/open.ts';
import { OUTCOMES, type Outcome } from '#analysis/libbpf/outcome.ts';
import { type Remedy, remedies } from '#analysis/load/remedies.ts';
import { append } from '#bytes/arrays.ts';
import { visible } from '#bytes/text.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { kernelTypes } from '#ingest/ingest.ts';
import { readText } from '#ingest/unpack.ts';
import { isBpf } from '#model/object-model.ts';
import { loadJunit, loadSarif } from '#print/load-report.ts';
import {
  type LoadPair,
  loadFields,
  loadMarkdown,
  loadText,
  type RemediesOf,
} from '#print/load-text.ts';
import {
  type Call,
  type Command,
  CommandFailure,
  type CommandIo,
  Failures,
  flag,
  jsonText,
  repeated,
  UsageError,
  valued,
} from './command.ts';
import { expandPath, openObject } from './open.ts';
import { modulesIn, openTarget, withModules } from './open-core.ts';

const FORMATS = ['text', 'json', 'markdown', 'sarif', 'junit'];
/** Values of `--fail-on`: the mildest outcome for which the command fails. */
const FAIL_ON = ['may-fail', 'rejected', 'fails', 'never'];

export const load: Command = {
  name: 'load',
  positionals: ['FILE…'],
  options: [
    repeated(
      'kernel',
      'BTF',
      'a kernel, or a directory or archive of kernels; none: one without BTF',
    ),
    repeated('atlas', 'ATLAS', 'all kernels of an atlas'),
    repeated('module', 'BTF', 'a module of the kernel, in load order; none: no module is loaded'),
    repeated(
      'modules',
      'PATH',
      'a directory or archive: its modules that fit each kernel, in order',
    ),
    valued('config', 'FILE', 'the configuration of the kernel; none: the machine has none'),
    valued('kallsyms', 'FILE', 'the symbols of the running kernel, as in /proc/kallsyms'),
    valued('release', 'TEXT', 'what uname -r prints'),
    valued('uname-version', 'TEXT', 'what uname -v prints'),
    valued(
      'fail-on',
      FAIL_ON.join('|'),
      'exit with 1 on this outcome or a worse one (default rejected)',
    ),
    valued('format', FORMATS.join('|'), 'what to print (default text)'),
    flag('json', 'print JSON, one line per object and kernel'),
    flag('markdown', 'print a table of programs by kernels as Markdown'),
  ],
  run,
};

/** Returns the output format from `--format`, `--json` or `--markdown`. Throws `UsageError`. */
function formatOf(call: Call): string {
  const given = [...call.all('format'), ...['json', 'markdown'].filter((one) => call.has(one))];
  const [format = 'text'] = given;
  if (given.length > 1) {
    throw new UsageError('--format, --json and --markdown cannot be combined');
  }
  if (!FORMATS.includes(format)) {
    throw new UsageError(`--format takes one of ${FORMATS.join(', ')}`);
  }
  return format;
}

async function run(call: Call): Promise<void> {
  const failOn = call.option('fail-on') ?? 'rejected';
  if (!FAIL_ON.includes(failOn)) {
    throw new UsageError(`--fail-on takes one of ${FAIL_ON.join(', ')}`);
  }
  const format = formatOf(call);
  // Failures of single files, reported after the verdicts on all other files.
  const failures = new Failures();
  const kernels: KernelOpener[] = [];
  for (const path of call.all('kernel')) {
    for (const file of (await expandPath(call.io, path).catch(failures.add)) ?? [])
      kernels.push(() => openNamed(call.io, file));
  }
  for (const path of call.all('atlas')) {
    append(kernels, (await inAtlas(call.io, path).catch(failures.add)) ?? []);
  }
  if (kernels.length + failures.count === 0) {
    throw new UsageError('name a kernel with --kernel or --atlas');
  }
  if (call.all('module').length > 0 && kernels.length + failures.count !== 1) {
    throw new UsageError('--module requires exactly one kernel');
  }
  const objects: NamedObject[] = [];
  for (const path of call.positionals) {
    await openNamedObject(call.io, path).then((object) => objects.push(object), failures.add);
  }
  const pairs: LoadPair[] = [];
  const outcomes: Outcome[] = [];
  const isForPeople = format === 'text' || format === 'markdown';
  const opened: LoadKernel[] = [];
  for (const [i, open] of objects.length === 0 ? [] : kernels.entries()) {
    call.io.progress(`kernel ${i + 1} of ${kernels.length}`);
    const target = await open().catch(failures.add);
    if (target === undefined) continue;
    const kernel = await openKernel(call, target);
    // Remedies are tested on all kernels, which stay open. Otherwise, one kernel is open at a time.
    if (isForPeople) opened.push(kernel);
    for (const { path: name, object } of objects) {
      const verdict = judgeLoad(object, kernel);
      const pair = { object: name, kernel: kernel.name, maps: object.maps, verdict };
      outcomes.push(verdict.outcome);
      if (format === 'json') await call.writeLines([jsonText(loadFields(pair))]);
      else pairs.push(pair);
    }
  }
  // `FAIL_ON` lacks the first outcome, `loads`: its indices are lower by 1.
  const worst = FAIL_ON.indexOf(failOn) + 1;
  const isBad = (outcome: Outcome) => OUTCOMES.indexOf(outcome) >= worst;
  if (format === 'sarif') call.write(`${jsonText(loadSarif(pairs), 2)}\n`);
  else if (format === 'junit') await call.writeLines(loadJunit(pairs, isBad));
  else if (isForPeople) {
    const text = format === 'markdown' ? loadMarkdown : loadText;
    const byPath = new Map(objects.map(({ path, object }) => [path, object]));
    const known = new Map<string, readonly Remedy[]>();
    const remediesOf: RemediesOf = (path, reason) => {
      const object = byPath.get(path);
      const key = JSON.stringify([path, reason.about ?? null]);
      const found = known.get(key) ?? (object ? remedies(object, opened, reason) : []);
      known.set(key, found);
      return found;
    };
    await call.writeLines([...text(pairs, remediesOf)].map(visible));
  }
  const bad = outcomes.filter(isBad);
  if (bad.length > 0) {
    const pairs = `${bad.length} of ${outcomes.length} pairs of object and kernel`;
    failures.add(new CommandFailure(`${pairs}: ${failOn} or worse`));
  }
  failures.throwIfAny(call.io);
}

type NamedObject = { readonly path: string; readonly object: LoadObject };

async function openNamedObject(io: CommandIo, path: string): Promise<NamedObject> {
  const { model, source } = await openObject(io, path);
  if (!isBpf(model)) throw new CommandFailure(`${visible(path)} is no BPF object`);
  return { path, object: await loadObject(model, source) };
}

/** Opens one kernel on demand: only one is in memory. Returns null for a kernel without BTF. */
type KernelOpener = () => Promise<CoreTarget | null>;

async function openNamed(io: CommandIo, path: string): Promise<CoreTarget | null> {
  return path === 'none' ? null : await openTarget(io, path);
}

/** Returns openers for the kernels of an atlas, oldest kernel first. Rejects with `Malformed`. */
async function inAtlas(io: CommandIo, path: string): Promise<readonly KernelOpener[]> {
  const atlas = await AtlasFile.open(await io.open(path));
  const { kernels } = atlas.directory;
  const { RecordArchive } = await import('#analysis/atlas/extract.ts');
  const archive = await RecordArchive.open(atlas);
  return kernels.map(({ name }, kernel) => async () => {
    return targetOf(name, await kernelTypes(name, await archive.btf(kernel)));
  });
}

async function openKernel(call: Call, target: CoreTarget | null): Promise<LoadKernel> {
  const { io } = call;
  const config = call.option('config');
  const kallsyms = call.option('kallsyms');
  return {
    ...(target === null
      ? { name: 'no BTF', vmlinux: null, modules: [] }
      : await openTables(io, target, call.all('module'), call.all('modules'))),
    config:
      config === null
        ? null
        : config === 'none'
          ? 'none'
          : { text: await readText(await io.open(config)) },
    kallsyms: kallsyms === null ? null : await readText(await io.open(kallsyms)),
    release: call.option('release'),
    unameVersion: call.option('uname-version'),
  };
}

async function openTables(
  io: CommandIo,
  target: CoreTarget,
  modules: readonly string[],
  archives: readonly string[],
): Promise<Pick<LoadKernel, 'name' | 'vmlinux' | 'modules'>> {
  const paths = modules.filter((one) => one !== 'none');
  const { name, tables } = await withModules(io, target, paths);
  const [vmlinux, ...rest] = tables;
  const inside: TargetTable[] = [];
  for (const archive of archives) {
    if (vmlinux !== undefined) append(inside, await modulesIn(io, archive, vmlinux));
  }
  // If no module of an archive fits the kernel, the kernel's modules are unknown, not absent.
  const isKnown = modules.length + inside.length > 0;
  const loaded: readonly TargetTable[] | null = isKnown ? [...rest, ...inside] : null;
  return { name, vmlinux: vmlinux?.types ?? null, modules: loaded };
}
