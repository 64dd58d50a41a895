/**
 * Calls every function of the library on damaged and extreme files. Each call must return a result
 * or throw `Malformed`.
 */
import { describe, expect, it } from 'vitest';
import { attackFiles } from '#testing/attack-files.ts';
import { corpusEdges, readCorpusFile } from '#testing/corpus.ts';
import { isLong } from '#testing/runs.ts';
import {
  compare,
  coreRecords,
  cText,
  declarationText,
  decode,
  disassemblyLines,
  jsonText,
  lint,
  load,
  Malformed,
  maps,
  type ObjectFile,
  open,
  paholeText,
  rawText,
  relocations,
  resolveCore,
  type Type,
} from './main.ts';

/** Limit of types and rows per file: the rest are similar. */
const ENOUGH = 20;
/** Limit for slow files: the text of each of their types is cut only after eight million bytes. */
const FEW = 3;

/** `npm test` uses only every third file. */
const some = <T>(files: readonly T[]) => files.filter((_, i) => isLong || i % 3 === 0);

function take<T>(items: Iterable<T>, most = ENOUGH): T[] {
  const taken: T[] = [];
  for (const item of items) if (taken.push(item) === most) break;
  return taken;
}

function askType(type: Type): void {
  const { members, layout, size, align, target, bare, params, returns, enumerators } = type;
  expect(members.length).toBeLessThanOrEqual(layout.rows.length);
  expect([
    size,
    align,
    target,
    bare,
    params,
    returns,
    enumerators,
    type.length,
    type.int,
  ]).toHaveLength(9);
  for (const { name, bitOffset } of take(members)) {
    if (name !== '')
      expect(type.member(name.split('.')[0] ?? '')?.bitOffset ?? bitOffset).toBeGreaterThanOrEqual(
        0,
      );
  }
  for (const variable of take(type.variables)) expect(variable.type.kind).not.toBe('');
  const value = decode(type, new Uint8Array(64));
  for (const part of take(value.parts())) expect(part.kind).not.toBe('');
  expect(`${type}${declarationText(type)}${rawText(type)}${paholeText(type)}`).toBeTypeOf('string');
}

async function askAll(file: ObjectFile, most: number): Promise<void> {
  expect(file.sections.every(({ byteSize }) => byteSize >= 0)).toBe(true);
  await lint(file);
  await maps(file);
  for (const { text } of take(relocations(file))) expect(text).not.toBe('');
  let lines = 0;
  for await (const _ of disassemblyLines(file)) if (++lines === ENOUGH) break;
  if (!file.hasTypes) return;
  const { types } = file;
  for (const type of take(types, most)) askType(type);
  for (const { text } of take(coreRecords(file))) expect(text).not.toBe('');
  for (const { log } of take(await resolveCore(file, file))) expect(log).toBeInstanceOf(Array);
  expect(compare(types, types).types).toEqual([]);
  expect([cText(types), jsonText(types)].every((text) => text !== '')).toBe(true);
  if (file.machine === 'EM_BPF') await load(file, file);
}

async function ask(name: string, bytes: Uint8Array, most = ENOUGH): Promise<void> {
  try {
    await askAll(await open(bytes, { name }), most);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    expect(error.issue.code).toMatch(/^[a-z]+\.[a-z0-9-]+$/);
  }
}

describe('the library answers or refuses', () => {
  it.each(some(corpusEdges()).map((edge) => [edge.name, edge] as const))(
    '%s',
    async (name, edge) => {
      await ask(name, readCorpusFile(edge));
    },
  );

  it.each(some(attackFiles(0.05)))('$name', async ({ name, buffer }) => {
    await ask(name, buffer, FEW);
  });
});
