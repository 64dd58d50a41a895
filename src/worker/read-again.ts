/** Reads a file again: on another base, or with the debug file beside it. */
import { debugFileOf } from '#analysis/objects/debug-file.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Context } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import type { IngestOptions } from '#ingest/ingest-options.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { BaseParams } from './protocol.ts';

type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

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

/** Reads a stripped file with the DWARF of `debugFile`, or returns why the two do not fit. */
export async function readWithDebugFile(
  file: ByteSource,
  { model, source }: Opened,
  debugFile: ByteSource,
  context: Context,
) {
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
  if (read.model.dwarf !== null) return read;
  return refusal(debugFile.name, 'a file with DWARF', 'no section .debug_info');
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
