import { describe, expect, it } from 'vitest';
import { nearNames } from './follow-names.ts';

describe('names that may be meant', () => {
  it.each([
    ['i_atime', ['i_ino', 'i_atime_sec', 'i_mtime_sec', 'i_atime_nsec'], 'i_atime_sec'],
    ['state', ['__state', 'stack', 'flags'], '__state'],
    ['rq_disk', ['q', 'part', 'rq_flags', 'disk'], 'disk'],
    ['tgdi', ['pid', 'tgid'], 'tgid'],
    ['Comm', ['comm', 'com'], 'comm'],
  ])('%s', (wanted, names, nearest) => {
    expect(nearNames(wanted, names)[0]).toBe(nearest);
  });

  it('are none without a similar name', () => {
    expect(nearNames('sk_family', ['a', 'zzz', '', 'counter'])).toEqual([]);
  });

  it('are five at most, each once', () => {
    const names = ['abc1', 'abc2', 'abc3', 'abc4', 'abc5', 'abc6', 'abc1'];
    expect(nearNames('abc', names)).toEqual(['abc1', 'abc2', 'abc3', 'abc4', 'abc5']);
  });

  it('of a megabyte are compared by their beginnings', () => {
    const long = 'x'.repeat(1 << 20);
    expect(nearNames(long, [`${long}y`])).toHaveLength(1);
  });
});
