import { beforeEach, expect, it, vi } from 'vitest';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { sampleBytes } from '#testing/samples.ts';
import { openFile, refuseFolder } from './files.ts';
import { fileById, session } from './session.ts';

beforeEach(openFilesInPage);

/** A file that the page can read, and its worker cannot. */
function unreadableThere(): File {
  const file = new File([new Uint8Array(sampleBytes('kinds.btf'))], 'kinds.btf');
  file.slice = () => {
    throw new DOMException('', 'NotFoundError');
  };
  return file;
}

it('hands the worker bytes where its origin is opaque and it cannot read the file', async () => {
  vi.stubGlobal('origin', 'null');
  const id = await openFile(unreadableThere());
  vi.unstubAllGlobals();
  expect(fileById(session.getState(), id)?.status).toMatchObject({ step: 'ready' });
});

it('keeps the reason where the file itself cannot be read', async () => {
  vi.stubGlobal('origin', 'null');
  const file = unreadableThere();
  file.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError'));
  const id = await openFile(file);
  vi.unstubAllGlobals();
  expect(fileById(session.getState(), id)?.status).toMatchObject({
    step: 'failed',
    issue: { code: 'source.unreadable' },
  });
});

it('says of a folder what to do', () => {
  refuseFolder('src');
  expect(session.getState().status).toBe('Could not open src: src is a folder');
  expect(session.getState().files.at(-1)?.status).toMatchObject({
    issue: { advice: expect.stringContaining('Drop the files in it') },
  });
});
