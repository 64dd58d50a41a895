import { expect, it } from 'vitest';
import { isLinkLocal, pageAddress } from './page-address.ts';

const served = { protocol: 'https:', host: 'tools.example', pathname: '/btfscope/' };
const disk = { protocol: 'file:', host: '', pathname: '/home/a/btfscope.html' };
const hosted = 'https://tools.example/btfscope/';

it('is that of the page, and on disk that of the hosted one where the build names it', () => {
  expect(pageAddress(served, null)).toBe(hosted);
  expect(pageAddress(served, 'https://other.example/')).toBe(hosted);
  expect(pageAddress(disk, hosted)).toBe(hosted);
  expect(pageAddress(disk, null)).toBe('file:///home/a/btfscope.html');
});

it('is of this computer alone where a page on disk knows no other', () => {
  expect(isLinkLocal(disk, null)).toBe(true);
  expect(isLinkLocal(disk, hosted)).toBe(false);
  expect(isLinkLocal(served, null)).toBe(false);
});
