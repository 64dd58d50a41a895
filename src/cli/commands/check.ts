/** `btfscope check`: would the kernel take this BTF, would libbpf, and what is wrong with it. */
import { checkFile, checkStored } from '#analysis/file-check.ts';
import { Malformed } from '#bytes/issue.ts';
import { visible } from '#bytes/text.ts';
import {
  type Command,
  CommandFailure,
  option,
  type Parsed,
  positional,
  switched,
  type World,
} from '#cli/command.ts';
import { printJson, printLines } from '#cli/json.ts';
import { type NamedBase, openBase, openObject } from '#cli/open.ts';
import { rawBtf, storedBtf } from '#ingest/btf-bytes.ts';
import { type CheckFacts, checkFacts } from './check-facts.ts';
import { checkWords } from './check-words.ts';

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

async function run(parsed: Parsed, world: World): Promise<void> {
  const base = await openBase(world, option(parsed, 'base'));
  const facts = await judged(world, positional(parsed, 0), base);
  if (switched(parsed, 'json')) printJson(world, facts);
  else await printLines(world, checkWords(facts));
}

async function judged(world: World, path: string, base: NamedBase | null): Promise<CheckFacts> {
  try {
    const { model, source } = await openObject(world, path, base);
    const stored = await storedBtf(model, source);
    if (stored !== null) return checkFacts(model.name, checkFile(stored, model));
    throw new CommandFailure(`${visible(path)} has no BTF to check`);
  } catch (error) {
    if (!(error instanceof Malformed) || !isRefusedBlob(error)) throw error;
    const source = await world.open(path);
    const { bytes, fileOffset } = await rawBtf(source);
    return checkFacts(source.name, checkStored(bytes, fileOffset, base?.types ?? null));
  }
}

/** Is it BTF that is refused, or no file that we know, which may be BTF without its magic number? */
function isRefusedBlob({ issue }: Malformed): boolean {
  return issue.code.startsWith('btf.') || issue.code === 'file.unknown';
}
