import { describe, expect, it } from 'vitest';
import { type Focus, PRESENTER_KEYS, presenterAction } from './presenter-keys.ts';

const press = (key: string, focus: Focus = 'page', ctrlKey = false) =>
  presenterAction({ key, ctrlKey, metaKey: false, altKey: false }, focus);

describe('presenterAction', () => {
  it('steps by arrows, Space and what a clicker sends', () => {
    for (const key of ['ArrowRight', 'ArrowDown', ' ', 'PageDown']) {
      expect(press(key)).toBe('next');
    }
    for (const key of ['ArrowLeft', 'ArrowUp', 'PageUp']) expect(press(key)).toBe('previous');
  });

  it('leaves arrows and Space to lists, but not what a clicker sends', () => {
    expect(press('ArrowDown', 'arrows')).toBeNull();
    expect(press(' ', 'arrows')).toBeNull();
    expect(press(' ', 'button')).toBeNull();
    expect(press('ArrowRight', 'button')).toBe('next');
    expect(press('PageDown', 'arrows')).toBe('next');
    expect(press('s', 'arrows')).toBe('spotlight');
  });

  it('leaves letters to text fields and everything to dialogs', () => {
    expect(press('b', 'text')).toBeNull();
    expect(press('Escape', 'text')).toBeNull();
    expect(press('PageDown', 'text')).toBe('next');
    expect(press('PageDown', 'dialog')).toBeNull();
  });

  it('ignores keys pressed with Ctrl', () => {
    expect(press('l', 'page', true)).toBeNull();
    expect(press('x')).toBeNull();
  });

  it('has no key twice', () => {
    const all = PRESENTER_KEYS.flatMap(({ on }) => on);
    expect(new Set(all).size).toBe(all.length);
  });
});
