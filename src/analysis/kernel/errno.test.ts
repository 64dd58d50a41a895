import { expect, it } from 'vitest';
import { errnoIn } from './errno.ts';

it.each([
  ['-13', 'EACCES'],
  ['-EACCES', 'EACCES'],
  ['Permission denied', 'EACCES'],
  ['permission denied: R1 type=ctx expected=fp', 'EACCES'],
  ['Permission denied (os error 13)', 'EACCES'],
  ['Invalid argument(-22)', 'EINVAL'],
  ['Unknown error 524', 'ENOTSUPP'],
  ['Unknown error -524', 'ENOTSUPP'],
  ['errno 524', 'ENOTSUPP'],
  ['-524', 'ENOTSUPP'],
  ['ENOTSUP', 'EOPNOTSUPP'],
  ['-4007', 'LIBBPF_ERRNO__VERIFY'],
  ['too many open files in system', 'ENFILE'],
  ['too many open files', 'EMFILE'],
  ['2', 'ENOENT'],
])('%s is %s', (text, name) => {
  expect(errnoIn(text)?.name).toBe(name);
});

it.each(['', 'E', 'Errors', '0', '-9999', '13x', '5.10', '2 line(s)', 'the permission denied'])(
  '%j is no error',
  (text) => expect(errnoIn(text)).toBeNull(),
);
