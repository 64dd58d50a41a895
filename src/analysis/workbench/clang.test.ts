/**
 * What the workbench emits is what clang does. Seeds are texts; to compare more of them:
 * `BTFSCOPE_DECLARATIONS=2000 npx vitest run src/analysis/workbench`. The golden file is
 * clang's output, made with `BTFSCOPE_WRITE_GOLDEN=1` in place of that.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { BtfWriter } from '#formats/btf/write.ts';
import { openModel } from '#testing/open-model.ts';
import { rawLines } from '#testing/raw-lines.ts';
import { randomDeclarations } from './declarations-for-tests.ts';
import { emitBtf } from './emit.ts';
import { type Declared, parseDeclarations } from './parse.ts';
import { PRELUDE } from './specifiers.ts';

const CLANG = 'clang-19';
const COUNT = Number(process.env.BTFSCOPE_DECLARATIONS ?? 60);
const hasClang = spawnSync(CLANG, ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'btfscope-workbench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Variables that make clang write down what is only declared. */
const STAND_IN = '__stand_in_';

function sourceFor(text: string, declared: readonly Declared[]): string {
  const prelude = PRELUDE.map(([name, words]) => `typedef ${words} ${name};`);
  let source = '';
  let from = 0;
  for (const [i, item] of declared.entries()) {
    if (item.what !== 'type') continue;
    const behind = text.indexOf('\n', item.end);
    const end = behind < 0 ? text.length : behind;
    source += `${text.slice(from, end)}\n${nameOf(item)} ${STAND_IN}${i};\n`;
    from = end;
  }
  return `${prelude.join('\n')}\n${source}${text.slice(from)}\n`;
}

function nameOf({ type }: Declared): string {
  switch (type?.kind) {
    case 'record':
      return `${type.what} ${type.name}`;
    case 'enum':
      return `enum ${type.name}`;
    case 'typedef':
      return type.name;
    default:
      throw new Error('a type without a name');
  }
}

async function clangLines(source: string): Promise<string[]> {
  const c = join(folder, 'a.c');
  const o = join(folder, 'a.o');
  writeFileSync(c, source);
  execFileSync(CLANG, ['-w', '-g', '-O2', '--target=bpf', '-c', c, '-o', o], { stdio: 'pipe' });
  const { types } = await openModel('a.o', new Uint8Array(readFileSync(o)));
  return types === null ? [] : withoutStandIns(rawLines(types));
}

/** Takes the stand-ins out, and the sections that are empty then, and numbers what is left anew. */
function withoutStandIns(lines: readonly string[]): string[] {
  const idIn = (line: string) => /^\[(\d+)\]/.exec(line)?.[1];
  const gone = new Set(lines.filter((line) => line.includes(` VAR '${STAND_IN}`)).map(idIn));
  const entryOf = (line: string) => /^\ttype_id=(\d+) offset=/.exec(line)?.[1];
  const left = lines.filter((line) => !gone.has(idIn(line) ?? entryOf(line) ?? ''));
  const counted = left.flatMap((line, i) => {
    if (!line.includes('] DATASEC ')) return [line];
    let vlen = 0;
    while (entryOf(left[i + 1 + vlen] ?? '') !== undefined) vlen += 1;
    return vlen === 0 ? [] : [line.replace(/vlen=\d+/, `vlen=${vlen}`)];
  });
  const ids = new Map([['0', 0]]);
  for (const line of counted) {
    const id = idIn(line);
    if (id !== undefined) ids.set(id, ids.size);
  }
  const anew = (_: string, before: string, id: string) => `${before}${ids.get(id)}`;
  return counted.map((line) =>
    line
      .replace(/^(\[)(\d+)/, anew)
      .replace(/(type_id=)(\d+)/g, anew)
      .replace(/ \(VAR .*$/, ''),
  );
}

async function ourLines(declared: readonly Declared[], layouts: Parameters<typeof emitBtf>[1]) {
  const writer = new BtfWriter();
  for (const record of emitBtf(declared, layouts)) writer.addType(record);
  const { types } = await openModel('ours.btf', writer.finish());
  return types === null ? [] : rawLines(types).map((line) => line.replace(/ \(VAR .*$/, ''));
}

/** Hashes of what clang wrote for seeds from 1 on, for machines without it. */
const GOLDEN = fileURLToPath(new URL('clang.golden.txt', import.meta.url));
const GOLDEN_COUNT = 300;
const hashOf = (lines: readonly string[]) =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);

it(`is what clang wrote for ${GOLDEN_COUNT} random texts`, async () => {
  const golden = readFileSync(GOLDEN, 'utf8').trim().split('\n');
  expect(golden).toHaveLength(GOLDEN_COUNT);
  for (const [i, hash] of golden.entries()) {
    const text = randomDeclarations(i + 1);
    const { declared, problems, layouts } = parseDeclarations(text);
    expect(problems, text).toEqual([]);
    expect(hashOf(await ourLines(declared, layouts)), text).toBe(hash);
  }
});

describe.skipIf(!hasClang)('clang', () => {
  it(`writes the same for ${COUNT} random texts`, { timeout: 600_000 }, async () => {
    const hashes: string[] = [];
    const isGolden = process.env.BTFSCOPE_WRITE_GOLDEN !== undefined;
    for (let seed = 1; seed <= (isGolden ? GOLDEN_COUNT : COUNT); seed++) {
      const text = randomDeclarations(seed);
      const { declared, problems, layouts } = parseDeclarations(text);
      expect(problems, text).toEqual([]);
      const theirs = await clangLines(sourceFor(text, declared));
      expect(await ourLines(declared, layouts), text).toEqual(theirs);
      hashes.push(hashOf(theirs));
    }
    if (isGolden) writeFileSync(GOLDEN, `${hashes.join('\n')}\n`);
    else expect(readFileSync(GOLDEN, 'utf8').split('\n').slice(0, COUNT)).toEqual(hashes);
  });
});
