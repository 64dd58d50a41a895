/** Builds an atlas from the kernels and modules in a folder. */
import { AtlasBuilder } from '#analysis/atlas/builder.ts';
import { infoOf, inKernelOrder, uniqueInfo } from '#analysis/atlas/kernel-name.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Context } from '#bytes/long-work.ts';
import { blobSource } from '#bytes/source.ts';
import { KernelFinder } from '#ingest/modules.ts';
import { UnpackedSum } from '#ingest/unpacked-sum.ts';

export type FileOfFolder = { readonly path: string; readonly file: Blob };

export type BuiltAtlas = {
  readonly atlas: Blob;
  readonly kernels: number;
  /** Names of the files that could not be read, not escaped. */
  readonly unread: readonly string[];
  /** Number of modules that fit no kernel of the folder. */
  readonly strays: number;
};

/** Builds an atlas. Throws `Malformed` if no file is a kernel; the signal's reason if aborted. */
export async function buildAtlas(
  name: string,
  files: readonly FileOfFolder[],
  { signal, onProgress }: Context,
): Promise<BuiltAtlas> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const builder = new AtlasBuilder({
    write: (bytes) => {
      parts.push(new Uint8Array(bytes));
    },
    extract: true,
  });
  const finder = new KernelFinder(infoOf);
  const unread: string[] = [];
  for (const [done, { path, file }] of inKernelOrder(files).entries()) {
    onProgress({ step: 'building the atlas', done, total: files.length });
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
    try {
      for await (const found of finder.inside(
        new UnpackedSum().open(blobSource(path, file)),
        path,
      )) {
        if ('module' in found) builder.addModule(found.module, found.types);
        else {
          const info = uniqueInfo({ info: infoOf(found.path), path: found.path }, (one) =>
            builder.has(one),
          );
          if (info === null) unread.push(path);
          else await builder.add(info, found.types);
        }
      }
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      unread.push(path);
    }
  }
  if (builder.kernelCount === 0) throw noKernel(name, files.length);
  const header = new Uint8Array(await builder.finish());
  return {
    atlas: new Blob([header, ...parts]),
    kernels: builder.kernelCount,
    unread,
    strays: finder.strays,
  };
}

function noKernel(name: string, count: number): Malformed {
  return new Malformed({
    code: 'atlas.no-kernel',
    region: name,
    message: `${name} is a folder without a kernel`,
    span: null,
    expected: 'BTF, images or archives of kernels',
    found: `${count} other files`,
    advice: 'Drop the files in it that you want to see, or a folder with kernels.',
  });
}
