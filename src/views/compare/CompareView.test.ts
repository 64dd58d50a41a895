import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import { compareMode, isNewer } from './CompareView.tsx';

const foo = typeSelection(typeId(1));
const bar = typeSelection(typeId(2));

describe('compareMode', () => {
  it.each([
    ['nothing asked, nothing selected', null, NO_SELECTION, NO_SELECTION, true, 'whole'],
    ['nothing asked, no other file', null, NO_SELECTION, NO_SELECTION, false, 'types'],
    ['nothing asked, a type selected', null, foo, NO_SELECTION, true, 'types'],
    ['a link to the whole, with a type', 'whole', foo, NO_SELECTION, true, 'whole'],
    ['the whole, with the type that was listed', 'whole', foo, foo, true, 'whole'],
    ['the whole, and another type selected since', 'whole', bar, foo, true, 'types'],
    ['duplicates', 'duplicates', NO_SELECTION, NO_SELECTION, false, 'duplicates'],
    ['words that mean nothing', 'xyz', NO_SELECTION, NO_SELECTION, true, 'whole'],
  ] as const)('%s', (_what, asked, selection, listedAt, hasOther, expected) => {
    expect(compareMode(asked, selection, listedAt, hasOther)).toBe(expected);
  });
});

it.each([
  ['vmlinux-6.18.0.btf', 'vmlinux-6.1.0-56-amd64.btf', true],
  ['vmlinux-6.1.0-56-amd64.btf', 'vmlinux-6.18.0.btf', false],
  ['6.6.10.btf', '6.6.9.btf', true],
  ['6.6.btf', '6.6.btf', false],
  ['vmlinux', '6.6.btf', false],
  ['exec_trace.bpf.o', 'tcplife.bpf.o', false],
])('%s is newer than %s: %s', (a, b, expected) => {
  expect(isNewer(a, b)).toBe(expected);
});
