import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { tilesOf } from './OverviewView.tsx';

let model: ObjectModel;
beforeAll(async () => {
  model = await sampleModel('exec_trace.bpf.o');
});

describe('tilesOf', () => {
  it('has a number for each table of an object', () => {
    const tiles = tilesOf(model, []);
    expect(tiles.map(({ id, view }) => [id, view])).toEqual([
      ['types', 'types'],
      ['functions', 'code'],
      ['relocations', 'relocations'],
      ['core', 'core'],
      ['sections', 'bytes'],
      ['symbols', 'bytes'],
    ]);
    expect(tiles.find(({ id }) => id === 'types')?.count).toBe(model.types?.count);
    expect(tiles.at(-1)?.selection).toMatchObject({ kind: 'section' });
  });

  it('counts functions once they are found', () => {
    const functions = (tiles: ReturnType<typeof tilesOf>) =>
      tiles.find(({ id }) => id === 'functions');
    expect(functions(tilesOf(model, []))?.count).toBe(0);
    expect(functions(tilesOf(model, null))?.count).toBeNull();
  });

  it('leaves out what raw BTF cannot have', async () => {
    const raw = await sampleModel('kinds.btf');
    expect(tilesOf(raw, []).map(({ id }) => id)).toEqual(['types', 'strings']);
  });
});
