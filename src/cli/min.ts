/** `btfscope min`: writes the part of a kernel's BTF that objects need. */
import { resolveObject } from '#analysis/core/resolve.ts';
import { matchedSpecs, minBtf } from '#analysis/needs/min-btf.ts';
import type { MatchedSpec } from '#analysis/needs/type-marks.ts';
import { append } from '#bytes/arrays.ts';
import { visible } from '#bytes/text.ts';
import { type Call, type Command, flag, UsageError, valued } from './command.ts';
import { openLocal, openTarget } from './open-core.ts';

export const min: Command = {
  name: 'min',
  positionals: ['FILE…'],
  options: [
    valued('target', 'BTF', 'the kernel to take types from (required)'),
    valued('o', 'OUT', 'the file to write (required)'),
    flag('json', 'print what was written as JSON'),
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const out = needed(call, 'o', '-o OUT');
  const target = await openTarget(call.io, needed(call, 'target', '--target BTF'));
  const [vmlinux] = target.tables;
  if (vmlinux === undefined) return;
  const specs: MatchedSpec[] = [];
  const undecided: { file: string; section: string; relo_index: number }[] = [];
  for (const [i, path] of call.positionals.entries()) {
    call.io.progress(`object ${i + 1} of ${call.positionals.length}`);
    const { local } = await openLocal(call.io, path);
    const matched = matchedSpecs(resolveObject(local, target, { eliminated: true }));
    append(specs, matched.specs);
    for (const row of matched.undecided) {
      const record = local.records[row];
      const section = record?.sectionName ?? '';
      const relo_index = record?.relocIndexInSection ?? 0;
      undecided.push({ file: path, section, relo_index });
      const place = `${section}, relo #${relo_index}`;
      call.io.warn(visible(`${path}: ${place} cannot be resolved on this kernel; left out`));
    }
  }
  const { blob, idMap } = minBtf(vmlinux.types, specs);
  call.io.save(out, blob);
  await call.print(
    () => ({ out, size: blob.length, types: idMap.size, undecided }),
    () => [],
  );
}

function needed(call: Call, name: string, usage: string): string {
  const value = call.option(name);
  if (value === null) throw new UsageError(`${usage} is missing`);
  return value;
}
