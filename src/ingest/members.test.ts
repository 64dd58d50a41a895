/** Tests files that contain files: archives, skeletons, and programs with BPF objects. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { findBpfObjects } from '#formats/containers/bpf-objects.ts';
import { decodeLiteral, decodeNumbers, readSkeleton } from '#formats/containers/skeleton.ts';
import { cpioFile, rpmFile, tarFile, zipFile } from '#testing/archives.ts';
import { elfObject } from '#testing/elf-object.ts';
import { memberContents, membersOf } from '#testing/member-contents.ts';
import { runs } from '#testing/runs.ts';
import { sampleBytes } from '#testing/samples.ts';
import { ingest, ingestBytes } from './ingest.ts';
import { memberSource } from './members.ts';

const OBJECT = sampleBytes('doc_call.bpf.o');
const BTF = sampleBytes('module.btf');
const KINDS = sampleBytes('kinds.btf');

/** Returns an archive that `scripts/testdata/archives.mjs` wrote. */
const made = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../testdata/archives/${name}`, import.meta.url)));

const ascii = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

describe('archives of the tools', () => {
  it.each(['gnu.tar', 'pax.tar', 'ustar.tar', 'v7.tar', 'deflated.zip', 'stored.zip'])(
    '%s',
    async (name) => {
      const found = await memberContents(made(name));
      expect(found.slice(0, 2)).toEqual([
        { name: 'lib/doc_call.bpf.o', kind: 'BPF object', bytes: OBJECT },
        { name: 'lib/module.btf', kind: 'BTF', bytes: BTF },
      ]);
      const rest = found.slice(2).map((member) => [member.name.length, member.kind]);
      expect(rest).toEqual(name === 'v7.tar' ? [] : [[137, 'other']]);
    },
  );

  it('package.deb: an archive in a compressed archive in an archive', async () => {
    const outer = await memberContents(made('package.deb'));
    expect(outer.map(({ name, kind }) => [name, kind])).toEqual([
      ['control.tar.xz', 'archive'],
      ['data.tar.xz', 'archive'],
      ['debian-binary', 'other'],
    ]);
    const found = await memberContents(outer[1]?.bytes ?? new Uint8Array(0));
    expect(found).toEqual([{ name: './lib/doc_call.bpf.o', kind: 'BPF object', bytes: OBJECT }]);
  });

  it('module.btf.tar.xz: the format of BTFHub', async () => {
    const found = await memberContents(made('module.btf.tar.xz'));
    expect(found).toEqual([{ name: 'lib/module.btf', kind: 'BTF', bytes: BTF }]);
  });

  it('an RPM package, its payload compressed or not', async () => {
    const payload = cpioFile({ './lib/x.bpf.o': OBJECT });
    const wanted = [{ name: './lib/x.bpf.o', kind: 'BPF object', bytes: OBJECT }];
    expect(await memberContents(rpmFile(payload))).toEqual(wanted);
    expect(await memberContents(rpmFile(gzipSync(payload)))).toEqual(wanted);
  });

  it('reports damage inside a compressed archive and lists the rest', async () => {
    const packed = gzipSync(tarFile({ 'a.btf': BTF, 'b.bpf.o': OBJECT }), { level: 0 });
    const opened = await ingestBytes('cut.tar.gz', new Uint8Array(packed.subarray(0, 1600)));
    if (opened.kind !== 'archive') throw new Error('no archive');
    expect(opened.members.map(({ name }) => name)).toEqual(['b.bpf.o', 'a.btf']);
    expect(opened.issues.map(({ code }) => code)).toEqual([
      'container.truncated',
      'tar.member-past-end',
    ]);
  });
});

describe('BPF objects in a program', () => {
  it('are named after their symbol', async () => {
    const found = await memberContents(made('symbols.o'));
    expect(found).toEqual([
      { name: '_binary_doc_call_bpf_o_start', kind: 'BPF object', bytes: OBJECT },
    ]);
  });

  it('are named after their section and offset without a symbol', async () => {
    const bytes = made('program.o');
    const [first, second] = [0, 1].map((n) => nth(bytes, OBJECT, n).toString(16));
    expect(await memberContents(bytes)).toEqual([
      { name: `.rodata@0x${first}`, kind: 'BPF object', bytes: OBJECT },
      { name: `.rodata@0x${second}`, kind: 'BPF object', bytes: OBJECT },
    ]);
  });

  it('have their offset appended to a duplicate name', async () => {
    const data = joined(OBJECT, OBJECT);
    const program = elfObject({
      header: { machine: 62 },
      sections: [{ name: '.data', flags: 3, data }],
      symbols: [{ name: 'both', size: data.length, type: 1, shndx: '.data' }],
    });
    const second = program.sectionOffset('.data') + OBJECT.length;
    expect((await memberContents(program.bytes)).map(({ name }) => name)).toEqual([
      'both',
      `both@0x${second.toString(16)}`,
    ]);
  });

  it('are found in files of an unknown type, in both byte orders', async () => {
    const big = sampleBytes('doc_call.be.bpf.o');
    const bytes = joined(ascii('MZ\x90\0'), new Uint8Array(60), OBJECT, ascii('\x7fELF'), big);
    const second = 64 + OBJECT.length + 4;
    expect(await memberContents(bytes)).toEqual([
      { name: 'bpf@0x40', kind: 'BPF object', bytes: OBJECT },
      { name: `bpf@0x${second.toString(16)}`, kind: 'BPF object', bytes: big },
    ]);
  });

  it('are refused after a byte order mark, with that reason', async () => {
    await expect(ingestBytes('a.o', joined(ascii('\xef\xbb\xbf'), OBJECT))).rejects.toMatchObject({
      issue: { code: 'file.unknown', found: 'ELF behind a byte order mark' },
    });
  });

  it('are found across the windows of the search', async () => {
    for (const before of [1, 40, 63, 64, 65]) {
      const at = (1 << 20) - before;
      const bytes = joined(new Uint8Array(at), OBJECT);
      const { spans } = await findBpfObjects(bufferSource('a', bytes));
      expect(spans).toEqual([{ start: at, end: at + OBJECT.length }]);
    }
  });

  it('are not searched in a BPF object', async () => {
    const outer = elfObject({ sections: [{ name: '.data', data: OBJECT }] }).bytes;
    expect(await memberContents(outer)).toEqual([]);
  });

  it('are cut at the end of the file, with an issue', async () => {
    // Moves the section headers before the last section.
    const bytes = OBJECT.slice();
    const view = new DataView(bytes.buffer);
    const shoff = Number(view.getBigUint64(40, true));
    view.setBigUint64(shoff + 64 + 32, 1n << 60n, true);
    const { spans, issues } = await findBpfObjects(bufferSource('a', joined(ascii('xx'), bytes)));
    expect(spans).toEqual([{ start: 2, end: bytes.length + 2 }]);
    expect(issues).toMatchObject([{ code: 'embedded.past-end', found: `${bytes.length} bytes` }]);
  });

  it('take linear time for any headers', async () => {
    // Each header declares as many section headers as possible. The first of them is invalid.
    const header = OBJECT.slice(0, 64);
    const view = new DataView(header.buffer);
    view.setBigUint64(40, 64n, true);
    view.setUint16(60, 0xffff, true);
    const bytes = joined(...Array.from({ length: 100_000 }, () => header));
    let read = 0;
    const inner = bufferSource('a', bytes);
    const source = {
      ...inner,
      read: (start: number, end: number) => {
        read += Math.min(end, bytes.length) - start;
        return inner.read(start, end);
      },
    };
    const { spans, issues } = await findBpfObjects(source);
    expect(spans).toEqual([]);
    expect(issues).toMatchObject([{ code: 'embedded.limit' }]);
    expect(read).toBeLessThan(5 * bytes.length);
  });

  it('stop with the signal', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    const source = bufferSource('a', joined(new Uint8Array(100), OBJECT));
    await expect(ingest(source, { signal })).rejects.toThrow('stopped');
  });
});

describe('skeletons', () => {
  it('contain their object', async () => {
    const [skeleton, ...none] = await memberContents(made('externs.skel.h'));
    expect(skeleton).toEqual({
      name: 'externs',
      kind: 'BPF object',
      bytes: sampleBytes('externs.bpf.o'),
    });
    expect(none).toEqual([]);
  });

  it('contain BTF and a loader program, if they are light', async () => {
    const opened = await ingestBytes('externs.lskel.h', made('externs.lskel.h'));
    if (opened.kind !== 'archive') throw new Error('no archive');
    expect(opened.members).toMatchObject([{ name: 'externs.btf', kind: 'BTF' }]);
    expect(opened.issues).toMatchObject([
      {
        severity: 'note',
        code: 'skeleton.loader',
        message: expect.stringContaining('516 instruction slots'),
      },
    ]);
    const [member] = opened.members;
    if (member === undefined) throw new Error('no member');
    const read = await ingest(await memberSource(opened.source, member));
    expect(read).toMatchObject({ kind: 'object', model: { format: 'btf' } });
  });

  /** Returns the object as C text. Lines have `perLine` escapes and are separated by `between`. */
  function cText(bytes: Uint8Array, perLine: number, between: string): string {
    const escapes = Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
    const lines: string[] = [];
    for (let at = 0; at < escapes.length; at += perLine) {
      lines.push(escapes.slice(at, at + perLine).join(''));
    }
    return `"${lines.join(between)}"`;
  }

  it.each([
    ['a variable', `static const char data[] __attribute__((__aligned__(8))) = "\\\n`, '\\\n'],
    [
      'lines of Windows',
      `static const char data[] __attribute__((__aligned__(8))) = "\\\r\n`,
      '\\\r\n',
    ],
    ['literals one behind the other', 'char data[] = "', '"\n\t"'],
  ])('may be %s', async (_what, before, between) => {
    const literal = cText(OBJECT, 16, between).slice(1);
    const text = `/* "\\x7f" */ // '"'\nchar c = '"';\n${before}${literal};\n`;
    expect(await memberContents(ascii(text))).toEqual([
      { name: 'data', kind: 'BPF object', bytes: OBJECT },
    ]);
  });

  it.each([
    ['xxd -i', (byte: number) => `0x${byte.toString(16).padStart(2, '0')}`],
    ['od', (byte: number) => `0${byte.toString(8)}`],
    ['decimal numbers', (byte: number) => `${byte}`],
  ])('are arrays of numbers, too: %s', async (_what, write) => {
    const lines: string[] = [];
    for (let at = 0; at < OBJECT.length; at += 12) {
      lines.push(`  ${Array.from(OBJECT.subarray(at, at + 12), write).join(', ')}`);
    }
    const size = `unsigned int a_o_len = ${OBJECT.length};`;
    const text = `int x[] = { 1, 2 };\nunsigned char a_o[] = {\n${lines.join(',\n')}\n};\n${size}\n`;
    expect(await memberContents(ascii(text))).toEqual([
      { name: 'a_o', kind: 'BPF object', bytes: OBJECT },
    ]);
  });

  it.each([
    ['{0x7F, 0377,\n 9,}', [0x7f, 255, 9]],
    ['{ 1, 256, 2 }', [1]],
    ['{1 2, 3}', [1]],
    ['{0x123}', []],
    ['{08}', []],
    ['{0', [0]],
    ['{1,', [1]],
  ])('%j is decoded as numbers of C', (text, bytes) => {
    expect([...decodeNumbers(ascii(text), 0)]).toEqual(bytes);
  });

  it('may have names of older light skeletons', () => {
    const blob = cText(joined(new Uint8Array(8), KINDS), 20, '\\\n');
    const text = `x__load(void)\n{\n opts.data = (void *)${blob};\n opts.insns = (void *)"${'\\0'.repeat(32)}"; }`;
    const { members, issues } = readSkeleton(ascii(text));
    expect(members).toMatchObject([{ name: 'x.btf', size: KINDS.length, packing: { skip: 8 } }]);
    expect(issues).toMatchObject([{ message: expect.stringContaining('4 instruction slots') }]);
  });

  it.each([
    ['"\\x7f\\0\\18\\101\\n\\q\\"\\\\"', [0x7f, 0, 1, 0x38, 0x41, 10, 0x71, 0x22, 0x5c]],
    ['"a\\\nb" \n "c" x', [0x61, 0x62, 0x63]],
    ['"\\x17f"', [0x7f]],
    ['"no end', [...ascii('no end')]],
    ['"\\x', [0x78]],
    ['"\\', [0]],
  ])('%j is decoded as C', (text, bytes) => {
    expect([...decodeLiteral(ascii(text), 0)]).toEqual(bytes);
  });

  it('are not detected in other C text', async () => {
    const text = ascii('#include <a.h>\nchar *s = "long enough to be looked at as an object";\n');
    await expect(ingestBytes('a.h', text)).rejects.toMatchObject({
      issue: { code: 'file.unknown' },
    });
  });

  it('take linear time for unterminated text', () => {
    for (const part of ['/*', '"', "'", '\\', '"\\\n', '//', 'a.', '" "', '{0,', '{ ', '{1 ']) {
      const text = ascii(part.repeat(200_000));
      const began = performance.now();
      readSkeleton(text);
      expect(performance.now() - began, part).toBeLessThan(3000);
    }
  });

  it('terminate on any text', () => {
    const pieces = fc.constantFrom(
      '"',
      '\\',
      '\n',
      'x7f',
      'ELF',
      '0',
      '/*',
      '*/',
      "'",
      'opts.data',
      '{',
      '0x7f,',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = ascii(parts.join(''));
        for (const { size } of readSkeleton(text).members) expect(size).toBeLessThan(text.length);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('any change of an archive', () => {
  const samples = [
    rpmFile(gzipSync(cpioFile({ 'x.o': OBJECT }))),
    zipFile({ 'x.o': OBJECT, 'y.btf': BTF }),
    made('program.o'),
    made('externs.lskel.h').subarray(0, 20_000),
    gzipSync(tarFile({ 'x.o': OBJECT })),
  ];

  it('is opened, reported, or refused by Malformed', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.nat(4), changes, async (which, edits) => {
        const bytes = new Uint8Array(samples[which] ?? []);
        for (const [at, byte] of edits) bytes[at % bytes.length] = byte;
        try {
          const { members, source } = await membersOf(bytes);
          for (const member of members) await ingest(await memberSource(source, member));
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

/** Returns the offset of occurrence `n` of `part` in `bytes`; `n` counts from 0. */
function nth(bytes: Uint8Array, part: Uint8Array, n: number): number {
  let at = -1;
  for (let i = 0; i <= n; i++) at = Buffer.from(bytes).indexOf(Buffer.from(part), at + 1);
  return at;
}
