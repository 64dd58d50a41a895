/** `btfscope needs`: prints the oldest Linux that has all that objects use, and what decides it. */
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { needsOf } from '#analysis/needs/needs.ts';
import { type NeedsOnKernel, needsOnKernel } from '#analysis/needs/on-kernel.ts';
import { append } from '#bytes/arrays.ts';
import { visible } from '#bytes/text.ts';
import { needsBadge } from '#print/needs-badge.ts';
import { needsFields, needsText, type ObjectNeeds } from '#print/needs-text.ts';
import {
  type Call,
  type Command,
  Failures,
  flag,
  jsonText,
  UsageError,
  valued,
} from './command.ts';
import {
  KERNEL_OPTIONS,
  kernelOpeners,
  type NamedObject,
  openKernel,
  openNamedObject,
} from './open-load.ts';

const FORMATS = ['text', 'json', 'svg'];

export const needs: Command = {
  name: 'needs',
  positionals: ['OBJECT…'],
  options: [
    ...KERNEL_OPTIONS,
    valued('badge', 'FILE', 'write a badge as SVG; of one object only'),
    valued('format', FORMATS.join('|'), 'what to print (default text)'),
    flag('json', 'print JSON, one line per object'),
  ],
  more: [
    'With --kernel or --atlas it also says which of these kernels have all that the object needs.',
    'It does not run the verifier: btfscope load has the other reasons why a kernel refuses it.',
  ],
  run,
};

function formatOf(call: Call): string {
  const given = [...call.all('format'), ...(call.has('json') ? ['json'] : [])];
  const [format = 'text'] = given;
  if (given.length > 1) throw new UsageError('--format and --json cannot be combined');
  if (!FORMATS.includes(format)) {
    throw new UsageError(`--format takes one of ${FORMATS.join(', ')}`);
  }
  return format;
}

async function run(call: Call): Promise<void> {
  const format = formatOf(call);
  const badge = call.option('badge');
  if (call.positionals.length > 1 && (badge !== null || format === 'svg')) {
    throw new UsageError('a badge is of one object');
  }
  const failures = new Failures();
  const openers = await kernelOpeners(call, failures);
  const objects: NamedObject[] = [];
  for (const path of call.positionals) {
    await openNamedObject(call.io, path).then((object) => objects.push(object), failures.add);
  }
  const all = objects.map(({ path, object }) => ({ path, object, needs: needsOf(object) }));
  const onKernels = new Map<string, NeedsOnKernel[]>(all.map(({ path }) => [path, []]));
  for (const [i, open] of all.length === 0 ? [] : openers.entries()) {
    call.io.progress(`kernel ${i + 1} of ${openers.length}`);
    const target = await open().catch(failures.add);
    if (target === undefined) continue;
    const kernel: LoadKernel = await openKernel(call, target);
    for (const { path, object, needs: of } of all) {
      onKernels.get(path)?.push(needsOnKernel(object, of, kernel));
    }
  }
  const lines: string[] = [];
  for (const [i, { path, needs: of }] of all.entries()) {
    const answer: ObjectNeeds = { object: path, needs: of, kernels: onKernels.get(path) ?? [] };
    if (badge !== null) call.io.save(badge, new TextEncoder().encode(needsBadge(of)));
    if (format === 'svg') call.write(needsBadge(of));
    else if (format === 'json') lines.push(jsonText(needsFields(answer)));
    else append(lines, [...(i > 0 ? [''] : []), ...needsText(answer)].map(visible));
  }
  if (format !== 'svg') await call.writeLines(lines);
  failures.throwIfAny(call.io);
}
