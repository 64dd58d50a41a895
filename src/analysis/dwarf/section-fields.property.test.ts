/** Fields of damaged DWARF: they stay inside of their parents, and show what the bytes state. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileField } from '#analysis/structure/structure.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { openModel } from '#testing/open-model.ts';
import { walkStructure } from '#testing/walk-structure.ts';

/** Returns numbers from 0 to 1 (exclusive) that are the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Returns a copy with up to six bytes of its sections changed. */
function damaged(bytes: Uint8Array, { sections }: ObjectModel, random: () => number): Uint8Array {
  const copy = bytes.slice();
  for (let left = 1 + Math.floor(6 * random()); left > 0; left--) {
    const section = 1 + Math.floor(random() * (sections.count - 1));
    const at = Math.floor(random() * (sections.byteLength[section] ?? 0));
    const value =
      random() < 0.5 ? (EDGES[Math.floor(random() * EDGES.length)] ?? 0) : 256 * random();
    copy[(sections.fileOffset[section] ?? 0) + at] = value;
  }
  return copy;
}

const EDGES = [0, 1, 0x7f, 0x80, 0xff];

it.each(['gcc.o', 'clang.o', 'shared.o'])('%s with changed bytes', async (name) => {
  const bytes = new Uint8Array(readFileSync(`testdata/dwarf/${name}`));
  const model = await openModel(name, bytes);
  const random = randomNumbers(12_345);
  for (let run = 0; run < 60; run++) {
    const file = damaged(bytes, model, random);
    const opened = await openModel(name, file);
    const root = fileField(opened, (start, end) => file.subarray(start, end));
    expect(walkStructure(root, file, opened.endian, 60).fields).toBeGreaterThan(10);
  }
});
