/** Reads a file again: on another base, or with the debug file beside it. */
import { debugFileOf } from '#analysis/objects/debug-file.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Context } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import type { IngestOptions } from '#ingest/ingest-options.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { BaseParams } from './protocol.ts';

export type Opened = {
  readonly model: ObjectModel;
  readonly source: ByteSource;
  /** File with the DWARF, if that is not the file itself. */
  readonly debugFile?: ByteSource;
};

/** Reads an object on `base`, or without a base. */
export async function readOnBase(source: ByteSource, base: BaseParams | null, context: Context) {
  const options: IngestOptions =
    base === null ? context : { ...context, base: base.types, baseName: base.name };
  return await readObject(source, options);
}

async function readObject(source: ByteSource, options: IngestOptions) {
  const read = await ingest(source, options);
  if (read.kind !== 'object') throw new Error(`an object was read as an ${read.kind}`);
  return read;
}

/**
 * Reads a stripped file with the DWARF of `debugFile`, or a file that dwz changed with that of its
 * supplementary file. Returns why the two files do not fit otherwise.
 */
export async function readWithDebugFile(
  file: ByteSource,
  opened: Opened,
  debugFile: ByteSource,
  context: Context,
) {
  const { model, source } = opened;
  if (lacksSupplement(model)) return await readWithSupplement(file, opened, debugFile, context);
  const debug = await ingest(debugFile, { ...context, sectionsOnly: true });
  if (debug.kind !== 'object' || debug.model.format !== 'elf') {
    return refusal(debugFile.name, 'an ELF file', `a file of another kind (${debug.kind})`);
  }
  const own = await debugFileOf(model, source);
  const other = await debugFileOf(debug.model, debug.source);
  if (own?.buildId != null && own.buildId !== (other?.buildId ?? own.buildId)) {
    return refusal(
      debugFile.name,
      `the build id ${own.buildId}`,
      `the build id ${other?.buildId ?? ''}`,
    );
  }
  const read = await readObject(file, { ...context, debugFile: debug.source });
  if (read.model.dwarf !== null) return { ...read, debugFile: debug.source };
  return refusal(debugFile.name, 'a file with DWARF', 'no section .debug_info');
}

function lacksSupplement({ issues }: ObjectModel): boolean {
  return issues.some(({ code }) => code === 'dwarf.supplement');
}

async function readWithSupplement(
  file: ByteSource,
  { debugFile }: Opened,
  supplement: ByteSource,
  context: Context,
) {
  const openSupplement = () => Promise.resolve(supplement);
  const known = debugFile === undefined ? {} : { debugFile };
  const read = await readObject(file, { ...context, ...known, openSupplement });
  if (!lacksSupplement(read.model)) return { ...read, ...known };
  return refusal(supplement.name, 'the build id that this file states', 'another file');
}

function refusal(name: string, expected: string, found: string) {
  const issue: Issue = {
    severity: 'error',
    code: 'dwarf.debug-file',
    region: name,
    message: `${name} is not the debug file of this file`,
    span: null,
    expected,
    found,
  };
  return { kind: 'refused', issue } as const;
}
