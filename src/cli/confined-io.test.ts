import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Folders } from './confined-io.ts';
import { nodeIo } from './node-io.ts';

const places: string[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const place of places.splice(0)) rmSync(place, { recursive: true });
});

function folderWith(name: string, text: string) {
  const place = mkdtempSync(join(tmpdir(), 'btfscope-folders-'));
  places.push(place);
  writeFileSync(join(place, name), text);
  return { folders: new Folders(nodeIo, [place]), path: join(place, name) };
}

async function hashIn(folders: Folders, name: string) {
  const request = folders.request(new Map());
  await request.io.open(name);
  const [file] = await request.files();
  return file?.sha256;
}

describe('the folders of a server', () => {
  it('hash a file again after a change that keeps its size and time', async () => {
    const { folders, path } = folderWith('a', 'one');
    const before = await hashIn(folders, 'a');
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'two');
    utimesSync(path, atime, mtime);
    expect(await hashIn(folders, 'a')).not.toBe(before);
  });

  it('end a request that takes too long at its next file, row or step', async () => {
    const { folders } = folderWith('a', 'one');
    const { io } = folders.request(new Map());
    const later = performance.now() + 31_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    const message = 'the answer takes more than 30 s: ask about fewer files';
    await expect(io.open('a')).rejects.toThrow(message);
    expect(() => io.out(new Uint8Array(1))).toThrow(message);
    expect(() => io.progress('step')).toThrow(message);
  });
});
