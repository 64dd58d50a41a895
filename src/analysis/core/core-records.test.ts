/** Tests CO-RE records on the examples that come with the app. */
import { describe, expect, it } from 'vitest';
import { NO_EXT } from '#model/ext.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import { targetOf } from './candidates.ts';
import { type CoreObject, coreObjectOf, insnBytesOf } from './core-records.ts';
import { resolveObject } from './resolve.ts';

async function open(name: string): Promise<CoreObject> {
  const bytes = sampleBytes(name);
  const model = await sampleModel(name);
  const local = coreObjectOf(model, (section) => {
    const start = model.sections.fileOffset[section] ?? 0;
    return bytes.subarray(start, start + (model.sections.byteLength[section] ?? 0));
  });
  if (local === null) throw new Error(`${name} has no CO-RE records`);
  return local;
}

const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

describe('coreObjectOf', () => {
  it.each(['doc_core', 'bitfields', 'exec_trace'])(
    'takes from %s what its own types resolve without a change, in both byte orders',
    async (name) => {
      for (const order of ['', '.be']) {
        const local = await open(`${name}${order}.bpf.o`);
        const results = resolveObject(local, targetOf('self', local.types));
        expect(results.map(({ status }) => status)).toEqual(local.records.map(() => 'ok'));
        for (const [row, found] of results.entries()) {
          expect(found.insnBefore).toBe(hex(insnBytesOf(local, row)));
          expect(found.decision?.newVal).toBe(found.decision?.origVal);
        }
      }
    },
  );

  it('is plain data that can be sent to another worker', async () => {
    const local = await open('doc_core.bpf.o');
    const sent = structuredClone(local);
    const target = targetOf('self', local.types);
    expect(resolveObject(sent, target)).toEqual(resolveObject(local, target));
    const results = resolveObject(local, target, { trace: () => true });
    expect(structuredClone(results)).toEqual(results);
  });

  it('is empty for an object without records or types', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    expect(coreObjectOf({ ...model, ext: NO_EXT }, () => null)).toBeNull();
    expect(coreObjectOf({ ...model, types: null }, () => null)).toBeNull();
  });

  it('marks the records that no function symbol holds, where there are any', async () => {
    const marked = async (change: (size: bigint) => bigint, type: number) => {
      const model = await sampleModel('doc_core.bpf.o');
      const { symbols } = model;
      const info = symbols.info.map((value) =>
        (value & 0xf) === 2 ? (value & 0xf0) | type : value,
      );
      const changed = { ...symbols, info, size: symbols.size.map(change) };
      const local = coreObjectOf({ ...model, symbols: changed }, () => null);
      return new Set(local?.records.map(({ eliminated }) => eliminated));
    };
    expect(await marked((size) => size, 2)).toEqual(new Set([false]));
    expect(await marked(() => 0n, 2)).toEqual(new Set([true]));
    expect(await marked(() => 0n, 0)).toEqual(new Set([false]));
  });

  it('keeps records without an instruction, which the resolver reports', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    const local = coreObjectOf(model, () => null);
    if (local === null) throw new Error('there are records');
    expect(local.records).toHaveLength(model.ext.core.count);
    for (const found of resolveObject(local, targetOf('self', local.types))) {
      expect(found).toMatchObject({ status: 'failed', patchErr: -22, insnBefore: '' });
      expect(found.reason).toBe('There is no instruction at this place.');
    }
  });
});
