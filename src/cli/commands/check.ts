/** `btfscope check`: would the kernel take this BTF, would libbpf, and what is wrong with it. */
import { checkFile, checkStored } from '#analysis/check/file-check.ts';
import { Malformed } from '#bytes/issue.ts';
import { visible } from '#bytes/text.ts';
import {
  type Command,
  CommandFailure,
  type NodeIo,
  option,
  type Parsed,
  positional,
  switched,
} from '#cli/command.ts';
import { printJson, printLines } from '#cli/json.ts';
import { type NamedBase, openBase, openObject } from '#cli/open.ts';
import { rawBtf, storedBtf } from '#ingest/btf-bytes.ts';
import { type CheckFacts, checkFacts } from './check-facts.ts';
import { checkText } from './check-text.ts';

export const check: Command = {
  name: 'check',
  positionals: ['FILE'],
  options: [
    { name: 'base', value: 'BASE', about: 'judge it as the BTF of a module, split from this one' },
    { name: 'json', value: null, about: 'as JSON' },
  ],
  about:
    'Would Linux 6.18 take this BTF, would libbpf 1.8, what does libbpf rewrite first, and all that is wrong.',
  run,
};

async function run(parsed: Parsed, io: NodeIo): Promise<void> {
  const base = await openBase(io, option(parsed, 'base'));
  const facts = await judged(io, positional(parsed, 0), base);
  if (switched(parsed, 'json')) printJson(io, facts);
  else await printLines(io, checkText(facts));
}

async function judged(io: NodeIo, path: string, base: NamedBase | null): Promise<CheckFacts> {
  try {
    const { model, source } = await openObject(io, path, base);
    const stored = await storedBtf(model, source);
    if (stored !== null) return checkFacts(model.name, checkFile(stored, model));
    throw new CommandFailure(`${visible(path)} has no BTF to check`);
  } catch (error) {
    if (!(error instanceof Malformed) || !isRefusedBlob(error)) throw error;
    const source = await io.open(path);
    const { bytes, fileOffset } = await rawBtf(source);
    return checkFacts(source.name, checkStored(bytes, fileOffset, base?.types ?? null));
  }
}

/** Is it BTF that is refused, or no file that we know, which may be BTF without its magic number? */
function isRefusedBlob({ issue }: Malformed): boolean {
  return issue.code.startsWith('btf.') || issue.code === 'file.unknown';
}
