// Functions of src/ that scripts/kernel-verdicts.mjs calls.

import { mapFaults } from '#analysis/kernel/map-rules.ts';
import { checkBtf, recordsOf } from '#analysis/libbpf/check-btf.ts';
import { lintModel } from '#analysis/lint/lint.ts';
import { assemble, distance, label, raw, u8, u16, u32 } from '#testing/assemble.ts';
import { elfObject } from '#testing/elf-object.ts';
import { ruleBlobs } from '#testing/field-rule-blobs.ts';
import { openObject } from '#testing/open-model.ts';

/** Returns this project's verdict on a BTF blob for Linux 6.18. */
export function judge(bytes) {
  return checkBtf(new Uint8Array(bytes), null).kernel;
}

/** Returns for each map the errno, or `ok`, that mapFaults gives for its value type. */
export function judgeMaps(bytes, maps) {
  const records = recordsOf(new Uint8Array(bytes));
  return maps.map(({ type, flags, value }) => {
    const map = { name: 'm', type, flags: BigInt(flags), valueTypeId: value };
    const [fault] = mapFaults(records, [map]);
    return fault?.errno ?? 'ok';
  });
}

/** The blobs of the unit tests; each breaks one rule. */
export const brokenBlobs = ruleBlobs().map((bytes) => Buffer.from(bytes));

const [ALLOC_EXEC, FUNC, LOCAL] = [6, 2, 0];

/** Returns the errno and log line that lint reports for loading this program. */
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

/** Converts instruction numbers to byte offsets, which objects use. */
function inBytes(record) {
  const copy = Buffer.from(record);
  copy.writeUInt32LE(8 * record.readUInt32LE(0), 0);
  return copy;
}
