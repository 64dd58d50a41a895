/** Reads every file of the corpus with `ingest`. Skipped if the corpus is not installed. */
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import { btfOf } from '#model/object-model.ts';
import {
  corpusEdges,
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusTargets,
  readCorpusFile,
} from '#testing/corpus.ts';
import { coreCountOf, relocationCountOf, sectionCountOf, typeCountOf } from '#testing/goldens.ts';
import { type Ingested, ingestBytes } from './ingest.ts';

describe('the corpus', () => {
  it('objects have the counts of the tools', async () => {
    const wrong: string[] = [];
    for (const object of [...corpusObjects(), ...corpusTargets()]) {
      const result = await ingestBytes(object.name, readCorpusFile(object));
      if (result.kind !== 'object') throw new Error(`${object.id} is an archive`);
      const { model } = result;
      const counts = {
        types: [model.types?.count ?? 0, typeCountOf(object.id) ?? model.types?.count ?? 0],
        sections: [model.sections.count, sectionCountOf(object.id) ?? model.sections.count],
        relocations: [
          model.relocations.count,
          relocationCountOf(object.id) ?? model.relocations.count,
        ],
        core: [model.ext.core.count, coreCountOf(object.id)],
      };
      for (const [what, [ours, theirs]] of Object.entries(counts)) {
        if (ours !== theirs) wrong.push(`${object.id}: ${ours} ${what}, not ${theirs}`);
      }
      for (const issue of model.issues) {
        if (issue.severity !== 'note') wrong.push(`${object.id}: ${issue.code} ${issue.message}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it.each(corpusKernels().map((kernel) => [kernel.id, kernel] as const))(
    'kernel %s has types and no issue',
    async (_, kernel) => {
      const result = await ingestBytes(kernel.name, readCorpusFile(kernel));
      expect(result.kind === 'object' && result.model.types?.count).toBeGreaterThan(100);
      expect(result.kind === 'object' && result.model.issues).toEqual([]);
    },
  );

  it.each(corpusModules().map((module) => [module.id, module] as const))(
    'module %s has types',
    async (_, module) => {
      const result = await ingestBytes(module.name, readCorpusFile(module));
      expect(result.kind === 'object' && result.model.types?.count).toBeGreaterThan(0);
    },
  );

  it.each(corpusEdges().map((edge) => [edge.id, edge] as const))('edge %s', async (_, edge) => {
    const result = await outcome(edge.name, readCorpusFile(edge));
    if (edge.accept === 'refuse') {
      expect(result).toBeInstanceOf(Malformed);
      return;
    }
    if (result instanceof Malformed) throw result;
    if (result.kind !== 'object') {
      expect(edge.kind).toBe(result.kind);
      return;
    }
    // Split BTF with a base is skipped: other tests open it on its base.
    if (edge.base !== null) return;
    if (edge.types !== null) expect(btfOf(result.model)?.count ?? 0).toBe(edge.types);
    if (edge.accept === 'ok') {
      expect(result.model.issues.filter((issue) => issue.severity !== 'note')).toEqual([]);
    }
  });
});

async function outcome(name: string, bytes: Uint8Array): Promise<Ingested | Malformed> {
  try {
    return await ingestBytes(name, bytes);
  } catch (error) {
    if (error instanceof Malformed) return error;
    throw error;
  }
}
