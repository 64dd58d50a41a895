/** Compares the variables and maps of real objects with the tables in the objects. */
import { describe, expect, it } from 'vitest';
import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { sectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import { partsOf } from '#testing/all-at-once.ts';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes, sampleNames } from '#testing/samples.ts';
import type { Value } from './decode.ts';
import { dataSections, isZeros, type SectionBytes } from './object-data.ts';
import { mapVariables, variableBytes, variablesOf, variableValue } from './variables.ts';

async function opened(name: string, bytes: Uint8Array) {
  const { model, source } = await openObject(name, bytes);
  const held = new Map<number, Uint8Array>();
  for (const section of dataSections(model)) {
    const start = model.sections.fileOffset[section] ?? 0;
    const end = start + (model.sections.byteLength[section] ?? 0);
    held.set(section, await source.read(start, end));
  }
  const sectionBytes: SectionBytes = (section) => held.get(section) ?? null;
  return { model, sectionBytes };
}

/** Yields some thousand values at most: numbers of whole bytes, which a DataView can read, too. */
function* numbers(root: Value): Generator<Value> {
  const queue = [root];
  for (let i = 0; i < 2000 && i < queue.length; i++) {
    const value = queue[i];
    if (value === undefined) return;
    queue.push(...partsOf(value, 0, 64));
    const { content, isBitfield, bitSize } = value;
    if (content.kind === 'int' && !isBitfield && [8, 16, 32, 64].includes(bitSize)) yield value;
  }
}

function readByView(
  { bitOffset, bitSize }: Value,
  file: Uint8Array,
  at: number,
  isLittle: boolean,
) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const offset = at + bitOffset / 8;
  switch (bitSize) {
    case 8:
      return BigInt(view.getUint8(offset));
    case 16:
      return BigInt(view.getUint16(offset, isLittle));
    case 32:
      return BigInt(view.getUint32(offset, isLittle));
    default:
      return view.getBigUint64(offset, isLittle);
  }
}

type Seen = { variables: number; maps: number; slots: number; compared: number };

async function look(name: string, bytes: Uint8Array, seen: Seen, wrong: unknown[]): Promise<void> {
  const { model, sectionBytes } = await opened(name, bytes);
  const variables = variablesOf(model);
  const t = model.types;
  if (t !== null) {
    for (const [section, datasec] of datasecsOf(t)) {
      const listed = section === '.maps' ? mapVariables(model) : variables;
      const found = new Set(listed.map(({ varId }) => varId));
      for (const { type } of varSecinfosOf(t, datasec)) {
        const isFound = kindOf(t, type) !== BtfKind.VAR || found.has(type);
        if (!isFound) wrong.push([name, section, nameOf(t, type), 'is not listed']);
      }
    }
  }
  for (const variable of variables) {
    const { symbol, linkage, sectionIndex: section, byteOffset } = variable;
    seen.variables++;
    if (linkage === 'extern') {
      if (variableBytes(model, sectionBytes, variable) !== null) wrong.push([name, variable.name]);
      continue;
    }
    if (section === null || byteOffset === null) continue;
    // A defined variable has a symbol whose size is that of the variable.
    if (symbol !== null && Number(model.symbols.size[symbol]) !== variable.byteSize) {
      wrong.push([name, variable.name, variable.byteSize, model.symbols.size[symbol]]);
    }
    const value = variableValue(model, sectionBytes, variable);
    if (value === null) continue;
    const start = (model.sections.fileOffset[section] ?? 0) + byteOffset;
    for (const number of numbers(value)) {
      const raw = 'value' in number.content ? number.content.value : 0n;
      const there = isZeros(model, section)
        ? 0n
        : readByView(number, bytes, start, model.endian === 'little');
      seen.compared++;
      if (BigInt.asUintN(number.bitSize, raw) !== there) wrong.push([name, variable.name, raw]);
    }
  }
  for (const map of definedMaps(model, sectionBytes)) {
    seen.maps++;
    seen.slots += map.slots.length;
    // A map has no type if its BTF was removed.
    const isUntyped = map.section === '.maps' && map.varId === null;
    if (isUntyped && t?.count !== 0 && t !== null) wrong.push([name, map.name, 'has no BTF']);
    if (isUntyped || map.linkage === 'extern') continue;
    if (map.mapType === null || map.faults.length > 0) {
      wrong.push([name, map.name, map.faults]);
    }
  }
  // No two variables may share bytes: a global variable's BTF offset of 0 must not be used.
  const places = new Map<string, string>();
  for (const { section, sectionIndex: at, byteOffset, byteSize, name: own } of variables) {
    if (at === null || byteOffset === null || byteSize === 0) continue;
    const place = `${section} ${sectionName(model.sections, sectionIndex(at))} ${byteOffset}`;
    const other = places.get(place);
    if (other !== undefined) wrong.push([name, own, `lies where ${other} lies`]);
    places.set(place, own);
  }
}

const empty = (): Seen => ({ variables: 0, maps: 0, slots: 0, compared: 0 });

it('finds all variables of the examples, with the values that their bytes have', async () => {
  const seen = empty();
  const wrong: unknown[] = [];
  for (const name of sampleNames()) await look(name, sampleBytes(name), seen, wrong);
  expect(wrong).toEqual([]);
  expect(seen.variables).toBeGreaterThan(50);
  expect(seen.compared).toBeGreaterThan(100);
});

describe('objects of the corpus', () => {
  it('hold the variables and maps that their tables list', async () => {
    const seen = empty();
    const wrong: unknown[] = [];
    for (const object of corpusObjects()) {
      await look(object.id, readCorpusFile(object), seen, wrong);
    }
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(seen.variables).toBeGreaterThan(300);
    expect(seen.maps).toBeGreaterThan(100);
    expect(seen.slots).toBeGreaterThan(5);
  }, 60_000);
});
