/** `btfscope min`: the part of a kernel's BTF that objects need of it. */

import { resolveObject } from '#analysis/core/resolve.ts';
import type { MatchedSpec } from '#analysis/core-needs/mark-spec.ts';
import { matchedSpecs } from '#analysis/core-needs/matched-specs.ts';
import { minBtf } from '#analysis/core-needs/min-btf.ts';
import { visible } from '#bytes/text.ts';
import { type Command, type NodeIo, option, type Parsed, UsageError } from './command.ts';
import { openLocal, openTarget } from './open.ts';

export const min: Command = {
  name: 'min',
  positionals: ['FILE…'],
  options: [
    { name: 'target', value: 'BTF', about: 'the kernel to take types from (required)' },
    { name: 'o', value: 'OUT', about: 'the file to write (required)' },
  ],
  about:
    'Write the types and members of a kernel that the CO-RE relocations need, as bpftool gen min_core_btf does.',
  run,
};

async function run(parsed: Parsed, io: NodeIo): Promise<void> {
  const out = needed(parsed, 'o', '-o OUT');
  const target = await openTarget(io, needed(parsed, 'target', '--target BTF'));
  const [vmlinux] = target.tables;
  if (vmlinux === undefined) return;
  const specs: MatchedSpec[] = [];
  for (const path of parsed.positionals) {
    const { local } = await openLocal(io, path);
    const matched = matchedSpecs(resolveObject(local, target));
    specs.push(...matched.specs);
    for (const row of matched.undecided) {
      const record = local.records[row];
      const place = `${record?.sectionName}, relo #${record?.relocIndexInSection}`;
      io.warn(visible(`${path}: ${place} cannot be resolved on this kernel; left out`));
    }
  }
  io.save(out, minBtf(vmlinux.types, specs).blob);
}

function needed(parsed: Parsed, name: string, usage: string): string {
  const value = option(parsed, name);
  if (value === null) throw new UsageError(`${usage} is missing`);
  return value;
}
