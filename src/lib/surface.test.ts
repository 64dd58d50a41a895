/**
 * The library's public surface must equal docs/library-api.txt. A change needs a line in the
 * changelog.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = new URL('../../scripts/library-types.mjs', import.meta.url);
const loaded: unknown = await import(script.href);

type Accepted = { readonly text: string | null; readonly problem: string | null };
type Accept = (committed: string | null, surface: string, changelog: string) => Accepted;

function hasAccept(module: unknown): module is { readonly acceptedSurface: Accept } {
  return typeof module === 'object' && module !== null && 'acceptedSurface' in module;
}

function accepted(...given: Parameters<Accept>): Accepted {
  if (!hasAccept(loaded)) throw new Error('scripts/library-types.mjs has no acceptedSurface');
  return loaded.acceptedSurface(...given);
}

const SURFACE = 'export declare function open(): void;\n';
const BEFORE = '## Unreleased\n\n- Library: opens files.\n';

describe('the surface of the library', () => {
  it('is docs/library-api.txt', () => {
    const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(script), '--check'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('exports each type that an exported declaration refers to', () => {
    const text = readFileSync(new URL('../../docs/library-api.txt', import.meta.url), 'utf8');
    const [, main = ''] = /^\/\/ main\n([\s\S]*?)^\/\/ /m.exec(text) ?? [];
    const names = [...text.matchAll(/^export (?:declare )?(?:type|class|interface) (\w+)/gm)];
    const missing = names
      .map(([, name = '']) => name)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(main));
    expect(names.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });

  it('changes only with a line in the changelog', () => {
    const { text } = accepted(null, SURFACE, BEFORE);
    const changed = SURFACE.replace('open', 'read');
    expect(accepted(text, changed, BEFORE).text).toBeNull();
    expect(accepted(text, changed, `${BEFORE}- Other: faster.\n`).text).toBeNull();
    const after = accepted(text, changed, `${BEFORE}- Library: open is named read.\n`);
    expect(after.text).toContain(changed);
    expect(after.problem).toBeNull();
  });

  it('is the same text as long as nothing changes', () => {
    const { text } = accepted(null, SURFACE, BEFORE);
    expect(accepted(text, SURFACE, BEFORE).text).toBe(text);
    // A changelog line without a change of the surface is valid, and is stored with the surface.
    expect(accepted(text, SURFACE, `${BEFORE}- Library: faster.\n`).text).not.toBe(text);
  });
});
