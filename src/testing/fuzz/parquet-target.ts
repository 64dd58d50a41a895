/**
 * Fuzz target for Parquet: tables of one kernel become an atlas, or give an error of one sentence.
 */
import { AtlasBuilder } from '#analysis/atlas/builder.ts';
import { STORED_NAMES } from '#analysis/query/stored-tables.ts';
import { concatBytes } from '#bytes/arrays.ts';
import { bufferSource } from '#bytes/source.ts';
import { exportTables } from '#cli/atlas-export.ts';
import { type Call, CommandFailure, type NodeIo } from '#cli/command.ts';
import { partitionPath } from '#cli/parquet-paths.ts';
import { addSet } from '#cli/parquet-set.ts';
import { atlasBytes } from '#testing/small-atlas.ts';
import { partsOf } from './atlas-targets.ts';
import { openInput, type ReportStep } from './opened.ts';

const KERNEL = 'k';

/** Reads the Parquet files in an input; the kind of each part is the number of its table. */
export async function readParquetParts(bytes: Uint8Array, reportStep: ReportStep): Promise<void> {
  const files = Array.from(partsOf(bytes, STORED_NAMES.length), ({ kind, part }, i) => ({
    path: `${i}`,
    table: STORED_NAMES[kind] ?? 'kernels',
    kernel: KERNEL,
    part,
  }));
  const io = {
    open: (path: string) =>
      Promise.resolve(bufferSource(path, files[Number(path)]?.part ?? new Uint8Array(0))),
  } as Partial<NodeIo> as NodeIo;
  reportStep('read Parquet');
  const builder = new AtlasBuilder({ write: () => undefined, extract: false });
  try {
    await addSet(io, builder, files);
    if (builder.kernelCount > 0) await builder.finish();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
  }
}

/** Returns the Parquet tables of a file's types as an input; null if the file has no types. */
export async function parquetParts(bytes: Uint8Array): Promise<Uint8Array | null> {
  const types = (await openInput(bytes))?.model.types ?? null;
  if (types === null || types.split) return null;
  const atlas = await atlasBytes({ [KERNEL]: types.blob }, false);
  const saved = new Map<string, Uint8Array>();
  const io = {
    open: (path: string) => Promise.resolve(bufferSource(path, atlas)),
    create: (path: string) => {
      const written: Uint8Array[] = [];
      return {
        write: (piece: Uint8Array) => void written.push(piece.slice()),
        finish: () => void saved.set(path, concatBytes(written)),
        discard: () => undefined,
      };
    },
  };
  const call = { io, option: () => 'd' } as unknown as Call;
  await exportTables(call, 'a');
  return concatBytes(
    STORED_NAMES.flatMap((table, kind) => {
      const part = saved.get(partitionPath('d', table, KERNEL)) ?? new Uint8Array(0);
      return [Uint8Array.of(kind, part.length, part.length >> 8, part.length >> 16), part];
    }),
  );
}
