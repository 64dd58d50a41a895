/** Resolves an example on another example, without a worker. */

import { type CoreTarget, targetOf } from '#analysis/core/candidates.ts';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { type CoreResult, resolveObject } from '#analysis/core/resolve.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { sampleModel, sampleObject } from './samples.ts';

export type ResolvedSample = {
  readonly model: ObjectModel;
  readonly types: TypeTable;
  readonly target: CoreTarget;
  readonly targetTypes: TypeTable;
  /** Results of the CO-RE records, with all steps. */
  readonly results: readonly CoreResult[];
};

/** Resolves `object` against the types of `kernel`, both given by path under `public/samples/`. */
export async function resolvedSample(object: string, kernel: string): Promise<ResolvedSample> {
  const { model, source } = await sampleObject(object);
  const { types: targetTypes } = await sampleModel(kernel);
  const code = await codeOf(model, source);
  const local = coreObjectOf(model, (section) => code.get(section) ?? null);
  if (local === null || targetTypes === null) throw new Error('both have types, one has records');
  const target = targetOf(kernel, targetTypes);
  const results = resolveObject(local, target, { trace: () => true });
  return { model, types: local.types, target, targetTypes, results };
}

async function codeOf(model: ObjectModel, source: ByteSource): Promise<Map<number, Uint8Array>> {
  const code = new Map<number, Uint8Array>();
  for (const section of new Set(model.ext.core.section)) {
    if (section < 0) continue;
    const start = model.sections.fileOffset[section] ?? 0;
    const length = model.sections.byteLength[section] ?? 0;
    code.set(section, await source.read(start, start + length));
  }
  return code;
}
