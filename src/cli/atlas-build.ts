/** `btfscope atlas build`, `add`, `remove`: write a new file that replaces the old atlas. */
import { AtlasBuilder } from '#analysis/atlas/builder.ts';
import { Malformed } from '#bytes/issue.ts';
import { visible } from '#bytes/text.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { ATLAS_HEADER_SIZE } from '#formats/atlas/directory.ts';
import { freshInfo, kernelsIn, readManifest } from './atlas-inputs.ts';
import { type Call, CommandFailure, UsageError } from './command.ts';
import { partitionFiles } from './parquet-paths.ts';

type Words = readonly string[];

export async function build(call: Call, path: string, inputs: Words): Promise<void> {
  if (inputs.length === 0) throw new UsageError('INPUT is missing');
  await refuseToReplace(call, path);
  const isWhole = !call.has('questions-only');
  await written(call, path, isWhole, (builder) => addInputs(call, builder, inputs));
}

/** Throws if `path` is a file but not an atlas: an input given first would be lost. */
async function refuseToReplace({ io }: Call, path: string): Promise<void> {
  if (!io.exists(path)) return;
  const file = await io.open(path);
  if (file.size === 0) return;
  try {
    await AtlasFile.open(file);
  } catch (error) {
    if (!(error instanceof Malformed) || error.issue.code !== 'atlas.magic') throw error;
    throw new CommandFailure(
      `${visible(path)} is a file but no atlas, and is not replaced: the atlas to write comes first`,
    );
  }
}

export async function add(call: Call, path: string, inputs: Words): Promise<void> {
  if (inputs.length === 0) throw new UsageError('INPUT is missing');
  const atlas = await AtlasFile.open(await call.io.open(path));
  await written(call, path, isWhole(atlas), async (builder) => {
    await builder.take(atlas, () => true);
    await addInputs(call, builder, inputs);
  });
}

export async function remove(call: Call, path: string, names: Words): Promise<void> {
  if (names.length === 0) throw new UsageError('KERNEL is missing');
  const atlas = await AtlasFile.open(await call.io.open(path));
  const known = new Set(atlas.directory.kernels.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new CommandFailure(`${visible(path)} has no kernel ${visible(unknown)}`);
  }
  await written(call, path, isWhole(atlas), (builder) =>
    builder.take(atlas, (name) => !names.includes(name)),
  );
}

function isWhole({ directory }: AtlasFile): boolean {
  return directory.kernels.every(({ block }) => block !== null);
}

/** Writes an atlas under a temporary name, and renames the file once the atlas is complete. */
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

async function addInputs(call: Call, builder: AtlasBuilder, inputs: Words): Promise<void> {
  const manifest = await readManifest(call.io, call.option('manifest'));
  const isTaken = (name: string) => builder.has(name);
  const sets = inputs.map((path) => partitionFiles(call.io.list(path) ?? []));
  const others = inputs.filter((_, i) => sets[i]?.length === 0);
  for await (const found of kernelsIn(call.io, others, manifest)) {
    if ('module' in found) builder.addModule(found.module, found.types);
    else await builder.add(freshInfo(found, isTaken), found.types);
  }
  for (const files of sets) {
    if (files.length === 0) continue;
    const { addSet } = await import('./parquet-set.ts');
    await addSet(call.io, builder, files);
  }
}
