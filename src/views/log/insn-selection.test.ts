import { expect, it } from 'vitest';
import { functionAt } from '#analysis/objects/functions.ts';
import { programCodes } from '#analysis/verifier/program-codes.ts';
import { bufferSource } from '#bytes/source.ts';
import { openModel } from '#testing/open-model.ts';
import { verifierObject } from '#testing/verifier-programs.ts';
import { insnSelection, isPoisoned } from './insn-selection.ts';

it('finds instructions of subprograms in the object', async () => {
  const program = 'null_subprogram';
  const bytes = verifierObject(program);
  const object = await openModel('a.o', bytes);
  const codes = await programCodes({ model: object, source: bufferSource('a.o', bytes) });
  const functions = codes.get(program)?.parts ?? [];
  expect(functions.map(({ name }) => name)[0]).toBe(program);
  expect(functions.length).toBeGreaterThan(1);
  for (const { name, insnOff, start, end } of functions) {
    const first = insnSelection({ object, program, functions }, insnOff);
    expect(first && functionAt(object, first.section, first.insnOff)?.name).toBe(name);
    const last = insnSelection({ object, program, functions }, insnOff + (end - start) / 8 - 1);
    expect(last && functionAt(object, last.section, last.insnOff)?.name).toBe(name);
  }
  expect(insnSelection({ object, program, functions }, 10_000)).toBeNull();
  expect(insnSelection({ object, program }, functions[1]?.insnOff ?? 0)).toBeNull();
});

it('knows instructions that libbpf made invalid', () => {
  for (const printed of [
    'call unknown#195896080',
    'call unknown#2001000003',
    'call unknown#2002000000',
    '<invalid CO-RE relocation>',
    '<invalid kfunc call>',
  ]) {
    expect(isPoisoned(printed), printed).toBe(true);
  }
  for (const printed of ['call unknown#300', 'call bpf_map_lookup_elem#1', 'r0 = 195896080']) {
    expect(isPoisoned(printed), printed).toBe(false);
  }
});
