// The parts of our sources that scripts/kernel-verdicts.mjs calls.

import { mapFaults } from '#analysis/kernel/map-rules.ts';
import { checkBtf, recordsOf } from '#analysis/libbpf/check-btf.ts';
import { lintModel } from '#analysis/lint/lint.ts';
import { assemble, distance, label, raw, u8, u16, u32 } from '#testing/assemble.ts';
import { elfObject } from '#testing/elf-object.ts';
import { ruleBlobs } from '#testing/field-rule-blobs.ts';
import { openObject } from '#testing/open-model.ts';

/** Returns our verdict for Linux 6.18. */
export function judge(bytes) {
  return checkBtf(new Uint8Array(bytes), null).kernel;
}

/** Returns the errno, or `ok`, of each map whose value has a type of an accepted blob. */
export function judgeMaps(bytes, maps) {
  const records = recordsOf(new Uint8Array(bytes));
  return maps.map(({ type, flags, value }) => {
    const map = { name: 'm', type, flags: BigInt(flags), valueTypeId: value };
    const [fault] = mapFaults(records, [map]);
    return fault?.errno ?? 'ok';
  });
}

/** The blobs of the tests, each of which breaks one rule. */
export const brokenBlobs = ruleBlobs().map((bytes) => Buffer.from(bytes));

const [ALLOC_EXEC, FUNC, LOCAL] = [6, 2, 0];

/**
 * Returns errno and log line of BPF_PROG_LOAD that lint reports for an object with this
 * program.
 */
export async function judgeProgram({ blob, sectionNameOff, main, sub, func, line }) {
  const table = ({ size, ...records }) => [
    u32(size),
    ...['main', 'sub'].flatMap((of) => [
      u32(sectionNameOff[of]),
      u32(records[of].length),
      ...records[of].map(inBytes).map(raw),
    ]),
  ];
  const ext = assemble(
    'little',
    ...[u16(0xeb9f), u8(1), u8(0), u32(24), u32(0), u32(distance('func', 'line'))],
    ...[u32(distance('func', 'line')), u32(distance('line', 'end'))],
    label('func'),
    ...table(func),
    label('line'),
    ...table(line),
    label('end'),
  );
  const { bytes } = elfObject({
    sections: [
      { name: 'socket', flags: ALLOC_EXEC, data: main },
      { name: '.text', flags: ALLOC_EXEC, data: sub },
      { name: '.BTF', data: blob },
      { name: '.BTF.ext', data: ext.bytes },
    ],
    symbols: [
      { name: 'sub', size: sub.length, type: FUNC, bind: LOCAL, shndx: '.text' },
      { name: 'main', size: main.length, type: FUNC, shndx: 'socket' },
    ],
  });
  const { model, source } = await openObject('program', bytes);
  return (await lintModel(model, source)).flatMap(({ advice = '' }) => {
    const [, errno, text] = /^BPF_PROG_LOAD fails with (\w+): (.*)$/.exec(advice) ?? [];
    return errno === undefined ? [] : [{ errno, text }];
  });
}

/** An object counts bytes from the start of a section. */
function inBytes(record) {
  const copy = Buffer.from(record);
  copy.writeUInt32LE(8 * record.readUInt32LE(0), 0);
  return copy;
}
