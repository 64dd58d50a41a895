/** `btfscope atlas`: declares the actions on atlases, files with the types of many kernels. */
import { counted, visible } from '#bytes/text.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { ATLAS_VERSION } from '#formats/atlas/directory.ts';
import { type Call, type Command, CommandFailure, flag, UsageError, valued } from './command.ts';

export const atlas: Command = {
  name: 'atlas',
  positionals: ['build|add|remove|info|extract|export|ask', 'ATLAS…'],
  options: [
    valued('manifest', 'FILE', 'names, versions, architectures and flavours of files: CSV or JSON'),
    flag('questions-only', 'build without what "extract" needs: half the size'),
    valued('batch', 'FILE', 'ask all questions of a file, one in each line as JSON'),
    valued('parquet', 'DIR', 'the directory that "export" writes'),
    valued('o', 'OUT', 'the file that "extract" writes (default: standard output)'),
    flag('json', 'print JSON'),
  ],
  more: [
    '  build ATLAS INPUT…        take the kernels of files, archives and directories',
    '  add ATLAS INPUT…          take more kernels',
    '  remove ATLAS KERNEL…      take kernels out',
    '  info ATLAS                list the kernels',
    '  extract ATLAS KERNEL      write the BTF of a kernel as it was',
    '  export ATLAS              write tables for SQL engines, as Parquet',
    '  ask ATLAS type NAME       a struct, union, enum, typedef or function in all kernels',
    '  ask ATLAS history NAME    its forms, and what changed from one to the next',
    '  ask ATLAS struct|union|func|typedef NAME, member STRUCT.MEMBER, enumerator ENUM.NAME',
  ],
  run,
};

/** Loads the code of an action when the action runs: `ask` does not load the builder. */
const building = () => import('./atlas-build.ts');

const ACTIONS: ReadonlyMap<
  string,
  (call: Call, path: string, words: readonly string[]) => Promise<void>
> = new Map([
  ['build', async (call, path, words) => await (await building()).build(call, path, words)],
  ['add', async (call, path, words) => await (await building()).add(call, path, words)],
  ['remove', async (call, path, words) => await (await building()).remove(call, path, words)],
  ['info', info],
  ['extract', extract],
  [
    'export',
    async (call, path) => await (await import('./atlas-export.ts')).exportTables(call, path),
  ],
  [
    'ask',
    async (call, path, words) => {
      const { ask } = await import('./atlas-ask.ts');
      await ask(call, await openAtlas(call, path), words);
    },
  ],
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

async function extract(call: Call, path: string, [name]: readonly string[]): Promise<void> {
  if (name === undefined) throw new UsageError('KERNEL is missing');
  const file = await openAtlas(call, path);
  const kernel = file.directory.kernels.findIndex((each) => each.name === name);
  if (kernel < 0)
    throw new CommandFailure(`${path} has no kernel ${name}; see btfscope atlas info`);
  const { RecordArchive } = await import('#analysis/atlas/extract.ts');
  const btf = await (await RecordArchive.open(file)).btf(kernel);
  const out = call.option('o');
  if (out === null) call.io.out(btf);
  else call.io.save(out, btf);
}

async function info(call: Call, path: string): Promise<void> {
  const { directory, size } = await openAtlas(call, path);
  const { kernels, modules, entries, records, names } = directory;
  const inKernel = kernels.map((): string[] => []);
  for (const { name, kernel } of modules) inKernel[kernel]?.push(name);
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
      kernels: kernels.map((kernel, i) => ({
        name: kernel.name,
        version: kernel.version,
        arch: kernel.arch,
        flavour: kernel.flavour,
        endian: kernel.endian,
        pointer_size: kernel.pointerSize,
        types: kernel.typeCount,
        size: kernel.size,
        extract: kernel.block !== null,
        modules: inKernel[i],
      })),
    }),
    function* () {
      yield `atlas of version ${ATLAS_VERSION}, ${counted(kernels.length, 'kernel')}, ${size} bytes`;
      yield `questions: ${parts.questions} bytes in ${counted(entries.length, 'block')}`;
      yield parts.extract === 0 ? 'extract: not possible' : `extract: ${parts.extract} bytes`;
      const width = kernels.reduce((most, { name }) => Math.max(most, name.length), 0);
      for (const [i, { name, version, arch, flavour, typeCount, size: own }] of kernels.entries()) {
        const what = [version, arch, flavour].filter((word) => word !== '').join(' ');
        const inside = inKernel[i]?.length ?? 0;
        const more = inside === 0 ? '' : `, ${counted(inside, 'module')}`;
        yield visible(
          `${name.padEnd(width)}  ${what}, ${counted(typeCount, 'type')}, ${own} bytes${more}`,
        );
      }
    },
  );
}
