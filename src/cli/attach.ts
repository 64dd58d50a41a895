/** `btfscope attach`: prints which kinds of programs can be attached to functions of kernels. */
import { type AttachPoint, attachKinds } from '#analysis/kernel/attach-points.ts';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { addTo } from '#bytes/cache.ts';
import { counted, visible } from '#bytes/text.ts';
import { type AttachRow, attachFields, attachRow } from '#print/attach-fields.ts';
import { type Call, type Command, Failures, flag, UsageError } from './command.ts';
import { KERNEL_OPTIONS, kernelOpeners, openKernel } from './open-load.ts';

export const attach: Command = {
  name: 'attach',
  positionals: ['FUNCTION…'],
  options: [...KERNEL_OPTIONS, flag('json', 'print JSON')],
  more: [
    'FUNCTION is a function of the kernel, or the name of an LSM hook, iterator or tracepoint.',
    'Undecided is what BTF does not tell, as the error injection list, or a kernel without --kallsyms.',
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const failures = new Failures();
  const openers = await kernelOpeners(call, failures);
  if (openers.length + failures.count === 0) {
    throw new UsageError('name a kernel with --kernel or --atlas');
  }
  const kernels: LoadKernel[] = [];
  for (const [i, open] of openers.entries()) {
    call.io.progress(`kernel ${i + 1} of ${openers.length}`);
    const target = await open().catch(failures.add);
    if (target !== undefined) kernels.push(await openKernel(call, target));
  }
  const rows = call.positionals.flatMap((name) => rowsOf(name, kernels));
  await call.print(
    () => rows.map(attachFields),
    () => [...textOf(rows)].map(visible),
  );
  failures.throwIfAny(call.io);
}

function rowsOf(name: string, kernels: readonly LoadKernel[]): readonly AttachRow[] {
  const kinds = attachKinds(name, kernels);
  return kernels.map((kernel) => attachRow(name, kinds, kernel));
}

/** Yields per function its prototypes with their kernels, then each kind of program. */
function* textOf(rows: readonly AttachRow[]): Generator<string> {
  const byName = new Map<string, AttachRow[]>();
  for (const row of rows) addTo(byName, row.function, row);
  for (const [name, of] of byName) {
    yield `${name}:`;
    const prototypes = new Map<string, AttachRow[]>();
    for (const row of of) addTo(prototypes, row.prototype ?? '', row);
    for (const [prototype, same] of prototypes) {
      const where = same.map(({ kernel, module }) =>
        module === null ? kernel : `${kernel} (${module})`,
      );
      yield `  ${prototype === '' ? 'no prototype' : prototype} on ${where.join(', ')}`;
    }
    for (const { kernel, inlined } of of) {
      if (inlined > 0)
        yield `  ${counted(inlined, 'call')} inlined on ${kernel}, for which no program runs`;
    }
    for (const { kind } of of[0]?.points ?? []) yield* kindText(kind, of);
  }
}

/** Yields a line per answer with equal reasons, for all kernels that have it. */
function* kindText(kind: string, rows: readonly AttachRow[]): Generator<string> {
  const groups = new Map<string, { readonly point: AttachPoint; readonly kernels: string[] }>();
  for (const { kernel, points } of rows) {
    const point = points.find((one) => one.kind === kind);
    if (point === undefined) continue;
    const key = JSON.stringify([point.answer, point.reasons]);
    const group = groups.get(key) ?? { point, kernels: [] };
    group.kernels.push(kernel);
    groups.set(key, group);
  }
  for (const { point, kernels } of groups.values()) {
    const where =
      groups.size === 1 && kernels.length > 1
        ? `all ${kernels.length} kernels`
        : kernels.join(', ');
    yield `  ${kind}: ${point.answer} on ${where}`;
    for (const { text, line } of point.reasons) {
      yield `    ${text}`;
      if (line !== null) yield `      kernel: ${line}`;
    }
  }
}
