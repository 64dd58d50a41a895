import { expect, it } from 'vitest';
import { isOwnScript } from './trusted-types.ts';

const PAGE = 'https://tools.example/btfscope/?lesson=a.md#/types';

it.each([
  'https://tools.example/btfscope/assets/file.worker-B1x_2.js',
  './assets/file.worker-B1x.js',
  './service-worker.js',
  'blob:https://tools.example/0b7',
])('trusts %s', (address) => {
  expect(isOwnScript(address, PAGE)).toBe(true);
});

it.each([
  '',
  'https://other.example/btfscope/assets/a.js',
  'https://tools.example/assets/a.js',
  '/btfscope/upload/a.js',
  './assets/../upload/a.js',
  './assets/deeper/a.js',
  './assets/a.js%2f..%2f..%2fupload.js',
  'data:text/javascript,alert(1)',
  'javascript:alert(1)',
  'http://tools.example/btfscope/assets/a.js',
  'https://[',
])('does not trust %j', (address) => {
  expect(isOwnScript(address, PAGE)).toBe(false);
});
