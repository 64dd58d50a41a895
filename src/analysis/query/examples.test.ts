/** Runs each example of the page on a kernel, an object and an atlas. */
import { expect, it } from 'vitest';
import { files, OPTIONS } from '#testing/query-files.ts';
import { sampleBytes } from '#testing/samples.ts';
import { atlasBytes, openAtlas } from '#testing/small-atlas.ts';
import { EXAMPLES } from './examples.ts';
import { runQuery } from './run-query.ts';

it('each example has rows, or says why it has none', async () => {
  const small = sampleBytes('kernel.btf');
  const kernels = { '6.1-amd64': small, '6.2-arm64': small };
  const asked = {
    kernel: await files('kernel.btf'),
    object: await files('exec_trace.bpf.o'),
    atlas: [{ name: 'k.btfatlas', atlas: await openAtlas(await atlasBytes(kernels)) }],
  };
  const table: unknown[] = [];
  for (const { title, sql } of EXAMPLES) {
    const counts: unknown[] = [];
    for (const queried of Object.values(asked)) {
      const result = await runQuery(sql, queried, OPTIONS);
      if (result.kind === 'error') throw new Error(`${title}: ${result.message}`);
      const { count, unlimited, notes } = result;
      counts.push(unlimited === null ? count : `${count} of ${unlimited}`);
      if (notes.length > 0) counts.push(...notes);
    }
    table.push([title, ...counts]);
  }
  expect(table).toMatchInlineSnapshot(`
    [
      [
        "Largest structs",
        11,
        10,
        "20 of 22",
      ],
      [
        "Structs with most members",
        16,
        14,
        "20 of 22",
      ],
      [
        "Structs that lose most bytes to holes",
        4,
        1,
        10,
      ],
      [
        "Bit-fields",
        6,
        2,
        12,
      ],
      [
        "Members of one type",
        3,
        0,
        6,
      ],
      [
        "Most used types of members",
        "20 of 29",
        "20 of 22",
        "20 of 27",
      ],
      [
        "Functions with more than 5 parameters",
        0,
        0,
        0,
      ],
      [
        "Functions that take a sk_buff",
        0,
        0,
        0,
      ],
      [
        "Kfuncs",
        0,
        0,
        0,
        "In an atlas, functions.kfunc is null",
      ],
      [
        "Members that moved between two kernels",
        0,
        0,
        0,
      ],
      [
        "Functions that one kernel has and another lacks",
        0,
        0,
        0,
      ],
      [
        "Values of an enum",
        0,
        0,
        0,
      ],
      [
        "Relocations by symbol",
        0,
        18,
        0,
        "An atlas has no rows of the table relocations",
      ],
      [
        "CO-RE relocations by field",
        0,
        29,
        0,
        "An atlas has no rows of the table core_relocations",
      ],
    ]
  `);
});
