/** `btfscope query`: runs SQL on the tables of files. */
import { placeIn } from '#analysis/query/query-place.ts';
import { runQuery } from '#analysis/query/run-query.ts';
import type { QueryFile } from '#analysis/query/table.ts';
import { TABLES } from '#analysis/query/tables.ts';
import { visible } from '#bytes/text.ts';
import { queryCsv, queryTable } from '#print/query-text.ts';
import { BASE, type Call, type Command, CommandFailure, flag, UsageError } from './command.ts';
import { openAtlasAt, openBase, openObject } from './open.ts';

export const query: Command = {
  name: 'query',
  positionals: ['FILE…', 'SQL'],
  options: [
    flag('csv', 'print CSV'),
    flag('json', 'print JSON, one object per row'),
    { ...BASE, about: 'the base BTF of files that are split BTF' },
  ],
  more: [
    'A FILE may be an atlas: its rows are of all its kernels.',
    `The tables are ${TABLES.map(({ name }) => name).join(', ')};`,
    'docs/query.md lists their columns and says which SQL is understood.',
  ],
  run,
};

/** Limit of rows. Only programs can use more rows, and a program can request them in parts. */
const MAX_ROWS = 1_000_000;
/** Ten times as many as in the page, where a link can bring a query. */
const MAX_KEPT = 40_000_000;

async function run(call: Call): Promise<void> {
  if (call.has('csv') && call.has('json')) throw new UsageError('--csv excludes --json');
  const paths = call.positionals.slice(0, -1);
  const sql = call.positional(paths.length);
  const base = await openBase(call.io, call.all('base'));
  const files: QueryFile[] = [];
  for (const path of paths) {
    const atlas = await openAtlasAt(call.io, path);
    if (atlas !== null) {
      files.push({ name: path, atlas });
      continue;
    }
    // Only files with split BTF get a base.
    const { model } = await openObject(call.io, path);
    const isSplit = base !== null && model.types?.split === true;
    files.push({
      name: path,
      model: isSplit ? (await openObject(call.io, path, base)).model : model,
    });
  }
  const result = await runQuery(sql, files, {
    maxRows: MAX_ROWS,
    maxKept: MAX_KEPT,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (result.kind === 'error') {
    const { message, start, end } = result;
    const place = start === null ? null : placeIn(sql, start, end ?? start);
    const where =
      place === null ? '' : ` (line ${place.line}, column ${place.column} of the query)`;
    throw new CommandFailure(`${visible(message)}${where}`);
  }
  const { columns, count, isCut, notes } = result;
  for (const note of notes) call.io.warn(`btfscope: note: ${note}`);
  if (isCut) call.io.warn(`btfscope: warning: only the first ${count} rows are printed`);
  if (call.has('json')) {
    return await call.print(
      () =>
        Array.from({ length: count }, (_, row) =>
          Object.fromEntries(columns.map(({ name, values }) => [name, values[row] ?? null])),
        ),
      () => [],
    );
  }
  const pieces = call.has('csv') ? queryCsv(result) : queryTable(result);
  call.writePieces((write) => {
    for (const piece of pieces) write(piece);
  });
}
