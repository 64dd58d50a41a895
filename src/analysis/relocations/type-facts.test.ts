import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type RelocIndex, relocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kernelModule } from '#testing/kernel-module.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { relocationMeaning } from './meaning.ts';
import { changedUnits, typeFacts } from './type-facts.ts';

async function testObject(name: string): Promise<ObjectModel> {
  const path = fileURLToPath(new URL(`../../../testdata/relocs/${name}`, import.meta.url));
  return await openModel(name, new Uint8Array(readFileSync(path)));
}

function find(model: ObjectModel, type: string): RelocIndex {
  for (let i = 0; i < model.relocations.count; i++) {
    if (relocationMeaning(model, relocIndex(i)).typeName === type) return relocIndex(i);
  }
  throw new Error(`no entry of type ${type}`);
}

const facts = (model: ObjectModel, type: string) =>
  new Map(typeFacts(model, find(model, type)).map(({ term, value }) => [term, value]));

describe('typeFacts', () => {
  it('states limits, stubs, relaxation and source', async () => {
    const call = facts(await testObject('aarch64.o'), 'R_AARCH64_CALL26');
    expect(call.get('Limits')).toBe('-0x8000000 to 0x7ffffff, multiple of 4');
    expect(call.get('Limits of lld')).toMatch(/; then a stub$/);
    expect(call.get('Relaxation')).toBe('out of reach, the branch goes to a veneer');
    expect(call.get('Source')).toMatch(/^ELF for the Arm 64-bit Architecture/);
    expect(call.get('P')).toBe('address of the place');
  });

  it('states what linkers accept beyond the supplement', async () => {
    const absolute = facts(await testObject('s390x.o'), 'R_390_PLT32DBL');
    expect(absolute.get('Limits')).toBe('-0x100000000 to 0xffffffff, multiple of 2');
    expect(absolute.get('Limits of GNU ld')).toBe('-0x200000000 to 0x1ffffffff, multiple of 2');
  });

  it('has the module loader for modules only', async () => {
    const model = await openModel('test.ko', kernelModule(62));
    expect(facts(model, 'R_X86_64_64').get('Module loader')).toMatch(/^applied without a check \(/);
    expect(facts(await testObject('x86_64.o'), 'R_X86_64_PC32').has('Module loader')).toBe(false);
  });

  it('is empty for BPF', async () => {
    const model = await openModel('layout.bpf.o', sampleBytes('layout.bpf.o'));
    expect(typeFacts(model, relocIndex(0))).toEqual([]);
    expect(changedUnits(model, relocIndex(0))).toEqual([]);
  });
});

describe('changedUnits', () => {
  it('has the two halfwords of a Thumb instruction', async () => {
    const model = await testObject('armv7.o');
    const units = changedUnits(model, find(model, 'R_ARM_THM_MOVW_ABS_NC'));
    expect(units.map(({ byteOffset, byteLength }) => [byteOffset, byteLength])).toEqual([
      [0, 2],
      [2, 2],
    ]);
    const bits = units.flatMap((unit) => unit.bits).reduce((sum, { length }) => sum + length, 0);
    expect(bits).toBe(16);
  });
});
