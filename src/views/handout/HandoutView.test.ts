import { expect, it } from 'vitest';
import { placeName } from './HandoutView.tsx';

it.each([
  ['insn=tp_btf%2Fsched_process_exec@0x20', 'insn tp_btf/sched_process_exec@0x20'],
  ['type=struct:s&member=a/b', 'type struct:s&member=a/b'],
  ['bytes=.BTF@0x0-0x2', 'bytes .BTF@0x0-0x2'],
  ['insn=a%E2%80%AEb@0x0', 'insn a\\u{202e}b@0x0'],
  ['insn=100%@0x0', 'insn 100%@0x0'],
])('prints %s as %s', (at, printed) => {
  expect(placeName(at)).toBe(printed);
});
