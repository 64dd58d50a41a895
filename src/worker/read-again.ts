/** Reads a file again: on another base, or with the debug or split files beside it. */
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
  /** Supplementary and split files that were given. */
  readonly beside?: readonly ByteSource[];
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
 * Reads a stripped file with the DWARF of the first of `files`, or a file that needs its
 * supplementary or split files with these. Returns why no file fits otherwise.
 */
export async function readWithDebugFile(
  file: ByteSource,
  opened: Opened,
  files: readonly ByteSource[],
  context: Context,
) {
  const { model, source } = opened;
  if (lackingOf(model) !== '') return await readWithBeside(file, opened, files, context);
  const [debugFile] = files;
  if (debugFile === undefined) throw new Error('no debug file was given');
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

/** Codes of the issues that name files with types of a file. */
const LACKING: ReadonlySet<string> = new Set(['dwarf.supplement', 'dwarf.split']);

/** Returns what the supplementary and split files of a file are to have; empty if none is needed. */
function lackingOf({ issues }: ObjectModel): string {
  const lacking = issues.filter(({ code }) => LACKING.has(code));
  return lacking.map(({ message }) => message).join('\n');
}

async function readWithBeside(
  file: ByteSource,
  { model, debugFile, beside: known = [] }: Opened,
  files: readonly ByteSource[],
  context: Context,
) {
  const beside = [...known, ...files];
  const filesBeside = async function* () {
    yield* beside;
  };
  const debug = debugFile === undefined ? {} : { debugFile };
  const read = await readObject(file, { ...context, ...debug, filesBeside });
  if (lackingOf(read.model) !== lackingOf(model)) return { ...read, ...debug, beside };
  const names = new Set(files.map(({ name }) => name));
  const issue = read.model.issues.find(
    ({ code, region }) => code === 'dwarf.split-id' && names.has(region),
  );
  if (issue !== undefined) return { kind: 'refused', issue } as const;
  const isSplit = model.issues.some(({ code }) => code === 'dwarf.split');
  return refusal(
    files[0]?.name ?? '',
    isSplit ? 'a split file (.dwo) or a package (.dwp)' : 'the build id that this file states',
    'another file',
  );
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
