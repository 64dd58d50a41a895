import { expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { sampleModel } from '#testing/samples.ts';
import { placeOfTarget } from './relocation-target.ts';

/** exec_trace.bpf.o: 2 .text, 9 .rodata at 0x788 with 8 bytes, 11 .bss (NOBITS). */
it.each([
  ['a function', 2, 24n, { selection: { kind: 'insn', section: 2, insnOff: 24 }, view: 'code' }],
  ['a variable', 9, 4n, { selection: { kind: 'bytes', start: 0x78c, end: 0x78d }, view: 'bytes' }],
  [
    'a variable without bytes',
    11,
    8n,
    { selection: { kind: 'section', section: 11 }, view: 'bytes' },
  ],
  ['a place past the end', 9, 80n, { selection: { kind: 'section', section: 9 }, view: 'bytes' }],
  [
    'a place before the start',
    9,
    -4n,
    { selection: { kind: 'section', section: 9 }, view: 'bytes' },
  ],
  ['what is not in this file', null, 0n, null],
])('%s', async (_what, section, offset, place) => {
  const model = await sampleModel('exec_trace.bpf.o');
  const target = {
    name: 'x',
    what: 'variable',
    section: section === null ? null : sectionIndex(section),
    offset,
  } as const;
  expect(placeOfTarget(model, target)).toEqual(place);
});
