/**
 * Types of DWARF: of objects of nine machines, whose DWARF has relocations, and in the large corpus
 * of the objects that pahole 1.31 made BTF of, which must have the same types.
 */
import { describe, expect, it } from 'vitest';
import {
  corpusEdges,
  corpusRows,
  isLargeCorpus,
  readCorpusFile,
  readCorpusText,
} from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

const natives = corpusEdges().filter(({ name }) => name.startsWith('native_'));

const run = async (command: string, name: string, bytes: Uint8Array) =>
  (await runCommand([command, name], new Map([[name, bytes]]))).out;

describe.skipIf(isLargeCorpus)('objects of other machines', () => {
  it('are nine', () => {
    expect(natives.length).toBeGreaterThanOrEqual(9);
  });

  it.each(natives.map((edge) => [edge.name, edge] as const))('%s', async (name, edge) => {
    const bytes = readCorpusFile(edge);
    const is64 = bytes[4] === 2;
    const size = is64 ? 16 : 8;
    const raw = await run('raw', name, bytes);
    expect(raw).toContain(`STRUCT 'list' size=${size} vlen=2`);
    expect(raw).toMatch(/'value' type_id=\d+ bits_offset=/);
    expect(raw).toContain("INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED");
    expect(raw).toContain("FUNC 'sum' type_id=");
    const data = await run('data', name, bytes);
    expect(data).toContain('struct list first = {');
    expect(data).toContain('static struct list chain[3] = {');
    const info = await run('info', name, bytes);
    expect(info).toContain('types from DWARF 5 of C, Debian clang version 19');
  });
});

const FOLDER = 'dwarf';
/** Kinds that pahole joins, drops or numbers by rules of its own. */
const OTHER_KINDS = new Set(['FUNC', 'FUNC_PROTO', 'ARRAY', 'VAR', 'DATASEC', 'DECL_TAG']);
/** Type that pahole puts in the place of an int of a size that BTF lacks. */
const SUBSTITUTE = '__SANITIZED_FAKE_INT__';
/** Bits of a member's offset in a struct with bit-fields. pahole lets larger ones overflow. */
const MAX_BIT_OFFSET = 0xffffff;

/** Returns the types in `raw`, each with names in the place of ids. */
function typesIn(raw: string): ReadonlySet<string> {
  const blocks = raw
    .trim()
    .split(/\n(?=\[)/)
    .filter((block) => block !== '');
  const heads = blocks.map((block) => /^\[(\d+)\] (\w+) '(.*?)'/.exec(block) ?? []);
  const named = new Map(heads.map(([, id, kind, name]) => [id, `${kind} ${name}`]));
  return new Set(
    blocks
      .filter((_, i) => !OTHER_KINDS.has(heads[i]?.[2] ?? '') && heads[i]?.[3] !== SUBSTITUTE)
      .map((block) =>
        block
          .replace(/^\[\d+\] /, '')
          .replace(/type_id=(\d+)/g, (_, id: string) => `type=${named.get(id) ?? 'void'}`),
      ),
  );
}

const objects = isLargeCorpus
  ? JsonRow.parse(readCorpusText(`${FOLDER}/MANIFEST.json`)).rows('objects')
  : [];

/** Returns pahole's BTF of an object in raw form, with the features of a kernel's build. */
function goldenOf(id: string): string {
  const stem = id.split('.')[0] ?? id;
  const rows = [...corpusRows(`${FOLDER}/goldens/${stem}.jsonl.zst`, `"${id}"`)];
  const texts = new Map(rows.map((row) => [row.text('set'), row]));
  // Equal texts are stored once, under the set that came first.
  const row = texts.get('kernel') ?? texts.get('default');
  return row?.text('text') ?? '';
}

/** True for a struct whose members pahole wrote with offsets that do not fit. */
function overflows(type: string): boolean {
  const offsets = [...type.matchAll(/bits_offset=(\d+)/g)].map(([, offset]) => Number(offset));
  const isRising = offsets.every((offset, i) => offset >= (offsets[i - 1] ?? 0));
  const [, size = '0'] = /size=(\d+)/.exec(type) ?? [];
  return Number(size) * 8 > MAX_BIT_OFFSET && (!isRising || type.includes('bitfield_size'));
}

describe.skipIf(!isLargeCorpus)('objects of which pahole made BTF', () => {
  it('are all there', () => {
    expect(objects).toHaveLength(343);
  });

  it.each(objects.map((row) => [row.text('id'), row] as const))('%s', async (id, row) => {
    const file = row.text('file');
    const bytes = readCorpusFile({ id, name: id, file: `${FOLDER}/${file}` });
    const own = typesIn(await run('raw', id, bytes));
    const missing = [...typesIn(goldenOf(id))].filter((type) => !own.has(type));
    expect(missing.filter((type) => !overflows(type))).toEqual([]);
  });
});
