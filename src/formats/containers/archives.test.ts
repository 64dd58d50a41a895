/** Tests the lists of members of tar, zip, cpio and RPM files, and the issues for damaged files. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { cpioFile, paxRecord, rpmFile, tarEntry, tarFile, zipFile } from '#testing/archives.ts';
import { elfObject } from '#testing/elf-object.ts';
import { runs } from '#testing/runs.ts';
import { readCpioMembers } from './cpio.ts';
import { memberKind } from './member.ts';
import { rpmPayload } from './rpm.ts';
import { sniff } from './sniff.ts';
import { readTarMembers } from './tar.ts';
import { readZipMembers, unpackZipMember } from './zip.ts';

const ascii = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
const OBJECT = elfObject({ sections: [] }).bytes;
const FILES = {
  'notes.txt': ascii('some words'),
  'prog.o': OBJECT,
  'a.btf': ascii('\x9f\xeb\x01'),
};

const tar = (bytes: Uint8Array) => readTarMembers(bufferSource('a.tar', bytes));
const zip = (bytes: Uint8Array) => readZipMembers(bufferSource('a.zip', bytes));
const cpio = (bytes: Uint8Array) => readCpioMembers(bufferSource('a.cpio', bytes));

/** Returns the contents of all uncompressed members of an archive, by name. */
async function stored(read: typeof tar, bytes: Uint8Array) {
  const { members, issues } = await read(bytes);
  expect(issues).toEqual([]);
  return members.map(({ name, fileOffset, size }) => [
    name,
    text(bytes.subarray(fileOffset, fileOffset + size)),
  ]);
}

const IN_ORDER = [
  ['prog.o', text(OBJECT)],
  ['a.btf', '\x9f\xeb\x01'],
  ['notes.txt', 'some words'],
];

describe('tar', () => {
  it('lists files, the most interesting first', async () => {
    expect(sniff(tarFile(FILES))).toBe('tar');
    expect(await stored(tar, tarFile(FILES))).toEqual(IN_ORDER);
    const { members } = await tar(tarFile(FILES));
    expect(members.map(({ kind }) => kind)).toEqual(['BPF object', 'BTF', 'other']);
  });

  it('reads names of ustar with a prefix, of GNU and of pax', async () => {
    const long = `${'d/'.repeat(90)}x.o`;
    const data = ascii('abc');
    const archive = tarFile(
      { name: 'x.o', prefix: 'lib/modules', data },
      // A GNU header has no prefix: the bytes of the prefix are other fields.
      { name: 'gnu.o', prefix: 'no prefix', magic: 'ustar  \0', data },
      { name: '././@LongLink', type: 'L', data: ascii(`${long}\0`) },
      { name: 'd/d/d', data },
      {
        name: 'pax',
        type: 'x',
        data: ascii(paxRecord('mtime', '1.5') + paxRecord('path', 'p\nq.o')),
      },
      { name: 'short', data },
      { name: 'v7.o', magic: '', data },
      { name: 'pax', type: 'g', data: ascii(paxRecord('path', 'of all')) },
      { name: 'plain.o', data },
    );
    const names = (await stored(tar, archive)).map(([name]) => name);
    expect(names).toEqual(['lib/modules/x.o', 'gnu.o', long, 'p\nq.o', 'v7.o', 'plain.o']);
  });

  it('is detected by its checksum if it has no magic', () => {
    expect(sniff(tarFile({ name: 'v7.o', magic: '', data: ascii('a') }))).toBe('tar');
    expect(sniff(tarFile({ name: 'v7.o', magic: '', data: ascii('a') }).with(3, 1))).toBe(
      'unknown',
    );
  });

  it('reads sizes in base 256 and of pax', async () => {
    const data = ascii('abc');
    const archive = tarFile(
      { name: 'base256', data, size: `\x80${'\0'.repeat(10)}\x03` },
      { name: 'pax', type: 'x', data: ascii(paxRecord('size', '3')) },
      { name: 'paxed', data, size: '00000000000\0' },
    );
    expect(await stored(tar, archive)).toEqual([
      ['base256', 'abc'],
      ['paxed', 'abc'],
    ]);
  });

  it('leaves out directories, links and devices, and reports sparse files', async () => {
    const link = { name: 'link', type: '1', size: '00000000777\0' };
    const others = ['2', '3', '4', '5', '6'].map((type) => ({ name: type, type }));
    const sparse = { name: 'sparse', type: 'S', isSparseMore: true, size: '00000000000\0' };
    const bytes = assembleEntries(
      tarEntry(link),
      ...others.map(tarEntry),
      tarEntry(sparse),
      new Uint8Array(512),
      tarEntry({ name: 'pax', type: 'x', data: ascii(paxRecord('GNU.sparse.major', '1')) }),
      tarEntry({ name: 'also sparse', data: ascii('map') }),
      tarEntry({ name: 'file', data: ascii('x') }),
    );
    const { members, issues } = await tar(bytes);
    expect(members.map(({ name }) => name)).toEqual(['file']);
    expect(issues.map(({ code }) => code)).toEqual(['tar.sparse', 'tar.sparse']);
  });

  it('ends at a malformed header, with offset, expected and found value', async () => {
    const bytes = assembleEntries(
      tarEntry({ name: 'a', data: ascii('x') }),
      ascii('?'.repeat(512)),
    );
    const { members, issues } = await tar(bytes);
    expect(members).toHaveLength(1);
    expect(issues).toMatchObject([
      {
        severity: 'error',
        code: 'tar.bad-header',
        span: { start: 1024, end: 1536 },
        expected: expect.stringContaining('checksum'),
        found: '"????????"',
      },
    ]);
    expect((await tar(bytes.subarray(0, 1100))).issues).toMatchObject([{ code: 'tar.truncated' }]);
  });

  it('clips a member of a huge stated size, and allocates nothing for it', async () => {
    for (const size of ['77777777777\0', `\x80${'\0'.repeat(5)}\x10${'\0'.repeat(5)}`]) {
      const { members, issues } = await tar(tarEntry({ name: 'a', data: ascii('x'), size }));
      expect(members).toMatchObject([{ name: 'a', size: 512 }]);
      expect(issues).toMatchObject([
        { code: 'tar.member-past-end', span: { start: 124, end: 136 } },
      ]);
    }
    const absurd = tarEntry({ name: 'a', size: '\xff'.repeat(12) });
    expect((await tar(absurd)).issues).toMatchObject([{ code: 'tar.bad-header' }]);
  });

  it('reports an archive without members', async () => {
    expect((await tar(new Uint8Array(1024))).issues).toMatchObject([{ code: 'tar.empty' }]);
  });
});

describe('zip', () => {
  const contents = async (bytes: Uint8Array) => {
    const source = bufferSource('a.zip', bytes);
    const { members, issues } = await readZipMembers(source);
    expect(issues).toEqual([]);
    return Promise.all(
      members.map(async (member) => [
        member.name,
        text(await unpackZipMember(source, member, { limit: 1 << 20 })),
      ]),
    );
  };
  const files = { 'a.txt': ascii('aaaa'.repeat(50)), 'x.ko': OBJECT, 'dir/': new Uint8Array(0) };
  const wanted = [
    ['x.ko', text(OBJECT)],
    ['a.txt', 'aaaa'.repeat(50)],
  ];

  it.each([
    ['stored', { method: 0 }],
    ['deflated', { method: 8 }],
    ['zip64', { isZip64: true }],
  ] as const)('unpacks members that are %s', async (_what, options) => {
    expect(sniff(zipFile(files, options))).toBe('zip');
    expect(await contents(zipFile(files, options))).toEqual(wanted);
  });

  it('reads an archive after other bytes, and one with a comment', async () => {
    const behind = assembleEntries(ascii('#!/bin/sh\n'), zipFile(files));
    expect(await contents(behind)).toEqual(wanted);
    const comment = zipFile(files);
    comment[comment.length - 2] = 30;
    expect(await contents(assembleEntries(comment, ascii('PK\x05\x06'.padEnd(30))))).toEqual(
      wanted,
    );
  });

  const refusal = async (bytes: Uint8Array, limit = 1 << 20) => {
    const source = bufferSource('a.zip', bytes);
    const [member] = (await readZipMembers(source)).members;
    if (member === undefined) throw new Error('no member');
    return await unpackZipMember(source, member, { limit }).catch(
      (error: Malformed) => error.issue,
    );
  };

  it.each([
    ['encryption', { flags: 1 }, 'zip.unsupported'],
    ['another method', { statedMethod: 6 }, 'zip.unsupported'],
    ['a wrong checksum', { crc: 1 }, 'zip.checksum'],
  ] as const)('refuses %s', async (_what, options, code) => {
    expect(await refusal(zipFile({ a: ascii('abc') }, options))).toMatchObject({ code });
  });

  it('rejects damage, and output above the limit', async () => {
    const good = zipFile({ a: ascii('abc'.repeat(1000)) });
    expect(await refusal(good, 100)).toMatchObject({ code: 'container.too-large' });
    expect(await refusal(good.with(0, 0))).toMatchObject({ code: 'zip.bad-local-header' });
    expect(await refusal(good.with(31, 0xff))).toMatchObject({ code: 'container.corrupt' });
    const bomb = zipFile({ a: new Uint8Array(300_000) });
    expect(await refusal(bomb, 10_000)).toMatchObject({ code: 'container.too-large' });
  });

  it('rejects members that share bytes', async () => {
    const bytes = zipFile({ a: ascii('a'), b: ascii('b') }, { method: 0 });
    // The second entry of the central directory names the offset of the first member.
    const second = bytes.length - 22 - 47;
    await expect(zip(bytes.with(second + 42, 0))).rejects.toMatchObject({
      issue: { code: 'zip.overlap', message: 'a.zip: b shares bytes with another member' },
    });
  });

  it('rejects a file without a central directory', async () => {
    const cut = zipFile(files).subarray(0, 60);
    await expect(zip(cut)).rejects.toMatchObject({
      issue: { code: 'zip.no-directory', expected: expect.any(String), found: 'none' },
    });
  });

  it('ends at a malformed entry, and reports a different count', async () => {
    const bytes = zipFile({ a: ascii('a'), b: ascii('b') }, { method: 0 });
    const second = bytes.length - 22 - 47;
    expect((await zip(bytes.with(second, 0))).issues).toMatchObject([
      { code: 'zip.bad-header', span: { start: second }, found: '004b0102' },
    ]);
    expect((await zip(bytes.with(bytes.length - 12, 9))).issues).toMatchObject([
      { code: 'zip.wrong-count', expected: '9', found: '2' },
    ]);
  });
});

describe('cpio', () => {
  it('lists regular files', async () => {
    expect(sniff(cpioFile(FILES))).toBe('cpio');
    expect(await stored(cpio, cpioFile(FILES))).toEqual(IN_ORDER);
    expect((await cpio(cpioFile(FILES, 0o040755))).members).toEqual([]);
  });

  it('lists the data after the first archive of an initramfs as a member', async () => {
    const first = cpioFile({ a: ascii('x') });
    const bytes = assembleEntries(first, new Uint8Array(600), ascii('\x28\xb5\x2f\xfd rest'));
    const { members } = await cpio(bytes);
    const start = first.length + 600;
    expect(members).toMatchObject([
      { name: 'a' },
      { name: `rest@0x${start.toString(16)}`, fileOffset: start, size: 9 },
    ]);
    expect((await cpio(assembleEntries(first, new Uint8Array(70)))).members).toHaveLength(1);
  });

  it('ends at a malformed header, and clips a member past the end', async () => {
    const one = cpioFile({ a: ascii('x') });
    expect((await cpio(one.with(20, 0x7a))).issues).toMatchObject([
      { code: 'cpio.bad-header', span: { start: 0, end: 110 } },
    ]);
    const huge = one.slice();
    huge.set(ascii('ffffffff'), 54);
    const { members, issues } = await cpio(huge);
    expect(members).toMatchObject([{ name: 'a', size: one.length - 112 }]);
    expect(issues).toMatchObject([{ code: 'cpio.member-past-end', expected: '4294967295 bytes' }]);
  });
});

describe('rpm', () => {
  const payload = (bytes: Uint8Array) => rpmPayload(bufferSource('a.rpm', bytes));

  it('returns the payload', async () => {
    const bytes = rpmFile(ascii('payload'));
    expect(sniff(bytes)).toBe('rpm');
    expect(text(bytes.subarray((await payload(bytes)).start))).toBe('payload');
  });

  it('rejects malformed headers and headers past the end', async () => {
    const bytes = rpmFile(ascii('payload'));
    const issueOf = (damaged: Uint8Array) =>
      payload(damaged).catch((error: Malformed) => error.issue);
    expect(await issueOf(bytes.with(96, 0))).toMatchObject({
      code: 'rpm.bad-header',
      span: { start: 96, end: 112 },
      expected: '8eade801',
      found: '00ade801',
    });
    expect(await issueOf(bytes.with(104, 0xff))).toMatchObject({ span: { start: 104, end: 112 } });
    expect(await issueOf(bytes.subarray(0, 100))).toMatchObject({ code: 'rpm.bad-header' });
  });
});

describe('the kind of a member', () => {
  it.each([
    ['x.ko', elfObject({ sections: [], header: { machine: 62 } }).bytes, 'kernel module'],
    [
      'usr/lib/debug/vmlinux-6.1',
      elfObject({ sections: [], header: { machine: 62 } }).bytes,
      'kernel',
    ],
    ['x', elfObject({ sections: [], header: { machine: 62 } }).bytes, 'object file'],
    ['x', elfObject({ sections: [], endian: 'big' }).bytes, 'BPF object'],
    ['x.ko.xz', ascii('\xfd7zXZ\0'), 'kernel module'],
    ['x.ko', ascii('<html>'), 'other'],
    ['5.4.0.btf.tar.xz', null, 'archive'],
    ['5.4.0.btf', null, 'BTF'],
    ['README', null, 'other'],
  ] as const)('%s: %#', (name, head, kind) => {
    expect(memberKind(name, head)).toBe(kind);
  });
});

describe('any bytes', () => {
  const samples = [
    tarFile(FILES),
    zipFile(FILES),
    zipFile(FILES, { isZip64: true }),
    cpioFile(FILES),
  ];
  const readers = [tar, zip, zip, cpio];

  it('end the list, with members inside the file, or throw Malformed', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.nat(3), changes, fc.nat(), async (which, edits, cut) => {
        const bytes = (samples[which] ?? new Uint8Array(0)).slice();
        for (const [at, byte] of edits) bytes[at % bytes.length] = byte;
        const part = cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
        const read = readers[which] ?? tar;
        const listed = await read(part).catch((error: unknown) => {
          expect(error).toBeInstanceOf(Malformed);
          return null;
        });
        for (const member of listed?.members ?? []) {
          if (member.packing === null) {
            const end = Math.max(member.fileOffset, part.length);
            expect(member.fileOffset + member.size).toBeLessThanOrEqual(end);
            continue;
          }
          const unpacking = unpackZipMember(bufferSource('a', part), member, { limit: 100_000 });
          await unpacking.catch((error: unknown) => expect(error).toBeInstanceOf(Malformed));
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

function assembleEntries(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
