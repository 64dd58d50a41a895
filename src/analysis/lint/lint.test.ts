import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { type ByteSource, bufferSource } from '#bytes/source.ts';
import { hex } from '#testing/assemble.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { KNOWN_OPCODES } from './code.ts';
import { lintModel } from './lint.ts';

async function ofCode(...slots: readonly string[]): Promise<Issue[]> {
  const data = slots.map((slot) => hex(slot));
  const { bytes } = elfObject({ sections: [{ name: 'xdp', flags: 6, data }] });
  const { model, source } = await openObject('code.o', bytes);
  return [...(await lintModel(model, source))];
}

const EXIT = '95 00 00 00 00 00 00 00';
const WIDE = '18 01 00 00 00 00 00 00';
const HALF = '00 00 00 00 00 00 00 00';

describe('a closer look at instructions', () => {
  it.each<[string, readonly string[], string | null]>([
    ['sound code', [WIDE, HALF, EXIT], null],
    ['a jump over one instruction', ['05 00 01 00 00 00 00 00', EXIT, EXIT], null],
    ['a jump to the start', ['b7 00 00 00 00 00 00 00', '05 00 fe ff 00 00 00 00'], null],
    ['a jump past the end', ['05 00 01 00 00 00 00 00', EXIT], 'code.jump-outside'],
    ['a jump before the start', ['05 00 fe ff 00 00 00 00', EXIT], 'code.jump-outside'],
    ['a long jump', ['06 00 00 00 ff ff ff 7f', EXIT], 'code.jump-outside'],
    ['a call past the end', ['85 10 00 00 05 00 00 00', EXIT], 'code.jump-outside'],
    ['a call of a helper', ['85 00 00 00 05 00 00 00', EXIT], null],
    [
      'a jump into a 64-bit load',
      ['05 00 01 00 00 00 00 00', WIDE, HALF],
      'code.jump-into-ld-imm64',
    ],
    ['half a 64-bit load', [EXIT, WIDE], 'code.ld-imm64-cut'],
    ['an opcode that does not exist', ['0e 00 00 00 00 00 00 00', EXIT], 'code.unknown-opcode'],
    ['a register that does not exist', ['bf 0b 00 00 00 00 00 00', EXIT], 'code.no-such-register'],
    ['half an instruction', [EXIT, '95 00'], 'code.trailing'],
  ])('%s', async (_what, slots, code) => {
    expect((await ofCode(...slots)).map((issue) => issue.code)).toEqual(
      code === null ? [] : [code],
    );
  });

  it('has as many opcodes as the instruction set', () => {
    expect(KNOWN_OPCODES.reduce((sum, known) => sum + known, 0)).toBe(130);
  });
});

describe('findingsOf', () => {
  const file = new Uint8Array(
    readFileSync(new URL('../../../public/samples/exec_trace.bpf.o', import.meta.url)),
  );

  it('has no finding in a sound object', async () => {
    const { model, source } = await openObject('exec_trace.bpf.o', file);
    expect(await lintModel(model, source)).toEqual([]);
  });

  it('stops when cancelled', async () => {
    const model = await openModel('exec_trace.bpf.o', file);
    const stop = new AbortController();
    const slow: ByteSource = {
      ...bufferSource('slow', file),
      read() {
        stop.abort();
        return Promise.resolve(file);
      },
    };
    const waiting = lintModel(model, slow, stop.signal);
    await expect(waiting).rejects.toThrow('aborted');
  });
});
