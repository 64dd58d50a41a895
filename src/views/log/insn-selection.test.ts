import { expect, it } from 'vitest';
import { isPoisoned } from './insn-selection.ts';

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
