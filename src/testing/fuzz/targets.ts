/** The targets of the fuzzer. A target gets the bytes of an input and must end without an error. */
import { ingestBytes } from '#ingest/ingest.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { buildAtlas, readAtlasParts } from './atlas-targets.ts';
import { resolveOn } from './core-target.ts';
import { readDwarf } from './dwarf-target.ts';
import { encodeDwarf } from './encode-target.ts';
import { familiesOn } from './families.ts';
import {
  judge,
  listCode,
  readData,
  readMembers,
  reportEcoff,
  walkFields,
  writeRelocations,
} from './file-targets.ts';
import { answerLogs, readHostileLog, readLogTable } from './log-target.ts';
import type { InputForm } from './mutate.ts';
import { fewTypesOf, type Opened, openInput, type ReportStep } from './opened.ts';
import { readParquetParts } from './parquet-target.ts';
import {
  compileText,
  followLink,
  readDump,
  readLessonText,
  readLogBeside,
  readSplit,
} from './plain-targets.ts';
import { evaluateAnyRelocations } from './relocation-target.ts';
import {
  compareWith,
  computeLayouts,
  drawGraphs,
  linkTypes,
  printTypes,
  readValues,
  searchPalette,
  searchPaths,
  testTypes,
  writeWholeText,
} from './type-targets.ts';

/** Kinds of seeds, which `scripts/fuzz/seeds.mjs` makes. */
export type SeedKind =
  | 'file'
  | 'blob'
  | 'ecoff'
  /** Objects with DWARF. */
  | 'dwarf'
  | 'packed'
  | 'members'
  | 'split'
  | 'declarations'
  | 'lesson'
  | 'log'
  | 'dump'
  | 'link'
  | 'atlas'
  | 'parquet'
  | 'choices'
  /** Objects with few types and CO-RE records. */
  | 'object'
  /** BTF blobs with a few of a file's types. */
  | 'few';

export type Target = {
  readonly seeds: readonly SeedKind[];
  readonly form: InputForm;
  /** Limit of an input in bytes, if longer inputs find nothing more. */
  readonly most?: number;
  /** Runs the checks on an input; throws if one fails. Calls `reportStep` before each step. */
  readonly run: (bytes: Uint8Array, reportStep: ReportStep) => Promise<void> | void;
};

const FEW_TYPES_BYTES = 1_000;

type FileStep = (file: Opened, reportStep: ReportStep) => Promise<void> | void;
type TypesStep = (types: TypeTable, reportStep: ReportStep) => Promise<void> | void;

function file(ask: FileStep, seeds: readonly SeedKind[] = ['file']): Target {
  return {
    seeds,
    form: 'file',
    run: async (bytes, reportStep) => {
      reportStep('open');
      const read = await openInput(bytes);
      if (read !== null) await ask(read, reportStep);
    },
  };
}

function types(ask: TypesStep): Target {
  const testTypes: FileStep = async ({ model }, reportStep) => {
    if (model.types !== null) await ask(model.types, reportStep);
  };
  return file(testTypes, ['blob', 'file']);
}

/** Returns a target that runs a step on each input's types; its seeds have few types. */
function fewTypes(ask: TypesStep): Target {
  return { ...types(ask), seeds: ['few'], most: FEW_TYPES_BYTES };
}

function targetOf(seeds: SeedKind, form: InputForm, run: Target['run']): Target {
  return { seeds: [seeds], form, run };
}

/** Returns all targets by name. `kernel` is the BTF blob of the kernel that targets use. */
export async function targetsOn(kernel: Uint8Array): Promise<ReadonlyMap<string, Target>> {
  const model = await modelOf(kernel);
  const below = model.types;
  if (below === null) throw new Error('the kernel has no types');
  const [few = kernel] = await fewTypesOf(kernel);
  const beside = (await modelOf(few)).types ?? below;
  const binding = { object: null, program: null, kernel: beside };
  return new Map<string, Target>([
    ['open', file(() => undefined)],
    ['ecoff', file(reportEcoff, ['ecoff'])],
    ['dwarf', { ...file(readDwarf, ['dwarf']), form: 'bytes' }],
    ['encode', { ...file(encodeDwarf, ['dwarf']), form: 'bytes' }],
    ['packed', { ...file(() => undefined, ['packed']), form: 'bytes' }],
    ['members', targetOf('members', 'bytes', readMembers)],
    [
      'split',
      targetOf('split', 'bytes', async (bytes, reportStep) => {
        const read = await readSplit(bytes, reportStep);
        if (read?.types != null) printTypes(read.types, reportStep);
      }),
    ],
    ['anatomy', file(walkFields, ['file', 'ecoff'])],
    ['findings', file(judge, ['file', 'ecoff'])],
    ['relocations', file(writeRelocations, ['file', 'ecoff'])],
    ['code', file(listCode, ['file', 'ecoff'])],
    ['data', file(readData)],
    ['core', file(resolveOn(below), ['object', 'file'])],
    [
      'palette',
      file(({ model: read }, reportStep) => searchPalette(read, reportStep), ['file', 'ecoff']),
    ],
    ['text-raw', types(writeWholeText('raw'))],
    ['text-json', types(writeWholeText('json'))],
    ['text-c', types(writeWholeText('c'))],
    ['text-pahole', types(writeWholeText('pahole'))],
    ['types', types(testTypes)],
    ['print', fewTypes(printTypes)],
    ['values', fewTypes(readValues)],
    ['layout', fewTypes(computeLayouts)],
    ['graph', types(drawGraphs)],
    ['paths', types(searchPaths)],
    ['compare', fewTypes(compareWith(beside))],
    ['link', types(linkTypes)],
    ['atlas', targetOf('atlas', 'bytes', readAtlasParts)],
    ['atlas-build', types(buildAtlas)],
    ['parquet', targetOf('parquet', 'bytes', readParquetParts)],
    ['follow-link', targetOf('link', 'bytes', followLink)],
    ['workbench', targetOf('declarations', 'text', compileText)],
    ['lesson', targetOf('lesson', 'text', readLessonText)],
    ['log', targetOf('log', 'text', readLogBeside(model))],
    ['log-table', targetOf('log', 'text', readLogTable)],
    ['log-answer', targetOf('log', 'text', answerLogs(binding))],
    ['hostile-log', targetOf('choices', 'bytes', readHostileLog(binding))],
    ['reloc-tables', targetOf('choices', 'bytes', evaluateAnyRelocations)],
    ['dump', targetOf('dump', 'text', readDump)],
    ...Object.entries(familiesOn(beside)).map(
      ([name, run]) => [name, targetOf('choices', 'bytes', run)] as const,
    ),
  ]);
}

async function modelOf(bytes: Uint8Array): Promise<ObjectModel> {
  const read = await ingestBytes('kernel', bytes);
  if (read.kind !== 'object') throw new Error('the kernel is an archive');
  return read.model;
}
