/** Reads the CO-RE records of an object, and resolves them on a kernel. */
import { type CoreTarget, targetOf } from '#analysis/core/candidates.ts';
import { coreRecord, readCoreObject } from '#analysis/core/core-records.ts';
import { coreState } from '#analysis/core/reason.ts';
import { type CoreResult as Resolved, resolveObject } from '#analysis/core/resolve.ts';
import { Malformed } from '#bytes/issue.ts';
import { moduleName } from '#ingest/modules.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { recordLog } from '#print/core-log.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { ObjectFile } from './open.ts';
import { Type, Types } from './types.ts';

/** A CO-RE record of an object. Names in it are not escaped. */
export type CoreRecord = {
  /** Number of the record in the file, from 0. */
  readonly index: number;
  /** Kind of the record: `byte_off`, `field_exists`, `type_size` … */
  readonly kind: string;
  /** The type in the object at which the access begins. */
  readonly root: Type;
  /** The access string, such as `0:1:2`. */
  readonly access: string;
  /** The record as `llvm-objdump -dr` prints it: `<byte_off> [2] struct task_struct::pid (0:1)`. */
  readonly text: string;
  readonly section: string;
  /** Offset of the patched instruction in its section, in bytes. */
  readonly insnOffset: number;
  /** Function of the instruction, with the instruction's index; null if it is in no function. */
  readonly func: { readonly name: string; readonly insn: number } | null;
};

/** The result of a record on a kernel, computed as in libbpf 1.8. */
export type CoreResult = {
  readonly record: CoreRecord;
  /**
   * `same`: unchanged. `changed`: another offset, size or value. `absent`: no match, the value is
   * 0. `poisoned`: no match, the instruction becomes invalid. `fails`: libbpf rejects the object.
   */
  readonly state: 'same' | 'changed' | 'absent' | 'poisoned' | 'fails';
  /** Value in the object; null if the record fails before libbpf computes the value. */
  readonly before: bigint | null;
  /** Value on the kernel; null if the record fails or is poisoned. */
  readonly after: bigint | null;
  /** The first matching candidate as libbpf prints it; null if no candidate matches. */
  readonly target: string | null;
  /** The module that has the candidate; null if the kernel itself has it. */
  readonly module: string | null;
  /** The reason for the state in one sentence. Names are not escaped. */
  readonly reason: string;
  /** Lines that libbpf logs at its debug level. Names are not escaped. */
  readonly log: readonly string[];
};

export type ResolveOptions = {
  /** Modules in load order. Each must have been opened with the kernel as its `base`. */
  readonly modules?: readonly ObjectFile[];
};

/** Yields the CO-RE records of an object in file order. Throws `Malformed` if it has no types. */
export function* coreRecords(file: ObjectFile): Generator<CoreRecord, void, undefined> {
  const { model } = ObjectFile.openedOf(file);
  const t = Types.tableOf(file.types);
  for (let i = 0; i < model.ext.core.count; i++) yield publicRecord(model, t, i);
}

/**
 * Resolves the CO-RE records of an object on a kernel. Results are in file order. Rejects with
 * `Malformed` if the object or the kernel has no types, or if a module belongs to another kernel.
 */
export async function resolveCore(
  file: ObjectFile,
  kernel: ObjectFile,
  { modules = [] }: ResolveOptions = {},
): Promise<readonly CoreResult[]> {
  const { model, source } = ObjectFile.openedOf(file);
  const t = Types.tableOf(file.types);
  const target = withModules(kernel, modules);
  const local = await readCoreObject(model, (start, end) => source.read(start, end));
  if (local === null) return [];
  return resolveObject(local, target).map((result) => publicResult(model, t, result));
}

/** @internal Returns the kernel as a target, followed by its modules. Throws `Malformed`. */
export function withModules(kernel: ObjectFile, modules: readonly ObjectFile[]): CoreTarget {
  const table = Types.tableOf(kernel.types);
  const { name, tables } = targetOf(kernel.name, table);
  const more = modules.map((module) => {
    const types = Types.tableOf(module.types);
    if (types.base !== table) {
      const message = `${module.name} was not opened with ${kernel.name} as its base`;
      throw new Malformed({ code: 'module.other-base', region: module.name, message, span: null });
    }
    return { name: moduleName(module.name), types };
  });
  return { name, tables: [...tables, ...more] };
}

function publicRecord(model: ObjectModel, t: TypeTable, index: number): CoreRecord {
  const record = coreRecord(model, coreIndex(index));
  const { kindName, root, accessStr, sectionName, insnOff, func } = record;
  return {
    index,
    kind: kindName,
    root: new Type(t, root),
    access: accessStr,
    get text() {
      return coreRelocationText(t, record);
    },
    section: sectionName,
    insnOffset: insnOff,
    func: func && { name: func.name, insn: func.insnIndex },
  };
}

function publicResult(model: ObjectModel, t: TypeTable, result: Resolved): CoreResult {
  const { record, decision, targetSpec, module, reason } = result;
  const state = coreState(result);
  return {
    record: publicRecord(model, t, record.index),
    state,
    before: decision?.origVal ?? null,
    after: decision === null || state === 'poisoned' ? null : decision.newVal,
    target: targetSpec?.text ?? null,
    module,
    reason,
    // Computed on access: the log of each record may contain names of a megabyte.
    get log() {
      return recordLog(result);
    },
  };
}
