/** `btfscope atlas`: the types of many kernels in one file. */
import { AtlasBuilder } from '#analysis/atlas/builder.ts';
import { RecordArchive } from '#analysis/atlas/extract.ts';
import { counted, visible } from '#bytes/text.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { ATLAS_HEADER_SIZE, ATLAS_VERSION } from '#formats/atlas/directory.ts';
import { ask } from './atlas-ask.ts';
import { kernelsIn, readManifest, uniqueInfo } from './atlas-inputs.ts';
import { type Call, type Command, CommandFailure, flag, UsageError, valued } from './command.ts';

export const atlas: Command = {
  name: 'atlas',
  positionals: ['ACTION', 'ATLAS…'],
  options: [
    valued('manifest', 'FILE', 'names, versions, architectures and flavours of files: CSV or JSON'),
    flag('questions-only', 'build without what "extract" needs: half the size'),
    valued('batch', 'FILE', 'ask all questions of a file, one in each line as JSON'),
    valued('o', 'OUT', 'the file that "extract" writes (default: standard output)'),
    flag('json', 'print JSON'),
  ],
  about: [
    'Questions to many kernels at once, from one file.',
    '  build ATLAS INPUT…        take the kernels of files, archives and directories',
    '  add ATLAS INPUT…          take more kernels',
    '  remove ATLAS KERNEL…      take kernels out',
    '  info ATLAS                list the kernels',
    '  extract ATLAS KERNEL      write the BTF of a kernel as it was',
    '  ask ATLAS type NAME       a struct, union, enum, typedef or function in all kernels',
    '  ask ATLAS history NAME    its forms, and what changed from one to the next',
    '  ask ATLAS struct|union|func|typedef NAME, member STRUCT.MEMBER, enumerator ENUM.NAME',
  ].join('\n'),
  run,
};

const ACTIONS: ReadonlyMap<
  string,
  (call: Call, path: string, words: readonly string[]) => Promise<void>
> = new Map([
  ['build', build],
  ['info', info],
  ['extract', extract],
  ['ask', async (call, path, words) => await ask(call, await openAtlas(call, path), words)],
]);

async function run(call: Call): Promise<void> {
  const [action = '', path = '', ...words] = call.positionals;
  const act = ACTIONS.get(action);
  if (act === undefined) {
    throw new UsageError(
      `"${visible(action)}" is no action; there are ${[...ACTIONS.keys()].join(', ')}`,
    );
  }
  await act(call, path, words);
}

async function openAtlas(call: Call, path: string): Promise<AtlasFile> {
  return await AtlasFile.open(await call.io.open(path));
}

async function build(call: Call, path: string, inputs: readonly string[]): Promise<void> {
  if (inputs.length === 0) throw new UsageError('INPUT is missing');
  await written(call, path, !call.has('questions-only'), (builder) =>
    addInputs(call, builder, inputs),
  );
}

/** Writes an atlas under another name, and gives it its own once it is whole. */
async function written(
  call: Call,
  path: string,
  extract: boolean,
  fill: (builder: AtlasBuilder) => Promise<void>,
): Promise<void> {
  const file = call.io.create(path);
  try {
    file.write(new Uint8Array(ATLAS_HEADER_SIZE));
    const builder = new AtlasBuilder({ write: (bytes) => file.write(bytes), extract });
    await fill(builder);
    if (builder.kernelCount === 0)
      throw new CommandFailure('there is no kernel to make an atlas of');
    file.finish(await builder.finish());
  } catch (error) {
    file.discard();
    throw error;
  }
}

async function addInputs(
  call: Call,
  builder: AtlasBuilder,
  inputs: readonly string[],
): Promise<void> {
  const manifest = await readManifest(call.io, call.option('manifest'));
  for await (const found of kernelsIn(call.io, inputs, manifest)) {
    await builder.add(
      uniqueInfo(found, (name) => builder.has(name)),
      found.types,
    );
  }
}

async function extract(call: Call, path: string, [name]: readonly string[]): Promise<void> {
  if (name === undefined) throw new UsageError('KERNEL is missing');
  const file = await openAtlas(call, path);
  const kernel = file.directory.kernels.findIndex((each) => each.name === name);
  if (kernel < 0)
    throw new CommandFailure(`${path} has no kernel ${name}; see btfscope atlas info`);
  const btf = await (await RecordArchive.open(file)).btf(kernel);
  const out = call.option('o');
  if (out === null) call.io.out(btf);
  else call.io.save(out, btf);
}

async function info(call: Call, path: string): Promise<void> {
  const { directory, size } = await openAtlas(call, path);
  const { kernels, entries, records, names } = directory;
  const bytes = (list: readonly { readonly length: number }[]) =>
    list.reduce((sum, { length }) => sum + length, 0);
  const types = kernels.flatMap(({ block }) => (block === null ? [] : [block]));
  const parts = {
    questions: bytes(entries),
    extract: bytes(records) + bytes(names) + bytes(types),
  };
  await call.print(
    () => ({
      version: ATLAS_VERSION,
      size,
      blocks: parts,
      kernels: kernels.map((kernel) => ({
        name: kernel.name,
        version: kernel.version,
        arch: kernel.arch,
        flavour: kernel.flavour,
        endian: kernel.endian,
        pointer_size: kernel.pointerSize,
        types: kernel.typeCount,
        size: kernel.size,
        extract: kernel.block !== null,
      })),
    }),
    function* () {
      yield `atlas of version ${ATLAS_VERSION}, ${counted(kernels.length, 'kernel')}, ${size} bytes`;
      yield `questions: ${parts.questions} bytes in ${counted(entries.length, 'block')}`;
      yield parts.extract === 0 ? 'extract: not possible' : `extract: ${parts.extract} bytes`;
      const width = Math.max(...kernels.map(({ name }) => name.length));
      for (const { name, version, arch, flavour, typeCount, size: own } of kernels) {
        const what = [version, arch, flavour].filter((word) => word !== '').join(' ');
        yield visible(
          `${name.padEnd(width)}  ${what}, ${counted(typeCount, 'type')}, ${own} bytes`,
        );
      }
    },
  );
}
