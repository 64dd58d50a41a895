import { describe, expect, it } from 'vitest';
import { decodeInsn, type Insn } from '#formats/bpf/insn.ts';
import { assemble, hex } from '#testing/assemble.ts';
import { encodingRows } from './InsnLayers.tsx';

function insnOf(digits: string): Insn {
  const insn = decodeInsn(assemble('little', hex(digits)).bytes, 0, 'little');
  if (insn === null) throw new Error('too few bytes');
  return insn;
}

describe('encodingRows', () => {
  const spell = (digits: string) =>
    encodingRows(insnOf(digits)).map(({ field, value, meaning }) => `${field} ${value} ${meaning}`);

  it('explains the fields of a load, a call and a ld_imm64', () => {
    expect(spell('79 a1 f8 ff 00 00 00 00')).toEqual([
      'dst_reg 1 r1',
      'src_reg 10 r10, the frame pointer',
      'off -8 bytes from r10',
      'imm 0 ',
    ]);
    expect(spell('85 10 00 00 02 00 00 00')).toEqual([
      'dst_reg 0 r0',
      'src_reg 1 BPF_PSEUDO_CALL: a function of this program',
      'off 0 ',
      'imm 2 slots to instruction 3',
    ]);
    expect(spell('18 11 00 00 10 00 00 00 00 00 00 00 01 00 00 00').slice(1)).toEqual([
      'src_reg 1 BPF_PSEUDO_MAP_FD: a map by file descriptor',
      'off 0 ',
      'imm 16 (0x10) the low half',
      'next imm 1 the high half',
      'imm64 0x100000010 both halves',
    ]);
  });

  it('counts the off of a load_acquire from its source, of a store_release from its destination', () => {
    expect(spell('db 12 08 00 00 01 00 00')).toContain('off 8 bytes from r1');
    expect(spell('db 12 08 00 10 01 00 00')).toContain('off 8 bytes from r2');
  });

  it('reports that there is no register 11', () => {
    expect(spell('bf bb 00 00 00 00 00 00')[0]).toBe('dst_reg 11 no such register');
  });
});
