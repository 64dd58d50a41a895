/** `btfscope min`: the part of a kernel's BTF that objects need. */
import { resolveObject } from '#analysis/core/resolve.ts';
import { matchedSpecs, minBtf } from '#analysis/core-needs/min-btf.ts';
import type { MatchedSpec } from '#analysis/core-needs/type-marks.ts';
import { append } from '#bytes/append.ts';
import { visible } from '#bytes/text.ts';
import { type Call, type Command, UsageError, valued } from './command.ts';
import { openLocal, openTarget } from './open.ts';

export const min: Command = {
  name: 'min',
  positionals: ['FILE…'],
  options: [
    valued('target', 'BTF', 'the kernel to take types from (required)'),
    valued('o', 'OUT', 'the file to write (required)'),
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const out = needed(call, 'o', '-o OUT');
  const target = await openTarget(call.io, needed(call, 'target', '--target BTF'));
  const [vmlinux] = target.tables;
  if (vmlinux === undefined) return;
  const specs: MatchedSpec[] = [];
  for (const path of call.positionals) {
    const { local } = await openLocal(call.io, path);
    const matched = matchedSpecs(resolveObject(local, target, { eliminated: true }));
    append(specs, matched.specs);
    for (const row of matched.undecided) {
      const record = local.records[row];
      const place = `${record?.sectionName}, relo #${record?.relocIndexInSection}`;
      call.io.warn(visible(`${path}: ${place} cannot be resolved on this kernel; left out`));
    }
  }
  call.io.save(out, minBtf(vmlinux.types, specs).blob);
}

function needed(call: Call, name: string, usage: string): string {
  const value = call.option(name);
  if (value === null) throw new UsageError(`${usage} is missing`);
  return value;
}
