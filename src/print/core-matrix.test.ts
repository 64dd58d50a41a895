import { describe, expect, it } from 'vitest';
import { coreMatrix } from '#analysis/core/matrix/matrix.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { int, struct } from '#testing/btf-types.ts';
import { coreObject, targetOfBlob, typesOfBlob } from '#testing/core-cases.ts';
import { csvCell, matrixCsv, matrixJson, matrixText } from './core-matrix.ts';

const I = int('int', 4);
const S = struct('s', 8, [
  { name: 'a', type: 1, bitOffset: 0 },
  { name: 'b', type: 1, bitOffset: 32 },
]);
const WITHOUT_B = struct('s', 8, [{ name: 'a', type: 1, bitOffset: 32 }]);

const local = coreObject(typesOfBlob([I, S]), [
  { kind: 2, root: 2, accessStr: '0:1', value: 1n },
  { kind: 0, root: 2, accessStr: '0:0', value: 0n },
  { kind: 0, root: 2, accessStr: '0:1', value: 4n },
]);
const matrix = coreMatrix(local, [
  { name: '6.1', results: resolveObject(local, targetOfBlob([I, S])) },
  { name: '=6.12,"rt"', results: resolveObject(local, targetOfBlob([I, WITHOUT_B])) },
  { name: 'waits', results: null },
]);

describe('csvCell', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', '-1'],
    ['-1+1', "'-1+1"],
    [' =1', "' =1"],
    ['\uff1d1', "'\uff1d1"],
    ['a;=1; @b;c', '"a;\'=1;\' @b;c"'],
    ['@x', "'@x"],
    ['\tx', "'\\x09x"],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['=a,b', '"\'=a,b"'],
    ['a\r\nb', 'a\\x0d\\x0ab'],
    ['\u202ea', '\\u{202e}a'],
  ])('%j is %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });
});

describe('matrixCsv', () => {
  it('has a line per record, and three cells per target', () => {
    const lines = [...matrixCsv(matrix)].join('').split('\r\n');
    expect(lines).toEqual([
      'section,relo_index,insn_off,prog,prog_insn,kind,field,access_str,orig_val,6.1,6.1: new_val,6.1: guarded by,"\'=6.12,""rt""","\'=6.12,""rt"": new_val","\'=6.12,""rt"": guarded by",waits,waits: new_val,waits: guarded by',
      'tp_btf/a,0,0,prog,0,field_exists,struct s.b,0:1,1,same,1,,absent,0,,,,',
      'tp_btf/a,1,16,prog,2,byte_off,struct s.a,0:0,0,same,0,,changed,4,,,,',
      'tp_btf/a,2,32,prog,4,byte_off,struct s.b,0:1,4,same,4,,poisoned,,relo #0 (field_exists),,,',
      '',
    ]);
  });
});

describe('matrixJson', () => {
  it('has targets, programs and every cell', () => {
    expect(JSON.parse(matrixJson(matrix, 'a.o'))).toMatchObject({
      object: 'a.o',
      targets: [
        { name: '6.1', resolved: true, same: 3, changed: 0, absent: 0, poisoned: 0, fails: 0 },
        { same: 0, changed: 1, absent: 1, poisoned: 1, fails: 0 },
        { name: 'waits', resolved: false },
      ],
      programs: [{ name: 'prog', records: 3, loads: 2, poisoned: 1, answered: 2 }],
      relocations: [
        { relo_index: 0, kind: 'field_exists', local_root_name: 's', field: 'struct s.b' },
        { targets: [{ state: 'same' }, { state: 'changed', orig_val: '0', new_val: '4' }, null] },
        {
          targets: [
            { state: 'same', guarded_by: null },
            { state: 'poisoned', guarded_by: { relo_index: 0, kind: 'field_exists' } },
            null,
          ],
        },
      ],
    });
  });
});

describe('matrixText', () => {
  it('is a table with a block per program', () => {
    const shown = { ...matrix, columns: matrix.columns.slice(0, 2) };
    expect([...matrixText(shown)]).toEqual([
      '                                   6.1   =6.12,"rt"',
      'tp_btf/a prog: loads on 2 of 2, poisoned on 1',
      '  relo #0 field_exists struct s.b  same  absent',
      '  relo #1 byte_off struct s.a      same  changed',
      '  relo #2 byte_off struct s.b      same  poisoned (#0)',
    ]);
  });
});
