/** Fuzz targets for CO-RE: resolve an object's records against its own and a kernel's types. */

import type { CoreTarget } from '#analysis/core/candidates.ts';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { coreRow } from '#analysis/core/core-row.ts';
import { coreMatrix } from '#analysis/core/matrix/matrix.ts';
import { reasonText } from '#analysis/core/reason.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { traceLines } from '#analysis/core/trace-text.ts';
import { coreNeeds } from '#analysis/needs/core-needs.ts';
import { matchedSpecs, minBtf } from '#analysis/needs/min-btf.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import type { TypeTable } from '#model/type-table.ts';
import { needsHeader } from '#print/c-dump/needs-header.ts';
import { coreError, coreLog } from '#print/core-log.ts';
import { matrixCsv, matrixJson, matrixText } from '#print/core-matrix.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { objectOf } from '#testing/attack-files.ts';
import { array, enumeration, fwd, ptr, struct, typedef, union } from '#testing/btf-types.ts';
import { coreTargetOf } from '#worker/core-answers.ts';
import {
  allBytes,
  choose,
  type Opened,
  type ReportStep,
  readParts,
  sectionReader,
} from './opened.ts';

/** Returns small objects of few types and CO-RE records, so that most mutations hit one of them. */
export function smallObjects(): Uint8Array[] {
  const records = 13;
  const member = { name: 'a', type: 1, bitOffset: 32 };
  return [
    { types: [struct('s', 8, [member]), array(2, 1, 3)], accessStr: '0:2:0' },
    { types: [union('', 8, [member]), struct('s', 8, [{ ...member, name: '', type: 2 }])] },
    { types: [enumeration('e', [['A', 1]])], accessStr: '0' },
    { types: [fwd('f'), ptr(2), typedef('t', 3)], accessStr: '0' },
  ].map((family) => objectOf({ ...family, records }));
}

/** Limit of records per file; more records only repeat the same checks. */
const MAX_RECORDS = 6;

/**
 * Returns a step that resolves records on the file itself or on `kernel`, and writes the results as
 * text.
 */
export function resolveOn(kernel: TypeTable) {
  return async (file: Opened, reportStep: ReportStep): Promise<void> => {
    const { model } = file;
    const whole = coreObjectOf(model, sectionReader(model, await allBytes(file)));
    if (model.types === null) return;
    const question = choose(model.types, QUESTIONS);
    if (question === 'needs') {
      reportStep('needs');
      needsHeader(model.types, coreNeeds(model));
    }
    if (whole === null) return;
    const local = { ...whole, records: whole.records.slice(0, MAX_RECORDS) };
    const [types, fresh] = choose(model.types, [
      [model.types, true],
      [model.types, false],
      [kernel, true],
      [kernel, false],
    ] as const);
    const target = coreTargetOf('target', types);
    reportStep('resolve');
    const isTraced = question === 'trace';
    const results = resolveObject(local, target, { fresh, trace: () => isTraced });
    reportStep(question);
    switch (question) {
      case 'trace':
        for (const result of results) traceLines(result, local.types, target);
        break;
      case 'log':
        for (const result of results) {
          coreLog(result);
          reasonText(result, local.types, target);
        }
        break;
      case 'rows':
        for (const result of results) {
          const row = coreRow({ object: 'input', local, target }, result, coreError(result));
          JSON.stringify(row, asText);
        }
        break;
      case 'minimal BTF':
        if (!fresh) await cutDown(target, types, results);
        break;
      case 'matrix': {
        const matrix = coreMatrix(local, [{ name: 'target', results }]);
        readParts(matrixText(matrix));
        readParts(matrixCsv(matrix));
        matrixJson(matrix, 'input');
        break;
      }
      case 'needs':
        for (const record of local.records) coreRelocationText(local.types, record);
    }
  };
}

const QUESTIONS = ['trace', 'log', 'rows', 'minimal BTF', 'matrix', 'needs'] as const;

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Makes the minimal BTF of the results, and checks that it can be read. */
async function cutDown(
  target: CoreTarget,
  types: TypeTable,
  results: ReturnType<typeof resolveObject>,
): Promise<void> {
  const specs = target.tables.flatMap((_, table) => matchedSpecs(results, table).specs);
  const { blob, idMap } = minBtf(types, specs);
  const read = await ingestBytes('min', blob);
  const count = read.kind === 'object' ? (read.model.types?.count ?? 0) : 0;
  if (count !== idMap.size) throw new Error(`minimal BTF has ${count} of ${idMap.size} types`);
}
