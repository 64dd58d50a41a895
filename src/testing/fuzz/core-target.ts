/** CO-RE: the object's records against its own types and against a kernel's. */
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { coreRow } from '#analysis/core/core-row.ts';
import { coreMatrix } from '#analysis/core/matrix/matrix.ts';
import { reasonText } from '#analysis/core/reason.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import type { CoreTarget } from '#analysis/core/target.ts';
import { traceLines } from '#analysis/core/trace-text.ts';
import { matchedSpecs, minBtf } from '#analysis/core-needs/min-btf.ts';
import { coreNeeds } from '#analysis/core-needs/needs.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import type { TypeTable } from '#model/type-table.ts';
import { needsHeader } from '#print/c-dump/needs-header.ts';
import { coreError, coreLog } from '#print/core-log.ts';
import { matrixCsv, matrixJson, matrixText } from '#print/core-matrix.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { coreTargetOf } from '#worker/core-answers.ts';
import { allBytes, chosenFor, drained, type Opened, sectionReader, type Tell } from './opened.ts';

/** Records of a file; more are like these. */
const MOST_RECORDS = 24;

/** Resolves records on the file itself or on `kernel`, with every text about it. */
export function resolveOn(kernel: TypeTable) {
  return async (file: Opened, tell: Tell): Promise<void> => {
    const { model } = file;
    const whole = coreObjectOf(model, sectionReader(model, await allBytes(file)));
    tell('needs');
    const needs = coreNeeds(model);
    if (model.types === null) return;
    tell('needs header');
    needsHeader(model.types, needs);
    if (whole === null) return;
    const local = { ...whole, records: whole.records.slice(0, MOST_RECORDS) };
    for (const record of local.records) coreRelocationText(local.types, record);
    const [types, fresh] = chosenFor(model.types, [
      [model.types, true],
      [model.types, false],
      [kernel, true],
      [kernel, false],
    ] as const);
    const target = coreTargetOf('target', types);
    tell('resolve');
    const results = resolveObject(local, target, { fresh, trace: () => true });
    tell('words of results');
    for (const result of results) {
      const error = coreError(result);
      coreLog(result);
      reasonText(result, local.types, target);
      traceLines(result, local.types, target);
      JSON.stringify(coreRow({ object: 'input', local, target }, result, error), asText);
    }
    if (!fresh) await cutDown(target, types, results, tell);
    tell('matrix');
    const matrix = coreMatrix(local, [{ name: 'target', results }]);
    drained(matrixText(matrix));
    drained(matrixCsv(matrix));
    matrixJson(matrix, 'input');
  };
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** The minimal BTF of what was found must be BTF. */
async function cutDown(
  target: CoreTarget,
  types: TypeTable,
  results: ReturnType<typeof resolveObject>,
  tell: Tell,
): Promise<void> {
  tell('minimal BTF');
  const specs = target.tables.flatMap((_, table) => matchedSpecs(results, table).specs);
  const { blob, idMap } = minBtf(types, specs);
  const read = await ingestBytes('min', blob);
  const count = read.kind === 'object' ? (read.model.types?.count ?? 0) : 0;
  if (count !== idMap.size) throw new Error(`minimal BTF has ${count} of ${idMap.size} types`);
}
