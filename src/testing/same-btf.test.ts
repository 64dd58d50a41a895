import { expect, it } from 'vitest';
import { differences } from './same-btf.ts';

const LINES = [
  "[1] PTR '(anon)' type_id=2",
  "[2] STRUCT 's' size=4 vlen=1",
  "\t'a' type_id=3 bits_offset=0",
  "[3] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED",
  "[4] VAR 'p' type_id=1, linkage=global",
  "[5] DATASEC '.bss' size=0 vlen=1",
  "\ttype_id=4 offset=0 size=8 (VAR 'p')",
];
const changed = (from: string, to: string) => LINES.map((line) => line.replace(from, to));

it('is the same without types that no symbol uses', () => {
  expect(differences(LINES, LINES)).toEqual({ differences: [], isSame: true });
  const more = [...LINES, "[6] STRUCT 'unused' size=4 vlen=0"];
  expect(differences(LINES, more).isSame).toBe(true);
});

it('takes a forward declaration for the type', () => {
  const forward = [
    "[1] PTR '(anon)' type_id=4",
    "[2] VAR 'p' type_id=1, linkage=global",
    "[3] DATASEC '.bss' size=0 vlen=1",
    '\ttype_id=2 offset=0 size=8',
    "[4] FWD 's' fwd_kind=struct",
  ];
  expect(differences(LINES, forward)).toEqual({ differences: [], isSame: false });
});

it.each([
  ['a missing symbol', changed("VAR 'p'", "VAR 'q'"), ['p', 'q']],
  ['another member', changed("'a' type_id", "'b' type_id"), ['p']],
  ['another section', changed("'.bss'", "'.data'"), ['p']],
  ['another linkage', changed('linkage=global', 'linkage=static'), ['p']],
  ['another offset', changed('offset=0 size=8', 'offset=8 size=8'), ['p']],
])('finds %s', (_, ours, names) => {
  const { differences: found, isSame } = differences(LINES, ours);
  expect(found.map(({ name }) => name)).toEqual(names);
  expect(isSame).toBe(false);
});
