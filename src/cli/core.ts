/** `btfscope core`: prints the results of an object's CO-RE relocations on kernels. */
import { type CoreTarget, targetOf } from '#analysis/core/candidates.ts';
import type { CoreObject } from '#analysis/core/core-records.ts';
import { coreRow } from '#analysis/core/core-row.ts';
import { coreMatrix } from '#analysis/core/matrix/matrix.ts';
import { type CoreResult, type ResolveOptions, resolveRecords } from '#analysis/core/resolve.ts';
import { spanOf } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { coreError, objectLog } from '#print/core-log.ts';
import { matrixText } from '#print/core-matrix.ts';
import { type Call, type Command, Failures, flag, repeated, UsageError } from './command.ts';
import { openLocal, openTarget, withModules } from './open-core.ts';

export const core: Command = {
  name: 'core',
  positionals: ['FILE'],
  options: [
    repeated('target', 'BTF', 'a kernel to relocate against (default: the types of FILE)'),
    repeated('module', 'BTF', 'a module of the target, in load order'),
    flag('cold', 'reset the candidates for each record'),
    flag('matrix', 'print a table of records by targets (default)'),
    flag('json', 'print JSON, one row per record and target'),
    flag('log', 'print the lines that libbpf logs, up to the first record that fails'),
  ],
  run,
};

const FORMS = ['matrix', 'json', 'log'] as const;

async function run(call: Call): Promise<void> {
  const forms = FORMS.filter((name) => call.has(name));
  if (forms.length > 1) throw new UsageError(`--${forms[0]} and --${forms[1]} cannot be combined`);
  const [form = 'matrix'] = forms;
  const path = call.positional(0);
  const { name, local, model } = await openLocal(call.io, path);
  const options = { fresh: call.has('cold'), trace: () => form === 'json' };
  const failures = new Failures();
  const runs = resolvedOn(local, openTargets(call, local, failures), options);
  if (form === 'json') await call.writeLines(jsonLines(name, local, model, runs));
  else if (form === 'log') await call.writeLines(logLines(runs, call.all('target').length > 1));
  else await printMatrix(call, local, runs);
  failures.throwIfAny(call.io);
}

/** Opens the targets one by one, to limit memory. Rejects if the only target is unreadable. */
async function* openTargets(
  call: Call,
  local: CoreObject,
  failures: Failures,
): AsyncGenerator<CoreTarget, void, void> {
  const paths = call.all('target');
  const modules = call.all('module');
  if (modules.length > 0 && paths.length !== 1) {
    throw new UsageError('--module requires exactly one --target');
  }
  if (paths.length === 0) yield targetOf('self', local.types);
  for (const [i, path] of paths.entries()) {
    call.io.progress(`target ${i + 1} of ${paths.length}`);
    const opening = openTarget(call.io, path);
    const target = await (paths.length === 1 ? opening : opening.catch(failures.add));
    if (target === undefined) continue;
    yield modules.length === 0 ? target : await withModules(call.io, target, modules);
  }
}

/** A target and the results of the object on it. Each result is computed once, during iteration. */
type Run = { readonly target: CoreTarget; readonly results: Iterable<CoreResult> };

async function* resolvedOn(
  local: CoreObject,
  targets: AsyncIterable<CoreTarget>,
  options: ResolveOptions,
): AsyncGenerator<Run, void, void> {
  for await (const target of targets) {
    yield { target, results: resolveRecords(local, target, options) };
  }
}

/** Yields a JSON array with one row per line, so that grep can select rows. */
async function* jsonLines(
  object: string,
  local: CoreObject,
  model: ObjectModel,
  runs: AsyncIterable<Run>,
) {
  const { recordOffset, recordSize } = model.ext.core;
  yield '[';
  let row: string | null = null;
  for await (const { target, results } of runs) {
    for (const result of results) {
      if (row !== null) yield `${row},`;
      row = JSON.stringify({
        ...coreRow({ object, local, target }, result, coreError(result)),
        record: spanOf(recordOffset[result.record.index] ?? 0, recordSize),
      });
    }
  }
  if (row !== null) yield row;
  yield ']';
}

/** Yields libbpf's log. With several targets, the name of each target precedes its lines. */
async function* logLines(runs: AsyncIterable<Run>, isOneOfMany: boolean) {
  for await (const { target, results } of runs) {
    if (isOneOfMany) yield `${visible(target.name)}:`;
    for (const { lines } of objectLog([...results])) yield* lines.map(visible);
  }
}

/** Removes the steps from the results: steps are long, and the table does not print steps. */
function withoutSteps(results: Iterable<CoreResult>): CoreResult[] {
  return Array.from(results, (result) => ({ ...result, steps: [] }));
}

async function printMatrix(call: Call, local: CoreObject, runs: AsyncIterable<Run>) {
  const columns = [];
  for await (const { target, results } of runs)
    columns.push({ name: target.name, results: withoutSteps(results) });
  await call.writeLines(matrixText(coreMatrix(local, columns)));
}
