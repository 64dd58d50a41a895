import { describe, expect, it } from 'vitest';
import { afterKey, type TypedAhead } from './keys.tsx';

function typed(...keys: readonly string[]): TypedAhead {
  return keys.reduce<TypedAhead>((before, key) => afterKey(before, key) ?? before, {
    text: '',
    end: null,
  });
}

describe('afterKey', () => {
  it('keeps characters, also those of more than one code unit, and takes them back', () => {
    expect(typed('s', 'p', 'i', 'n')).toEqual({ text: 'spin', end: null });
    expect(typed('a', '\u{1f41d}', 'Backspace', 'b').text).toBe('ab');
    expect(typed('Backspace').text).toBe('');
  });

  it('ends with Enter or Escape, and takes no key behind it', () => {
    expect(typed('a', 'Enter', 'b')).toEqual({ text: 'a', end: 'Enter' });
    expect(typed('a', 'Escape', 'Enter')).toEqual({ text: 'a', end: 'Escape' });
  });

  it('leaves keys that write nothing to others', () => {
    expect(afterKey({ text: 'a', end: null }, 'Tab')).toBeNull();
    expect(afterKey({ text: 'a', end: null }, 'Shift')).toBeNull();
  });
});
