/** Writes encoder and readers of the BTF of a kernel or module, as fields of JSON and as text. */
import type { BtfOrigin } from '#analysis/lint/kernel-btf.ts';
import { type FirstVersions, READERS } from '#analysis/lint/readers.ts';

/** Fields of `btfscope check --json`. */
export type OriginFields = ReturnType<typeof originFields>;

/** Returns encoder and readers as JSON data. */
export function originFields({ encoder, readers }: BtfOrigin) {
  return {
    encoder,
    readers: {
      since: byReader(readers.since),
      needs: readers.needs.map(({ what, since, note }) => ({ what, since: byReader(since), note })),
    },
  };
}

/** Returns the first version of each reader that opens the BTF; null if no release does. */
function byReader(since: FirstVersions): Readonly<Record<string, string | null>> {
  return Object.fromEntries(READERS.map((reader, i) => [reader, since[i] ?? null]));
}

/** Returns the lines of `btfscope check`: the encoder with its signs, the table of readers. */
export function originLines({ encoder, readers }: OriginFields): readonly string[] {
  return [
    `encoder: ${encoder.statement}`,
    ...encoder.signs.map(({ found, tells }) => `  ${found}: ${tells}`),
    ...(encoder.advice === '' ? [] : [`  ${encoder.advice}`]),
    'readers, by the first version that opens what the BTF contains:',
    ...alignedRows([
      ['', ...READERS, ''],
      ...[...readers.needs, { what: 'all', since: readers.since, note: '' }].map(
        ({ what, since, note }) => [
          what,
          ...READERS.map((reader) => since[reader] ?? 'none'),
          note,
        ],
      ),
    ]),
  ];
}

function alignedRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, i) =>
    rows.reduce((most, row) => Math.max(most, (row[i] ?? '').length), 0),
  );
  return rows.map((row) =>
    `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd(),
  );
}
