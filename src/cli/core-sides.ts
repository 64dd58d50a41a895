/** The two sides of a CO-RE relocation as a command line names them. */
import { type CoreObject, coreObjectOf } from '#analysis/core/core-object.ts';
import { type CoreTarget, targetOf } from '#analysis/core/target.ts';
import { visible } from '#bytes/text.ts';
import { CommandFailure, type NodeIo } from './command.ts';
import { openObject, openTypes } from './open.ts';

/**
 * The CO-RE side of the object at `path`. Rejects with a `CommandFailure` where it
 * has none.
 */
export async function openLocal(
  io: NodeIo,
  path: string,
): Promise<{ readonly name: string; readonly local: CoreObject }> {
  const { model, source } = await openObject(io, path);
  const code = new Map<number, Uint8Array>();
  for (const section of new Set(model.ext.core.section)) {
    if (section < 0) continue;
    const start = model.sections.fileOffset[section] ?? 0;
    code.set(section, await source.read(start, start + (model.sections.byteLength[section] ?? 0)));
  }
  const local = coreObjectOf(model, (section) => code.get(section) ?? null);
  if (local === null) throw new CommandFailure(`${visible(path)} has no CO-RE relocations`);
  return { name: model.name, local };
}

/** The types at `path` as a target. Rejects with a `CommandFailure` where they stand on others. */
export async function openTarget(io: NodeIo, path: string): Promise<CoreTarget> {
  const { model, types } = await openTypes(io, path, null);
  if (types.split) {
    throw new CommandFailure(
      `${visible(path)} is split BTF: it cannot be a target without the kernel that it belongs to`,
    );
  }
  return targetOf(model.name, types);
}

/** The target with the split BTF at `paths` behind its kernel. Rejects as `openTypes` does, and where one is not split. */
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
    if (!types.split) throw new CommandFailure(`${visible(path)} is not split BTF, as modules are`);
    tables.push({ name: moduleName(model.name), types });
  }
  return { name: target.name, tables };
}

/** As the kernel has it: without the ending of the file, and with no dash. */
function moduleName(fileName: string): string {
  return fileName.replace(/\.(?:btf|ko)(?:\.[a-z0-9]+)?$/, '').replaceAll('-', '_');
}
