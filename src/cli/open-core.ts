/** Opens the inputs of CO-RE: an object with its CO-RE records, and its targets. */
import { type CoreTarget, type TargetTable, targetOf } from '#analysis/core/candidates.ts';
import { type CoreObject, readCoreObject } from '#analysis/core/core-records.ts';
import { refusedTargetText } from '#analysis/kernel/verdict.ts';
import { libbpfVerdictOn } from '#analysis/libbpf/check-btf.ts';
import { visible } from '#bytes/text.ts';
import { fittingModule, moduleName } from '#ingest/modules.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { CommandFailure, type NodeIo } from './command.ts';
import { filesIn, openObject, openTypes } from './open.ts';

/** Opens an object with its CO-RE records. Rejects with a `CommandFailure` if it has none. */
export async function openLocal(
  io: NodeIo,
  path: string,
): Promise<{ readonly name: string; readonly local: CoreObject; readonly model: ObjectModel }> {
  const { model, source } = await openObject(io, path);
  const local = await readCoreObject(model, (start, end) => source.read(start, end));
  if (local === null) throw new CommandFailure(`${visible(path)} has no CO-RE relocations`);
  return { name: model.name, local, model };
}

/** Opens the types at `path` as a target. Rejects with a `CommandFailure` for split BTF. */
export async function openTarget(io: NodeIo, path: string): Promise<CoreTarget> {
  const { model, types } = await openTypes(io, path, null);
  if (types.split) {
    throw new CommandFailure(
      `${visible(path)} is split BTF: name its kernel with --target and this file with --module`,
    );
  }
  const verdict = libbpfVerdictOn(types.blob);
  if (verdict.verdict === 'refused') {
    io.warn(`btfscope: ${visible(path)}: ${refusedTargetText(verdict)}`);
  }
  return targetOf(model.name, types);
}

/** Returns the target with modules from `paths`. Rejects if one is not split BTF of it. */
export async function withModules(
  io: NodeIo,
  target: CoreTarget,
  paths: readonly string[],
): Promise<CoreTarget> {
  const [vmlinux] = target.tables;
  if (vmlinux === undefined) return target;
  const base = { name: target.name, types: vmlinux.types };
  const tables = [vmlinux];
  for (const path of paths) {
    const { model, types } = await openTypes(io, path, base);
    if (!types.split)
      throw new CommandFailure(`${visible(path)} is not split BTF; modules have split BTF`);
    tables.push({ name: moduleName(model.name), types });
  }
  return { name: target.name, tables };
}

/** Returns the modules in a directory or archive that fit the kernel. Rejects other files. */
export async function modulesIn(
  io: NodeIo,
  path: string,
  kernel: TargetTable,
): Promise<readonly TargetTable[]> {
  const modules: TargetTable[] = [];
  const options = { base: kernel.types, baseName: kernel.name };
  for await (const opened of filesIn(io, path, options)) {
    const module = fittingModule(opened);
    if (module !== null) modules.push(module);
  }
  return modules;
}
