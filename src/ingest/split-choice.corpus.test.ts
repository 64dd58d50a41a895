/**
 * Compares modules with a distilled base, relocated to their kernel, with plain BTF of the same
 * modules. A distilled module also has copies of typedefs, pointers and the like, so its ids differ
 * from those in plain BTF. The test compares the types that the ids refer to.
 */
import { describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { enumeratorsOf, membersOf, paramsOf, varSecinfosOf } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOf,
  recordBytes,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { corpusKernels, corpusModules, kernelIds, readCorpusFile } from '#testing/corpus.ts';
import { ingest } from './ingest.ts';

const modules = corpusModules();
const distilled = modules.filter((m) => m.name.startsWith('distilled-'));

const kernels = new Map<string, Promise<TypeTable>>();

async function open(name: string, bytes: Uint8Array, base?: TypeTable): Promise<ObjectModel> {
  const opened = await ingest(bufferSource(name, bytes), base === undefined ? {} : { base });
  if (opened.kind !== 'object') throw new Error(`${name} is an archive`);
  return opened.model;
}

function kernelCalled(matches: (id: string) => boolean): Promise<TypeTable> {
  const kernel = corpusKernels().find(({ id }) => matches(id));
  if (kernel === undefined) throw new Error('there is no such kernel');
  const known = kernels.get(kernel.id) ?? typesOf(open(kernel.id, readCorpusFile(kernel)));
  kernels.set(kernel.id, known);
  return known;
}

async function typesOf(model: Promise<ObjectModel>): Promise<TypeTable> {
  const { types } = await model;
  if (types === null) throw new Error('there are no types');
  return types;
}

/** Returns the text of a type without ids, and the ids to which the type refers. */
function shapeOf(t: TypeTable, id: TypeId): { readonly text: string; readonly ids: TypeId[] } {
  const { elemType, indexType, nelems } = arrayData(t, id);
  const ref = refOf(t, id);
  const members = membersOf(t, id);
  const params = paramsOf(t, id);
  const variables = varSecinfosOf(t, id);
  const array = nelems > 0 || elemType > 0 ? [elemType, indexType] : [];
  const text = [
    kindName(kindOf(t, id)),
    nameOf(t, id),
    kindFlagOf(t, id),
    vlenOf(t, id),
    ref === null ? sizeOrTypeOf(t, id) : '',
    nelems,
    JSON.stringify(intData(t, id)),
    members.map((m) => `${m.name}@${m.bitOffset}:${m.bitfieldSize}`).join(),
    params.map((p) => p.name).join(),
    enumeratorsOf(t, id)
      .map((e) => `${e.name}=${e.value}`)
      .join(),
    variables.map((v) => `${v.offset}+${v.size}`).join(),
  ].join(' ');
  const items = [...members, ...params, ...variables].map(({ type }) => type);
  return { text, ids: [...(ref === null ? [] : [ref]), ...array, ...items] };
}

/** Returns the first difference between the types to which both modules refer; null for none. */
function firstDifference(moved: TypeTable, plain: TypeTable): string | null {
  const queue: [TypeId, TypeId][] = Array.from({ length: plain.count }, (_, i) => [
    typeId(moved.firstId + i),
    typeId(plain.firstId + i),
  ]);
  const seen = new Set<string>();
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const [a, b] = pair;
    const isInBase = a < moved.firstId && a === b;
    if (isInBase || seen.has(`${a} ${b}`)) continue;
    seen.add(`${a} ${b}`);
    const [left, right] = [shapeOf(moved, a), shapeOf(plain, b)];
    if (left.text !== right.text) return `[${a}] ${left.text}\n[${b}] ${right.text}`;
    if (left.ids.length !== right.ids.length) return `[${a}] and [${b}] lead to other numbers`;
    for (const [i, id] of left.ids.entries()) queue.push([id, right.ids[i] ?? typeId(0)]);
  }
  return null;
}

describe('distilled modules', () => {
  it('are there', () => {
    expect(distilled.length).toBeGreaterThan(0);
  });

  it.each(distilled.map((m) => [m.name, m] as const))('%s on its kernel', async (name, file) => {
    const module = name.replace('distilled-', '').replace(/\.ko$/, '');
    const plainFile = modules.find((m) => m.name === `${module}.btf`);
    if (plainFile === undefined) throw new Error(`there is no plain ${module}`);
    const kernel = await kernelCalled((id) => module.startsWith(`${id}-`));
    const plain = await typesOf(open(plainFile.name, readCorpusFile(plainFile), kernel));
    const model = await open(name, readCorpusFile(file), kernel);
    const { types, splitBase } = model;
    if (types === null) throw new Error('there are no types');
    expect(splitBase?.refusal).toBeNull();
    expect(splitBase?.matches.map(({ outcome }) => outcome)).not.toContain('missing');
    expect(types.firstId).toBe(plain.firstId);
    // Not `toEqual`, which would compare each of five million bytes.
    expect(types.base === kernel).toBe(true);
    expect(firstDifference(types, plain)).toBeNull();
    const lengths = (t: TypeTable) =>
      Array.from({ length: plain.count }, (_, i) => recordBytes(t, typeId(t.firstId + i)).length);
    expect(lengths(types)).toEqual(lengths(plain));
  });

  it.each(distilled.map((m) => [m.name, m] as const))(
    '%s on a kernel of another machine tells of each type what became of it',
    async (name, file) => {
      const other = await kernelCalled((id) => id === kernelIds.bits32);
      const { types, splitBase } = await open(name, readCorpusFile(file), other);
      expect(splitBase?.matches.length).toBe(splitBase?.distilled?.count);
      const lost = splitBase?.matches.filter(({ outcome }) => outcome !== 'mapped') ?? [];
      expect(splitBase?.refusal === null).toBe(lost.length === 0);
      expect(types?.base === (lost.length === 0 ? other : splitBase?.distilled)).toBe(true);
      expect(lost.every(({ reason }) => reason !== '')).toBe(true);
    },
  );
});
