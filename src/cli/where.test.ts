import { describe, expect, it } from 'vitest';
import { runCommand } from '#testing/run-command.ts';

async function where(...words: readonly string[]) {
  const { status, out, err } = await runCommand(['where', ...words]);
  return { status, out, err: err.join('\n') };
}

describe('btfscope where', () => {
  it('prints the chain of fields, the bits of the byte last', async () => {
    const { status, out } = await where('kinds_2026.btf', '0x27');
    expect(status).toBe(0);
    expect(out).toBe(
      [
        'kinds_2026.btf  0x0-0xdfb',
        '  BTF  0x0-0xdfb  (A BTF blob without a file around it)',
        '    types  0x20-0x99c  (103 types)',
        '      [1] PTR void *  <struct btf_type>  0x20-0x2c',
        '        info  <__u32>  0x24-0x28  = 0x2000000  (PTR, vlen 0)',
        '          kind  bits 24-30  = 2  (PTR)',
        '          kind_flag  bits 31-31  = 0',
        '',
      ].join('\n'),
    );
  });

  it('takes decimal too, and gives rows as JSON', async () => {
    const { out } = await where('doc_core.bpf.o', '18', '--json');
    const rows: unknown = JSON.parse(out);
    expect(rows).toMatchObject([
      { kind: 'file', start: 0 },
      { kind: 'header', label: 'ELF header', c_type: 'Elf64_Ehdr', start: 0, end: 64 },
      { kind: 'field', name: 'e_machine', value: '0xf7', meaning: 'EM_BPF', start: 18, end: 20 },
    ]);
  });

  it.each([
    ['0x1000000', 1, /3944 bytes: offset 16777216 is past the end/],
    ['-1', 2, /./],
    ['12x', 2, /"12x" is not an offset/],
    ['', 2, /is not an offset/],
  ])('refuses the offset %j', async (offset, status, message) => {
    const ran = await where('doc_core.bpf.o', offset);
    expect(ran.status).toBe(status);
    expect(ran.err).toMatch(message);
    expect(ran.out).toBe('');
  });
});
