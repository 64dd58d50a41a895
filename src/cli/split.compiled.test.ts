/** Split files that gcc and clang write, which commands take from the folder of their file. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareTables, stateCounts } from '#analysis/compare/compare-tables.ts';
import { declarationText, memoryText, typePlace } from '#analysis/dwarf/type-places.ts';
import { compilerOf } from '#model/dwarf.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import type { NodeIo } from './command.ts';
import { Folders } from './confined-io.ts';
import { nodeIo } from './node-io.ts';
import { openObject, openTypes } from './open.ts';

const SOURCES = join(import.meta.dirname, '../../testdata/dwarf');
const top = realpathSync(mkdtempSync(join(tmpdir(), 'btfscope-')));
afterAll(() => rmSync(top, { recursive: true }));

/** Compiles both units to `folder`/NAME, where `options` apply to the units. */
function build(folder: string, compiler: string, options: readonly string[], name: string): void {
  const objects = ['first', 'second'].map((unit) => {
    const object = join(name === 'prog' ? 'obj' : '.', `${unit}.o`);
    const words = ['-g', '-w', '-O2', '-fPIC', ...options, '-c', join(SOURCES, `${unit}.c`)];
    execFileSync(compiler, [...words, '-o', object], { cwd: folder });
    return object;
  });
  execFileSync(compiler, ['-shared', '-nostdlib', ...objects, '-o', name], { cwd: folder });
}

/** Returns a new folder with `whole`, and with `prog` and its split files in `obj`. */
function built(compiler: string, ...options: readonly string[]): string {
  const folder = mkdtempSync(join(top, 'in-'));
  mkdirSync(join(folder, 'obj'));
  build(folder, compiler, options, 'whole');
  build(folder, compiler, ['-gsplit-dwarf', ...options], 'prog');
  return folder;
}

async function open(path: string, io: NodeIo = nodeIo): Promise<ObjectModel> {
  return (await openObject(io, path)).model;
}

function typesOf({ types }: ObjectModel): TypeTable {
  if (types === null) throw new Error('no types');
  return types;
}

/** Returns kind, name, declaration and address of each type, sorted. */
function placesOf(model: ObjectModel): readonly string[] {
  const t = typesOf(model);
  const lines: string[] = [];
  for (let id = t.firstId; id <= lastId(t); id++) {
    const place = typePlace(model, typeId(id));
    const memory = place?.memory == null ? '' : memoryText(model, place.memory);
    const declared = place === null ? '' : declarationText(place);
    const { source = '' } = place ?? {};
    lines.push([kindOf(t, typeId(id)), nameOf(t, typeId(id)), declared, memory, source].join(' '));
  }
  return lines.toSorted();
}

function differencesOf(a: ObjectModel, b: ObjectModel): readonly number[] {
  const work = compareTables(typesOf(a), typesOf(b));
  let step = work.next();
  while (!step.done) step = work.next();
  return stateCounts(step.value);
}

const faults = ({ issues }: ObjectModel) =>
  issues.filter(({ severity }) => severity !== 'note').map(({ message }) => message);

async function expectWhole(folder: string): Promise<void> {
  const whole = await open(join(folder, 'whole'));
  const split = await open(join(folder, 'prog'));
  expect(faults(split)).toEqual([]);
  expect(differencesOf(whole, split)).toEqual([0, 0, 0, 0]);
  expect(placesOf(split)).toEqual(placesOf(whole));
  expect(placesOf(split)).toContainEqual(
    expect.stringMatching(/^14 counter .*first\.c:9 0x.* in /),
  );
  expect(placesOf(split)).toContainEqual(
    expect.stringMatching(/^12 second .*\.c:\d+ 0x.*\.text C/),
  );
  expect(split.dwarf && compilerOf(split.dwarf)).toBe(whole.dwarf && compilerOf(whole.dwarf));
  expect(split.dwarf?.languages).toEqual(whole.dwarf?.languages);
}

describe.each([
  ['gcc', '-gdwarf-4'],
  ['gcc', '-gdwarf-5'],
  ['clang-19', '-gdwarf-4'],
  ['clang-19', '-gdwarf-5'],
  ['gcc', '-gdwarf-5', '-fdebug-types-section'],
  ['clang-19', '-gdwarf-4', '-fdebug-types-section'],
  ['clang-19', '-gdwarf-5', '-ffunction-sections'],
])('%s %s %s', (compiler, ...options) => {
  let folder = '';
  beforeAll(() => {
    folder = built(compiler, ...options.filter((option) => option !== undefined));
  });

  it('has the types of the split files where they were compiled', () => expectWhole(folder));

  it('has those of the package', async () => {
    execFileSync('llvm-dwp-19', ['-e', 'prog', '-o', 'prog.dwp'], { cwd: folder });
    renameSync(join(folder, 'obj'), join(folder, 'gone'));
    await expectWhole(folder);
  });
});

it('has addresses where skeleton and split unit are in one file', async () => {
  const folder = mkdtempSync(join(top, 'in-'));
  const options = ['-gsplit-dwarf=single', '-gdwarf-5'];
  build(folder, 'clang-19', options, 'linked');
  const object = await open(join(folder, 'first.o'));
  expect(faults(object)).toEqual([]);
  expect(placesOf(object)).toContainEqual(expect.stringMatching(/^14 counter .* \.data\+0x0 C$/));
  // The split units of a linked file are in its objects.
  const linked = await open(join(folder, 'linked'));
  expect(faults(linked)).toEqual([]);
  expect(placesOf(linked)).toContainEqual(expect.stringMatching(/^12 second .* 0x.* in \.text C$/));
});

describe('which files are read', () => {
  let folder = '';
  const prog = () => join(folder, 'prog');
  const dwo = (unit: string) => join(folder, 'obj', `${unit}.dwo`);
  beforeAll(() => {
    folder = built('clang-19', '-gdwarf-5');
  });

  it('not a file of another build', async () => {
    const other = built('clang-19', '-gdwarf-4');
    copyFileSync(join(other, 'obj/first.dwo'), dwo('first'));
    const model = await open(prog());
    expect(faults(model)).toEqual([
      'first.dwo is not a split file of this file',
      'The types of 1 unit are in other files, as obj/first.dwo',
    ]);
    expect(model.issues.find(({ code }) => code === 'dwarf.split-id')).toMatchObject({
      expected: expect.stringMatching(/^a unit with the id 0x/),
    });
    const warnings: string[] = [];
    const io = { ...nodeIo, warn: (line: string) => warnings.push(line) };
    await openTypes(io, prog(), null);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^btfscope: warning: first\.dwo is not a split file of this file: expected a unit with the id 0x[\da-f]+, found 0x[\da-f]+$/,
      ),
      'btfscope: warning: The types of 1 unit are in other files, as obj/first.dwo',
    ]);
    // The units that are there are shown.
    expect(placesOf(model).some((place) => place.startsWith('12 second '))).toBe(true);
  });

  it('not one that a link leads to outside of the folder', async () => {
    const outside = join(top, 'outside.dwo');
    renameSync(dwo('second'), outside);
    symlinkSync(outside, dwo('second'));
    rmSync(dwo('first'));
    const read: string[] = [];
    const io = {
      ...nodeIo,
      open: (path: string) => {
        read.push(path);
        return nodeIo.open(path);
      },
    };
    expect(faults(await open(prog(), io))).toEqual([
      'The types of 2 units are in other files, as obj/first.dwo',
    ]);
    expect(read).toEqual([prog()]);
    // A link inside of the folder is followed.
    rmSync(dwo('second'));
    renameSync(outside, join(folder, 'inside'));
    symlinkSync('../inside', dwo('second'));
    expect(faults(await open(prog(), io))).toContain(
      'The types of 1 unit are in other files, as obj/first.dwo',
    );
  });

  it('each once, however many names lead to it by links', async () => {
    const links = mkdtempSync(join(top, 'in-'));
    copyFileSync(prog(), join(links, 'prog'));
    copyFileSync(prog(), join(links, 'no-split-file'));
    mkdirSync(join(links, 'obj'));
    for (const unit of ['first', 'second']) {
      symlinkSync('../no-split-file', join(links, 'obj', `${unit}.dwo`));
    }
    const read: string[] = [];
    const io = {
      ...nodeIo,
      open: (path: string) => {
        read.push(path);
        return nodeIo.open(path);
      },
    };
    expect(faults(await open(join(links, 'prog'), io))).toHaveLength(1);
    expect(read).toEqual([join(links, 'prog'), join(links, 'no-split-file')]);
  });

  it('no pipe, and none above the folder', async () => {
    rmSync(dwo('second'));
    execFileSync('mkfifo', [dwo('second')]);
    expect(nodeIo.beside(prog(), 'obj/second.dwo')).toBeNull();
    expect(nodeIo.beside(prog(), '../outside.dwo')).toBeNull();
    expect(nodeIo.beside(prog(), 'obj')).toBeNull();
    expect(nodeIo.beside(prog(), 'whole')).toBe(join(folder, 'whole'));
    expect(faults(await open(prog()))).toHaveLength(1);
  });

  it('no file outside of the folders of a server', () => {
    const { io } = new Folders(nodeIo, [join(folder, 'obj')]).request(new Map());
    expect(io.beside(prog(), 'whole')).toBeNull();
    expect(io.beside(join(folder, 'obj/first.o'), 'second.o')).toBe(join(folder, 'obj/second.o'));
    expect(io.beside(join(folder, 'obj/first.o'), '../whole')).toBeNull();
  });
});
