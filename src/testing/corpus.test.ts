import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  corpusEdges,
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusPath,
  corpusTargets,
  isLargeCorpus,
  isPacked,
  readCorpusFile,
} from './corpus.ts';
import {
  coreCountOf,
  coreRows,
  goldenOf,
  relocationCountOf,
  sectionCountOf,
  typeCountOf,
} from './goldens.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('corpus', () => {
  it('lists existing objects as in the manifest', () => {
    const objects = corpusObjects();
    expect(objects.length).toBeGreaterThan(100);
    expect(new Set(objects.map((o) => o.id)).size).toBe(objects.length);
    for (const object of objects) {
      const bytes = readCorpusFile(object);
      expect(bytes, object.id).toHaveLength(object.size);
      expect(sha256(bytes), object.id).toBe(object.sha256);
    }
  });

  it.skipIf(!isLargeCorpus)('lists random targets, each with its golden text', () => {
    const targets = corpusTargets();
    expect(targets.length).toBeGreaterThan(100);
    for (const target of targets) {
      expect(goldenOf(target.id, 'btf.raw.txt')?.rc, target.id).toBe(0);
      expect(sha256(readCorpusFile(target)), target.id).toBe(target.sha256);
    }
  });

  it('names kernels as the CO-RE rows name their targets', () => {
    const kernels = new Set(corpusKernels().map((k) => k.id));
    const named = new Set<string>();
    for (const row of coreRows('-amd64"')) named.add(row.text('target'));
    expect(kernels.size).toBeGreaterThan(0);
    expect([...named].filter((id) => kernels.has(id)).length).toBeGreaterThan(0);
  });

  it('lists modules and edge files that exist', () => {
    const edges = corpusEdges();
    const files = [...corpusModules(), ...edges].map((f) => f.file);
    expect(files.filter((file) => !existsSync(corpusPath(file)))).toEqual([]);
    expect(new Set(edges.map((e) => e.accept))).toEqual(new Set(['ok', 'warn', 'refuse']));
    for (const edge of edges) {
      expect(sha256(readCorpusFile(edge)), edge.id).toBe(edge.row.text('sha256'));
    }
  });

  it('unpacks files compressed by the corpus, and leaves files that are zstd themselves', () => {
    const kernel = corpusKernels().find((k) => k.file.endsWith('.zst'));
    expect(kernel).toMatchObject({ name: expect.stringMatching(/\.btf$/) });
    expect(isPacked({ id: 'a', name: 'a.o', file: 'edge/a.o.zst' })).toBe(true);
    expect(isPacked({ id: 'a', name: 'a.o.zst', file: 'edge/a.o.zst' })).toBe(false);
  });
});

describe('goldens', () => {
  it('gives the tools’ counts, for every object that has goldens', () => {
    const counted = corpusObjects().map(({ id }) => ({
      types: typeCountOf(id),
      sections: sectionCountOf(id),
      relocations: relocationCountOf(id),
    }));
    expect(counted.filter((c) => c.relocations === null || c.sections === null)).toEqual([]);
    expect(counted.filter((c) => (c.types ?? 0) > 0).length).toBeGreaterThan(100);
    expect(counted.filter((c) => c.types === null).length).toBeGreaterThan(0);
  });

  it.skipIf(!isLargeCorpus)('numbers CO-RE rows of an object from 0 without a gap', () => {
    const highest = new Map<string, number>();
    for (const row of coreRows('"target":"self"')) {
      const object = row.text('object');
      highest.set(object, Math.max(highest.get(object) ?? 0, row.number('global_index')));
    }
    expect(highest.size).toBeGreaterThan(100);
    for (const [object, last] of highest) expect(coreCountOf(object), object).toBe(last + 1);
    expect(coreCountOf('no such object')).toBe(0);
  });

  it('distinguishes an empty output from a tool that was not run', () => {
    const withoutTypes = corpusObjects().find((o) => typeCountOf(o.id) === null);
    const golden = goldenOf(withoutTypes?.id ?? '', 'btf.raw.txt');
    expect(golden).toMatchObject({ text: '' });
    expect(golden?.rc).not.toBe(0);
    expect(golden?.stderr).not.toBe('');
    expect(goldenOf('no such object', 'btf.raw.txt')).toBeNull();
    expect(goldenOf('random__no_such', 'btf.raw.txt')).toBeNull();
  });
});
