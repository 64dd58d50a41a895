/** Tests the requests for the members of an open file. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ArchiveMember } from '#model/object-model.ts';
import { arFile, zipFile } from '#testing/archives.ts';
import { elfObject } from '#testing/elf-object.ts';
import { sampleBytes } from '#testing/samples.ts';
import type { FromWorker, Methods, OpenResult } from './protocol.ts';
import { FileServer } from './serve.ts';

const OBJECT = sampleBytes('doc_call.bpf.o');

async function serve(bytes: Uint8Array) {
  const answers: FromWorker[] = [];
  const server = new FileServer((message) => answers.push(message));
  const file = new Blob([new Uint8Array(bytes)]);
  await server.handle({ id: 1, method: 'open', params: { name: 'a', file } });
  const answer = () => answers.at(-1) as FromWorker & { readonly value?: unknown };
  const opened = answer().value as OpenResult;
  const member = async (params: ArchiveMember) => {
    await server.handle({ id: 2, method: 'member', params });
    return answer();
  };
  const embedded = async () => {
    await server.handle({ id: 3, method: 'embedded', params: null });
    return answer().value as Methods['embedded']['result'];
  };
  return { members: opened.kind === 'archive' ? opened.members : [], member, embedded };
}

function first<T>(list: readonly T[]): T {
  const [value] = list;
  if (value === undefined) throw new Error('none');
  return value;
}

describe('a member', () => {
  it('is null where the page can cut it out of the file', async () => {
    const { members, member } = await serve(arFile({ 'x.o': OBJECT }));
    expect(members).toMatchObject([{ name: 'x.o', kind: 'BPF object', size: OBJECT.length }]);
    expect(await member(first(members))).toMatchObject({ kind: 'ok', value: null });
  });

  it.each([
    ['an archive that is compressed', gzipSync(arFile({ 'x.o': OBJECT }))],
    ['an archive whose members are', zipFile({ 'x.o': OBJECT })],
  ])('is its bytes in %s', async (_what, bytes) => {
    const { members, member } = await serve(bytes);
    expect(await member(first(members))).toMatchObject({ kind: 'ok', value: OBJECT });
  });

  it('is refused with the reason', async () => {
    const { members, member } = await serve(zipFile({ 'x.o': OBJECT }, { crc: 1 }));
    const issue = { code: 'zip.checksum', message: 'x.o: its CRC-32 is wrong' };
    expect(await member(first(members))).toMatchObject({ kind: 'failed', issue });
  });
});

describe('embedded objects', () => {
  it('are found in a program, plain and compressed', async () => {
    const program = elfObject({
      header: { machine: 62 },
      sections: [{ name: '.data', flags: 3, data: OBJECT }],
    }).bytes;
    for (const [bytes, value] of [
      [program, null],
      [gzipSync(program), OBJECT],
    ] as const) {
      const { embedded, member } = await serve(bytes);
      const { members } = await embedded();
      expect(members).toMatchObject([{ name: '.data@0x40', fileOffset: 64 }]);
      expect(await embedded()).toEqual({ members, issues: [] });
      expect(await member(first(members))).toMatchObject({ kind: 'ok', value });
    }
  });

  it('are none in a BPF object', async () => {
    expect(await (await serve(OBJECT)).embedded()).toEqual({ members: [], issues: [] });
  });
});
