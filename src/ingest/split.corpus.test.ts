/** Compares the inferred base size of real modules with the kernels they were built for. */
import { describe, expect, it } from 'vitest';
import { attempt, type Issue } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { typeId } from '#model/ids.ts';
import { lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { corpusKernels, corpusModules, readCorpusFile } from '#testing/corpus.ts';
import { type BtfRegion, ingestBtf } from './btf.ts';
import { ingestElf, readSection, sectionsNamed } from './elf.ts';

const modules = corpusModules();
const raw = modules.filter((m) => m.name.endsWith('.btf'));
const shipped = modules.filter((m) => m.name.endsWith('.ko') && !m.name.startsWith('distilled-'));
const distilled = modules.filter((m) => m.name.startsWith('distilled-'));

const kernels = new Map<string, TypeTable>();

/** Returns the kernel whose name is the start of the module's name. */
function kernelOf(name: string): TypeTable {
  const kernel = corpusKernels().find((k) => name.startsWith(`${k.id}-`));
  if (kernel === undefined) throw new Error(`there is no kernel for ${name}`);
  const known = kernels.get(kernel.id);
  const bytes = known ? null : readCorpusFile(kernel);
  const table =
    known ??
    ingestBtf({ bytes: bytes ?? new Uint8Array(0), fileOffset: 0, region: kernel.id }, null, [])
      .types;
  kernels.set(kernel.id, table);
  return table;
}

async function sectionOf(file: (typeof modules)[number], name: string): Promise<BtfRegion> {
  const source = bufferSource(file.name, readCorpusFile(file));
  const parts = await ingestElf(source, []);
  const [index] = sectionsNamed(parts.sections, name);
  const read = index === undefined ? null : await readSection(source, parts, index, []);
  if (read === null) throw new Error(`${file.name} has no ${name}`);
  return { ...read, region: name };
}

function expectInferred(region: BtfRegion, kernel: TypeTable): void {
  const issues: Issue[] = [];
  const { types } = ingestBtf(region, null, issues);
  expect(types).toMatchObject({
    firstId: lastId(kernel) + 1,
    strBase: kernel.strEnd - kernel.strStart,
  });
  expect(issues).toMatchObject([{ code: 'btf.base-missing' }]);
  expect(issues[0]?.message).not.toContain('at least');
}

describe('modules of the corpus', () => {
  it('are there', () => {
    expect([raw.length, shipped.length, distilled.length].every((n) => n > 0)).toBe(true);
  });

  it.each(raw.map((m) => [m.name, m] as const))('%s alone', (name, file) => {
    expectInferred({ bytes: readCorpusFile(file), fileOffset: 0, region: name }, kernelOf(name));
  });

  it.each(shipped.map((m) => [m.name, m] as const))('%s alone', async (name, file) => {
    expectInferred(await sectionOf(file, '.BTF'), kernelOf(name));
  });

  it.each(raw.map((m) => [m.name, m] as const))('%s on its kernel', (name, file) => {
    const issues: Issue[] = [];
    const region = { bytes: readCorpusFile(file), fileOffset: 0, region: name };
    const { types } = ingestBtf(region, kernelOf(name), issues);
    expect(issues.map((i) => i.code)).toEqual(['btf.base-in-use']);
    expect(nameOf(types, typeId(1))).toBe(nameOf(kernelOf(name), typeId(1)));
  });

  it.each(raw.map((m) => [m.name, m] as const))('%s on another kernel is doubted', (name, file) => {
    const other = corpusKernels().find((k) => !name.startsWith(`${k.id}-`));
    const issues: Issue[] = [];
    const region = { bytes: readCorpusFile(file), fileOffset: 0, region: name };
    ingestBtf(region, kernelOf(`${other?.id}-`), issues);
    expect(issues.map((i) => i.code)).toContain('btf.base-does-not-fit');
  });

  it.each(distilled.map((m) => [m.name, m] as const))(
    '%s on its own .BTF.base',
    async (_name, file) => {
      const issues: Issue[] = [];
      const baseRegion = await sectionOf(file, '.BTF.base');
      const base = attempt(issues, () => ingestBtf(baseRegion, null, issues));
      const { types } = ingestBtf(await sectionOf(file, '.BTF'), base?.types ?? null, issues);
      expect(issues.map((i) => i.code)).toEqual(['btf.base-in-use']);
      expect(types.firstId).toBe((base?.types.count ?? 0) + 1);
    },
  );
});
