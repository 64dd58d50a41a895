import { describe, expect, it } from 'vitest';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { changesBetween, storedStrings } from '#analysis/workbench/changes.ts';
import { declaredPlaces } from '#analysis/workbench/declared-places.ts';
import { EXAMPLES } from '#analysis/workbench/examples.ts';
import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import { typeId } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import { openModel } from '#testing/open-model.ts';
import { rawLines as dumped } from '#testing/raw-lines.ts';
import { blobMarks, marksIn, pointedBytes } from './BlobPane.tsx';
import { pointedStrings, stringAtSelection } from './LinePanes.tsx';
import {
  changeOfLine,
  headParts,
  lineAtByte,
  lineIndexOf,
  litBySelection,
  rawLines,
  selectionOfLine,
  shownComposite,
} from './subject.ts';
import { placeOfType, selectionAtCaret } from './WorkbenchView.tsx';

const TEXT = 'enum e { E_A };\nstruct s {\n\tint a;\n\tstruct s *next;\n};\ntypedef struct s s_t;';

async function compiled(text: string) {
  const { btf, problems, declared } = compileDeclarations(text, 'little');
  expect(problems).toEqual([]);
  const model = await openModel('a.btf', btf);
  const { types } = model;
  if (types === null) throw new Error('no types');
  const id = (kind: string, name: string) => {
    const found = findTypeKey(types, { kind, name, ordinal: 0 });
    if (found === null) throw new Error(`no ${kind} ${name}`);
    return found;
  };
  const places = declaredPlaces(declared);
  return { model, types, id, places, strings: storedStrings(types), lines: rawLines(types) };
}

describe('the lines of the records', () => {
  it.each(EXAMPLES.map(({ id, text }) => [id, text] as const))(
    'are those that bpftool prints, of %s',
    async (_, text) => {
      const { types, lines } = await compiled(text);
      expect(lines.map(({ item, text: line }) => (item === null ? line : `\t${line}`))).toEqual(
        dumped(types),
      );
    },
  );

  it('name their type, their item and their string', async () => {
    const { lines, id, strings } = await compiled(TEXT);
    const at = lineIndexOf(lines, id('struct', 's'), 1);
    expect(lines[at]?.text).toMatch(/^'next' type_id=/);
    expect(strings.find(({ offset }) => offset === lines[at]?.nameOff)?.text).toBe('next');
    expect(lineIndexOf(lines, 99, null)).toBe(-1);
  });

  it('fall into id, kind and the rest', async () => {
    const { lines } = await compiled('int x;');
    expect(lines.map(headParts)[0]).toEqual({
      id: '[1]',
      kind: 'INT',
      rest: "'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED",
    });
  });

  it('are marked by what has changed', async () => {
    const before = await compiled('struct s { int a; };');
    const { types, lines } = await compiled('struct s { int a; int b; }; struct t { int c; };');
    const changes = changesBetween(before.types, types);
    expect(lines.map((line) => `${changeOfLine(line, changes)} ${line.text.slice(0, 8)}`)).toEqual([
      'changed [1] STRU',
      "null 'a' type",
      "new 'b' type",
      'null [2] INT ',
      'new [3] STRU',
      "new 'c' type",
    ]);
    expect(lines.map((line) => changeOfLine(line, null)).every((one) => one === null)).toBe(true);
  });
});

describe('the caret', () => {
  it('selects the declaration that it is in, and the member whose name it is at', async () => {
    const { types, places, id } = await compiled(TEXT);
    const at = (word: string) => selectionAtCaret(types, places, TEXT, TEXT.indexOf(word) + 1);
    expect(at('E_A')).toEqual(typeSelection(id('enum', 'e')));
    expect(at('struct s {')).toEqual(typeSelection(id('struct', 's')));
    expect(at('next')).toEqual(typeSelection(id('struct', 's'), [1]));
    expect(at('s_t')).toEqual(typeSelection(id('typedef', 's_t')));
  });

  it('keeps the selection on a click between declarations', async () => {
    const text = 'struct a { int x; };\n\n\nstruct b { int y; };';
    const { types, places } = await compiled(text);
    expect(selectionAtCaret(types, places, text, 21)).toBeNull();
  });

  it('has a declaration for a type with a name, the one with its members', async () => {
    const text = 'struct s;\nstruct s { int a; };';
    const { types, places, id } = await compiled(text);
    expect(placeOfType(types, places, id('struct', 's'))).toMatchObject({ start: 10, end: 30 });
    expect(placeOfType(types, places, id('int', 'int'))).toBeNull();
  });
});

describe('highlighted parts', () => {
  it('is the same by the record, by a byte of it and by its string', async () => {
    const { model, types, strings, lines, id } = await compiled(TEXT);
    const s = id('struct', 's');
    const selection = typeSelection(s, [1]);
    expect(litBySelection(model, selection)).toEqual({ type: s, item: 1 });
    const bytes = pointedBytes(model, strings, { kind: 'record', type: s, item: 1 });
    if (bytes === null) throw new Error('no bytes');
    expect(bytes.end - bytes.start).toBe(12);
    expect(lineAtByte(model, strings, bytes.start)).toEqual({ kind: 'record', type: s, item: 1 });
    expect(selectionOfLine(types, { type: s, item: 1 })).toEqual(selection);
    const string = strings[stringAtSelection(types, strings, lines, selection) ?? -1];
    expect(string?.text).toBe('next');
    expect(pointedStrings(lines, { kind: 'record', type: s, item: 1 })).toEqual(
      new Set([string?.offset]),
    );
  });

  it('is a string by its bytes, and none in the header', async () => {
    const { model, types, strings, lines } = await compiled(TEXT);
    for (const [i, { start, end, offset }] of strings.entries()) {
      expect(lineAtByte(model, strings, end - 1)).toEqual({ kind: 'string', offset });
      const selection = { kind: 'bytes', start, end } as const;
      expect(stringAtSelection(types, strings, lines, selection)).toBe(i);
    }
    expect(lineAtByte(model, strings, 3)).toBeNull();
    expect(stringAtSelection(types, strings, lines, NO_SELECTION)).toBeNull();
  });

  it('an enumerator selects its enum, since it cannot be selected itself', async () => {
    const { types, id } = await compiled(TEXT);
    const e = id('enum', 'e');
    expect(selectionOfLine(types, { type: e, item: 0 })).toEqual(typeSelection(e));
  });

  it('draws the selected struct, the one behind a typedef, else the first', async () => {
    const { types, id } = await compiled(`struct first { int z; }; ${TEXT}`);
    expect(shownComposite(types, null)).toBe(id('struct', 'first'));
    expect(shownComposite(types, { type: id('typedef', 's_t'), item: null })).toBe(
      id('struct', 's'),
    );
    expect(shownComposite(types, { type: id('int', 'int'), item: null })).toBe(
      id('struct', 'first'),
    );
    const { types: numbers } = await compiled('int x;');
    expect(shownComposite(numbers, { type: typeId(1), item: null })).toBeNull();
  });
});

it('the marks of the blob are its header, every string, and what has changed', async () => {
  const before = await compiled('enum e { A = 1 };');
  const { types, strings } = await compiled('enum e { A = 2 };');
  const marks = blobMarks(types, strings, changesBetween(before.types, types));
  expect(marks.map(({ label }) => label)).toEqual([
    'header',
    'string',
    'string e',
    'string A',
    'changed',
  ]);
  expect(marksIn(marks, 0, 24).map(({ label }) => label)).toEqual(['header']);
  const [changed] = marks.slice(-1);
  expect(types.blob[changed?.start ?? 0]).toBe(2);
});
