import { describe, expect, it } from 'vitest';
import { runCommand } from '#testing/run-command.ts';

const LITERAL = 'alpha_literal.ecoff';

describe('--layout', () => {
  it('relocates the code of an Alpha object, and shows it at its new addresses', async () => {
    const { out } = await runCommand([
      'disasm',
      'alpha_branch.ecoff',
      '--layout',
      '.text=0x120001000',
    ]);
    expect(out).toContain('0000000120001000 <main>:\n120001000:  f0 ff de 23  lda sp,-16(sp)\n');
    expect(out).toContain(
      '120001008:  05 00 40 d3  bsr ra,120001020 <main+0x20>\n            R_BRADDR  .text\n',
    );
    const words = ['disasm', 'alpha_branch.ecoff', '--layout', '.text=0x120001000', '--json'];
    const rows: unknown = JSON.parse((await runCommand(words)).out);
    expect(rows).toContainEqual({
      section: '.text',
      function: 'main',
      insn_off: 8,
      file_offset: expect.any(Number),
      bytes: '050040d3',
      text: 'bsr ra,120001020 <main+0x20>',
      source: null,
      core: [],
      relocations: [expect.objectContaining({ type: 'R_BRADDR', symbol: '.text' })],
    });
    const stored = (await runCommand(['disasm', 'alpha_branch.ecoff'])).out;
    expect(stored).toContain('       8:  05 00 40 d3  bsr ra,20 <main+0x20>\n');
  });

  it('gives relocs the results in the layout', async () => {
    const stored = (await runCommand(['relocs', LITERAL])).out;
    const placed = (await runCommand(['relocs', LITERAL, '--layout', 'gp=0x9000'])).out;
    const result = (text: string) =>
      /R_LITERAL .*?implicit|R_LITERAL +- +0x0 +- +(\S+)/.exec(text)?.[1];
    expect(result(stored)).toBe('-0x7ff0');
    expect(result(placed)).not.toBe(result(stored));
    const example = await runCommand(['relocs', LITERAL, '--layout', 'example']);
    expect(example.out).toContain('0x20007000');
  });

  it.each([
    [LITERAL, '.foo=1', /".foo=1" is not NAME=ADDRESS with one of \.text/],
    [LITERAL, 'gp=x', /"gp=x" is not NAME=ADDRESS/],
    ['alpha_compact.ecoff', 'gp=1', /has no entries for a layout/],
    ['xdp_counter.bpf.o', 'gp=1', /has no entries for a layout/],
  ])('of %s: %s ends with 2 and one line', async (file, layout, message) => {
    const { status, err } = await runCommand(['relocs', file, '--layout', layout]);
    expect(status).toBe(2);
    expect(err[0]).toMatch(message);
  });
});
