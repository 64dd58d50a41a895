/**
 * Tests every exported text with hostile names. Texts in the format of a tool (bpftool's C, raw and
 * JSON, pahole's) have names exactly as the tool writes them: people compare the texts. In all
 * other texts, a name is unchanged or the result of `visible`, and no part of it acts as syntax.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { compareTables } from '#analysis/compare/compare-tables.ts';
import { layoutGraph, type Scene, sceneOf } from '#analysis/graph/scene.ts';
import { decodeValue } from '#analysis/values/decode.ts';
import { visible } from '#bytes/text.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { goDeclaration, rustDeclaration, zigDeclaration } from '#print/declarations/languages.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int } from '#testing/btf-types.ts';
import { forNames, PLAIN, tableWith, textOf } from '#testing/for-hostile-names.ts';
import { HOSTILE_NAMES, type HostileName, hostileIds, LONG_NAME } from '#testing/hostile-names.ts';
import {
  readCsv,
  readDotRecords,
  readMarkdownLine,
  readTableRow,
  readXml,
} from '#testing/hostile-readers.ts';
import { tableOf } from '#testing/type-table.ts';
import { writeJson, writeRaw } from './btf-dump.ts';
import { type ByteText, gathered } from './byte-text.ts';
import { cDeclaration } from './c-dump/c-declaration.ts';
import { writeC } from './c-dump/dump.ts';
import { selfContainedHeader } from './c-dump/header.ts';
import { comparisonCsv, comparisonJson, comparisonMarkdown, comparisonText } from './comparison.ts';
import { csvCell } from './core-matrix.ts';
import { graphDot, graphMermaid } from './graph-dot.ts';
import { graphSvg } from './graph-svg.ts';
import { writePahole } from './pahole/pahole.ts';
import { valueJson } from './value-json.ts';

const IDS = hostileIds(0);
/** Ids of all types of a blob in which one name is hostile. */
const ALL = Array.from({ length: IDS.last }, (_, i) => typeId(i + 1));

function dumped(write: (t: TypeTable, out: ByteText) => Iterable<unknown>, t: TypeTable) {
  return gathered((out) => {
    for (const _ of write(t, out));
  });
}

/** Writes types in the order of ids: the struct comes first, so it keeps its name. */
const idOrder = (t: TypeTable, out: ByteText) => writeC(t, out, { unsorted: true });

function has(text: Uint8Array, part: Uint8Array): boolean {
  return Buffer.from(text).includes(Buffer.from(part));
}

describe('the texts of the field’s tools have the bytes of the name: equality wins', () => {
  forNames((name) => {
    const t = tableWith(name);
    const quoted = Buffer.concat([Buffer.from("'"), name.bytes, Buffer.from("' size=16 vlen=2")]);
    expect(has(dumped(writeRaw, t), Buffer.concat([Buffer.from('[3] STRUCT '), quoted]))).toBe(
      true,
    );
    const tag = Buffer.concat([Buffer.from('struct '), name.bytes, Buffer.from(' {')]);
    expect(has(dumped(idOrder, t), tag)).toBe(true);
    expect(has(dumped(writePahole, t), tag)).toBe(true);
    expect(cDeclaration(t, typeId(IDS.struct))).toContain(`struct ${textOf(name)} {`);
  });
});

describe('bpftool’s JSON', () => {
  /** Bytes that bpftool escapes. Other bytes below 0x20 stay, although JSON does not allow them. */
  const ESCAPED = new Set([8, 9, 10, 12, 13]);
  const isBeyondIt = ({ bytes }: HostileName) =>
    bytes.some((byte) => byte < 0x20 && !ESCAPED.has(byte));

  forNames((name) => {
    const text = new TextDecoder().decode(dumped(writeJson, tableWith(name)));
    // The text must equal bpftool's, even if bpftool's is invalid JSON.
    if (isBeyondIt(name)) {
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
      return;
    }
    const spelled = new TextDecoder('utf-8', { ignoreBOM: true }).decode(name.bytes);
    const { types } = JSON.parse(text);
    expect(types[IDS.struct - 1]).toMatchObject({
      name: spelled,
      members: [{ name: spelled }, {}],
    });
    expect(types).toHaveLength(ALL.length);
  });
});

describe('comments that are ours', () => {
  forNames((name) => {
    const t = tableWith(name);
    const [tag, section] = [IDS.first + 10, IDS.first + 12].map((id) =>
      cDeclaration(t, typeId(id)),
    );
    // The text is one comment, which the name does not end.
    expect(tag).toMatch(/^\/\*(?:(?!\*\/)[^\n])*\*\/$/u);
    expect(section?.split('\n')[0]).toMatch(/^\/\*(?:(?!\*\/).)*: 8 bytes \*\/$/u);
  });
});

describe('the guard of a header', () => {
  forNames((name) => {
    const [first, second] = selfContainedHeader(tableWith(name), typeId(IDS.struct)).split('\n');
    expect(first).toMatch(/^#ifndef \w+$/);
    expect(second).toBe(first?.replace('ifndef', 'define'));
  });
});

describe('Zig, Rust and Go', () => {
  const printable = /^[\t\n -~]*$/;
  /** Removes comments, which contain the result of `visible`, and quoted names of Zig. */
  const code = (text: string) => text.replaceAll(/@"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*/g, '');

  forNames((name) => {
    const t = tableWith(name);
    const plain = tableWith(PLAIN);
    for (const write of [zigDeclaration, rustDeclaration, goDeclaration]) {
      for (const id of ALL) {
        const text = write(t, id);
        expect(text.replaceAll('\n', '').replaceAll('\t', '')).toBe(
          visible(text.replaceAll('\n', '').replaceAll('\t', '')),
        );
        expect(code(text)).toMatch(printable);
        // A hostile name gives the same lines, brackets and statements as a plain one.
        expect(shapeOf(code(text))).toBe(shapeOf(code(write(plain, id))));
      }
    }
  });
});

/** Returns only the line ends, brackets, quotes and semicolons of a text. */
const shapeOf = (text: string) => text.replaceAll(/[^\n{}()[\];"'`]/g, '');

const CLANG = 'clang-19';
const hasClang = spawnSync(CLANG, ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'hostile-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the compiler's errors: one line for each text that it rejects. */
function compilerErrors(headers: readonly string[]): string[] {
  const names = headers.map((text, i) => {
    writeFileSync(join(folder, `${i}.c`), text);
    return `${i}.c`;
  });
  const args = ['-target', 'bpf', '-std=gnu11', '-trigraphs', '-fsyntax-only', '-w', ...names];
  const { stderr } = spawnSync(CLANG, args, { cwd: folder, maxBuffer: 1 << 26 });
  return `${stderr}`.split('\n').filter((line) => line.includes('error'));
}

describe('a header that compiles alone', () => {
  const DEFINED = [IDS.struct, IDS.enumeration, IDS.enum64, IDS.union, IDS.typedef, IDS.holder];
  /** Removes comments and the contents of strings. */
  const code = (text: string) => {
    return text
      .replaceAll(/\/\* [^\n*]* \*\/\n\n/g, '')
      .replaceAll(/"(?:[^"\\\n]|\\["\\?])*"/g, '""');
  };

  forNames((name) => {
    const [t, plain] = [tableWith(name), tableWith(PLAIN)];
    for (const id of DEFINED) {
      for (const options of [{}, { preserveAccessIndex: true, members: [textOf(name)] }]) {
        const text = selfContainedHeader(t, typeId(id), options);
        expect(text.replaceAll(/[\n\t]/g, '')).toBe(visible(text.replaceAll(/[\n\t]/g, '')));
        expect(code(text)).toMatch(/^[\t\n\p{L}\p{M}\p{N}_#(){}[\];:,=*"/ .-]*$/u);
        const members = options.members === undefined ? null : ['plain'];
        const theirs = selfContainedHeader(plain, typeId(id), { ...options, members });
        expect(shapeOf(code(text))).toBe(shapeOf(code(theirs)));
      }
    }
  });

  const isIdentifier = (name: HostileName) => /^[A-Za-z_]\w*$/.test(textOf(name));

  it('leaves a name that is one as it is', () => {
    for (const good of ['plain', '__proto__', 'gr\u00f6\u00dfe']) {
      const name = { what: good, bytes: new TextEncoder().encode(good) };
      const text = selfContainedHeader(tableWith(name), typeId(IDS.struct));
      expect(text).toContain(`struct ${good} {\n\tint ${good};\n`);
      expect(text).not.toContain('cannot spell');
    }
  });

  it('reports the names that it spells differently', () => {
    const name = { what: 'a number', bytes: new TextEncoder().encode('0x1 8') };
    const text = selfContainedHeader(tableWith(name), typeId(IDS.struct));
    expect(text).toContain('struct _0x1_x208 {\n\tint _0x1_x208;\n');
    expect(text).toContain('/* 2 names that C cannot spell are written in another form */');
  });

  it.skipIf(!hasClang)(
    'clang takes every one of them',
    () => {
      const tables = HOSTILE_NAMES.map((name) => [name, tableWith(name)] as const);
      // Each text is for one type, since types have different names.
      const texts = DEFINED.map((id) => {
        // Skip an INT whose name is an identifier: the header expects that the compiler has it.
        const accepted = tables.filter(([name]) => id !== IDS.holder || !isIdentifier(name));
        return accepted
          .map(([, t], i) => selfContainedHeader(t, typeId(id), { guard: `H${i}` }))
          .join('');
      });
      expect(compilerErrors(texts)).toEqual([]);
    },
    60_000,
  );
});

describe('values as JSON', () => {
  forNames((name) => {
    const t = tableWith(name);
    const value = decodeValue(t, typeId(IDS.first + 6), new Uint8Array(8));
    for (const isPretty of [true, false]) {
      const read = JSON.parse(valueJson(value, { isPlain: true, limit: 100 }, isPretty));
      expect(Object.keys(read)).toEqual([textOf(name)]);
    }
  });
});

describe('the graph', () => {
  const COLOURS = {
    ...{ ground: 'white', box: 'white', border: 'grey', text: 'black', dim: 'grey' },
    ...{ chip: 'silver', edge: 'grey', back: 'purple', lit: 'blue' },
    tone: () => ({ text: 'green', ground: 'white' }),
  };
  const sceneWith = (name: HostileName): Scene => {
    const t = tableWith(name);
    const options = { selected: IDS.struct, depth: 2, open: '', hide: null, path: [], forced: [] };
    return sceneOf(t, layoutGraph(t, options));
  };
  const shown = (name: HostileName) => visible(`struct ${textOf(name)}`);
  /** Titles of more than 150 characters are cut. */
  const isCut = (name: HostileName) => textOf(name).length > 150;

  describe('as DOT', () => {
    forNames((name) => {
      const scene = sceneWith(name);
      const records = readDotRecords(graphDot(scene));
      expect(records).toHaveLength(scene.boxCount);
      const { text } = scene.box(0);
      expect(records[0]?.[0]).toBe(`${text.name} (16)`);
      expect(records[0]).toHaveLength(1 + text.rows.length);
      if (!isCut(name)) expect(shown(name)).toContain(text.name);
    });
  });

  describe('as SVG', () => {
    forNames((name) => {
      const scene = sceneWith(name);
      const face = ({ linkedRows }: ReturnType<Scene['box']>) => {
        return { letter: 'S', size: '16', button: '', linkedRows };
      };
      const title = `Types around ${visible(textOf(name))}`;
      const elements = readXml(graphSvg(scene, face, COLOURS, title));
      const tags = new Set(elements.map(({ tag }) => tag));
      expect([...tags].sort()).toEqual(['g', 'path', 'rect', 'svg', 'text', 'title']);
      expect(elements[1]).toEqual({ tag: 'title', text: title });
    });
  });

  describe('as Mermaid', () => {
    forNames((name) => {
      const [kind, direction, ...lines] = graphMermaid(sceneWith(name)).trimEnd().split('\n');
      expect([kind, direction]).toEqual(['classDiagram', '  direction LR']);
      for (const line of lines) {
        expect(line).toMatch(
          /^ {2}(class n\d+\["[\p{L}\p{N}_ .,\-…#;]*"\]|n\d+( (\.\.>|-->) n\d+)?( : [\p{L}\p{N}_ .,\-…#;]*)?)$/u,
        );
      }
    });
  });
});

describe('a comparison', () => {
  const EMPTY = tableOf(btfBlob({ types: [int('int', 4)] }).bytes);
  const comparedWith = (name: HostileName) => {
    const tables = { a: EMPTY, b: tableWith(name) };
    const work = compareTables(tables.a, tables.b);
    let step = work.next();
    while (!step.done) step = work.next();
    return { whole: step.value, tables, before: textOf(name), after: 'b.btf' };
  };

  describe('as CSV', () => {
    forNames((name) => {
      const rows = readCsv([...comparisonCsv(comparedWith(name))].join(''));
      expect(new Set(rows.map((row) => row.length))).toEqual(new Set([15]));
      const names = rows.slice(1).map((row) => row[2] ?? '');
      for (const cell of names) expect(cell).not.toMatch(/(^|;)\s*[=+@\uff1d\uff0b\uff0d\uff20]/u);
      for (const cell of names) expect(cell).not.toMatch(/^-(?!\d+$)/);
      // Without the apostrophe, each cell is the name.
      const unmarked = names.map((cell) => cell.replaceAll(/(^|;)'/g, '$1'));
      expect(unmarked).toContain(visible(textOf(name)).replaceAll(/(^|;)'/g, '$1'));
    });
  });

  describe('as JSON', () => {
    forNames((name) => {
      const read = JSON.parse(comparisonJson(comparedWith(name)));
      expect(read.before).toBe(textOf(name));
      expect(read.types.map((type: { name: string }) => type.name)).toContain(textOf(name));
    });
  });

  describe('as Markdown', () => {
    const PROSE = [
      /^(added|removed|changed|inside)$/,
      /^(struct|union|enum|enum64|fwd|typedef|float|int|func|var|datasec|type_tag|decl_tag) ?$/,
      /^(\d+ bytes)?$/,
      /^(\d+ [a-z]+(, )?|because of )*$/,
    ];

    forNames((name) => {
      const text = [...comparisonMarkdown(comparedWith(name))].join('');
      const [heading, , , , head, rule, ...rows] = text.trimEnd().split('\n');
      expect(readMarkdownLine(heading ?? '')).toEqual({
        prose: ' → ',
        code: [visible(textOf(name)).replaceAll('|', '\\x7c'), 'b.btf'],
      });
      expect(readTableRow(head ?? '')).toHaveLength(4);
      expect(rule).toBe('| --- | --- | --- | --- |');
      for (const row of rows) {
        const cells = readTableRow(row).map(readMarkdownLine);
        expect(cells).toHaveLength(4);
        for (const [i, { prose }] of cells.entries()) expect(prose).toMatch(PROSE[i] ?? /^$/);
      }
    });
  });

  describe('as lines', () => {
    forNames((name) => {
      for (const line of comparisonText(comparedWith(name))) expect(line).toBe(visible(line));
    });
  });
});

describe('a cell of CSV', () => {
  it('leaves whole numbers to be numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 64n), max: 1n << 64n }), (value) => {
        expect(csvCell(`${value}`)).toBe(`${value}`);
      }),
    );
  });
});

/** Time limit for all names: a busy machine meets it, a tenfold slowdown does not. */
const SOON_MS = 20_000;

it(
  'writes a name of a megabyte in every text, and soon',
  () => {
    const t = tableWith(LONG_NAME);
    const id = typeId(IDS.struct);
    for (const write of [writeRaw, writeC, writeJson]) {
      expect(dumped(write, t).length).toBeGreaterThan(LONG_NAME.bytes.length);
    }
    for (const write of [cDeclaration, zigDeclaration, rustDeclaration, goDeclaration]) {
      expect(write(t, id).length).toBeGreaterThan(LONG_NAME.bytes.length);
    }
    expect(selfContainedHeader(t, id).length).toBeGreaterThan(LONG_NAME.bytes.length);
    const value = decodeValue(t, id, new Uint8Array(16));
    expect(valueJson(value, { isPlain: true, limit: 100 }).length).toBeGreaterThan(1000);
    expect(csvCell(textOf(LONG_NAME))).toHaveLength(LONG_NAME.bytes.length);
  },
  SOON_MS,
);
