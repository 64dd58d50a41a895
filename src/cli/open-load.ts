/** Opens the objects and kernels of commands about loading. */
import { type CoreTarget, type TargetTable, targetOf } from '#analysis/core/candidates.ts';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { type LoadObject, loadObject } from '#analysis/libbpf/open.ts';
import { append } from '#bytes/arrays.ts';
import { visible } from '#bytes/text.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { kernelTypes } from '#ingest/ingest.ts';
import { readText } from '#ingest/unpack.ts';
import { isBpf } from '#model/object-model.ts';
import {
  type Call,
  CommandFailure,
  type Failures,
  type NodeIo,
  repeated,
  UsageError,
  valued,
} from './command.ts';
import { expandPath, openObject } from './open.ts';
import { modulesIn, openTarget, withModules } from './open-core.ts';

/** Options that name kernels and state facts about them. */
export const KERNEL_OPTIONS = [
  repeated(
    'kernel',
    'BTF',
    'a kernel, or a directory or archive of kernels; none: one without BTF',
  ),
  repeated('atlas', 'ATLAS', 'all kernels of an atlas'),
  repeated('module', 'BTF', 'a module of the kernel, in load order; none: no module is loaded'),
  repeated('modules', 'PATH', 'a directory or archive: its modules that fit each kernel, in order'),
  valued('config', 'FILE', 'the configuration of the kernel; none: the machine has none'),
  valued('kallsyms', 'FILE', 'the symbols of the running kernel, as in /proc/kallsyms'),
  valued('release', 'TEXT', 'what uname -r prints'),
  valued('uname-version', 'TEXT', 'what uname -v prints'),
];

/** An opened object and the path that the user gave. */
export type NamedObject = { readonly path: string; readonly object: LoadObject };

export async function openNamedObject(io: NodeIo, path: string): Promise<NamedObject> {
  const { model, source } = await openObject(io, path);
  if (!isBpf(model)) throw new CommandFailure(`${visible(path)} is no BPF object`);
  return { path, object: await loadObject(model, source) };
}

/** Opens one kernel on demand: only one is in memory. Returns null for a kernel without BTF. */
type KernelOpener = () => Promise<CoreTarget | null>;

/** Returns openers for the kernels of a call. Adds to `failures` what cannot be opened. */
export async function kernelOpeners(
  call: Call,
  failures: Failures,
): Promise<readonly KernelOpener[]> {
  const kernels: KernelOpener[] = [];
  for (const path of call.all('kernel')) {
    for (const file of (await expandPath(call.io, path).catch(failures.add)) ?? [])
      kernels.push(() => openNamed(call.io, file));
  }
  for (const path of call.all('atlas')) {
    append(kernels, (await inAtlas(call.io, path).catch(failures.add)) ?? []);
  }
  if (call.all('module').length > 0 && kernels.length + failures.count !== 1) {
    throw new UsageError('--module requires exactly one kernel');
  }
  return kernels;
}

async function openNamed(io: NodeIo, path: string): Promise<CoreTarget | null> {
  return path === 'none' ? null : await openTarget(io, path);
}

/** Returns openers for the kernels of an atlas, oldest kernel first. Rejects with `Malformed`. */
async function inAtlas(io: NodeIo, path: string): Promise<readonly KernelOpener[]> {
  const atlas = await AtlasFile.open(await io.open(path));
  const { kernels } = atlas.directory;
  const { RecordArchive } = await import('#analysis/atlas/extract.ts');
  const archive = await RecordArchive.open(atlas);
  return kernels.map(({ name }, kernel) => async () => {
    return targetOf(name, await kernelTypes(name, await archive.btf(kernel)));
  });
}

export async function openKernel(call: Call, target: CoreTarget | null): Promise<LoadKernel> {
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
  io: NodeIo,
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
