import { describe, expect, it } from 'vitest';
import { qrPath } from '#views/parts/QrCode.tsx';
import { elementSnippet, embedSnippet } from './CopyLinkDialog.tsx';
import { noticeTexts, originText } from './LinkBar.tsx';

describe('the HTML of a frame', () => {
  it('escapes its attributes', () => {
    const html = embedSnippet('https://x/#/types?a=1&b="><script>', `a "b" <c> & 'd'`);
    expect(html).toContain('src="https://x/#/types?a=1&amp;b=&quot;&gt;&lt;script&gt;"');
    expect(html).toContain(`title="a &quot;b&quot; &lt;c&gt; &amp; 'd'"`);
    expect(html.match(/</g)).toHaveLength(2);
  });

  it('of the element: its script is beside the page', () => {
    const page = 'https://x/tools/index.html#/types?a=1&b="';
    expect(elementSnippet(page, 'struct <b>').split('\n')).toEqual([
      '<script async src="https://x/tools/btfscope-embed.js"></script>',
      '<btf-type><a href="https://x/tools/index.html#/types?a=1&amp;b=&quot;">struct &lt;b&gt;</a></btf-type>',
    ]);
  });
});

describe('the QR code', () => {
  it('is as large as the text requires, with four light modules around', () => {
    const small = qrPath('https://example.org/');
    expect(small?.size).toBe(25 + 8);
    expect(small?.path.startsWith('M4 4h7v1h-7z')).toBe(true);
  });

  it('is none for a text that is too long for one', () => {
    expect(qrPath('x'.repeat(2953))?.size).toBe(177 + 8);
    expect(qrPath('x'.repeat(2954))).toBeNull();
    expect(qrPath('ü'.repeat(1500))).toBeNull();
  });
});

describe('text of the bar', () => {
  it('of types: how many, of which file, and what was left out', () => {
    const carries = { kind: 'types', typeCount: 53, declaredCount: 3 } as const;
    expect(originText({ key: 'btf1:x', name: 'vmlinux', carries })).toBe(
      'From a link that carries 53 types of vmlinux. 3 of them are declarations: the types behind those pointers are not included.',
    );
    expect(
      originText({
        key: 'btf1:x',
        name: '',
        carries: { ...carries, typeCount: 1, declaredCount: 0 },
      }),
    ).toBe('From a link that carries 1 type.');
  });

  it('of a whole file', () => {
    const carries = { kind: 'file' } as const;
    expect(originText({ key: 'bytes1:x', name: 'prog.o', carries })).toBe(
      'From a link that carries the whole file, prog.o.',
    );
  });

  it('makes what cannot be seen in names visible', () => {
    const carries = { kind: 'file' } as const;
    expect(originText({ key: 'bytes1:x', name: 'a\u202eb', carries })).not.toContain('\u202e');
    expect(noticeTexts({ expected: null, sentences: ['no \u202etype'] }, null)[0]).not.toContain(
      '\u202e',
    );
  });

  it('of another file only once its hash is known to differ', () => {
    const notice = { expected: 'a'.repeat(64), sentences: [] };
    expect(noticeTexts(notice, null)).toEqual([]);
    expect(noticeTexts(notice, 'a'.repeat(64))).toEqual([]);
    expect(noticeTexts(notice, 'b'.repeat(64))[0]).toMatch(/^This is not the file of the link/);
  });
});
