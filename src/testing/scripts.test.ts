import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Matches an import of names from `#x` or `../../src/x`, on one or several lines. */
const IMPORT = /import \{([^}]*)\} from '(?:#|(?:\.\.\/)+src\/)([^']+)'/g;

type Imported = { readonly script: string; readonly source: string; readonly names: string[] };

function importsOf(script: string): Imported[] {
  return [...readFileSync(join(root, script), 'utf8').matchAll(IMPORT)].map(
    ([, names = '', source = '']) => ({
      script,
      source,
      names: names.split(',').flatMap((name) => name.trim().split(' as ').slice(0, 1)),
    }),
  );
}

const imports = readdirSync(join(root, 'scripts'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.mjs'))
  .flatMap((file) => importsOf(`scripts/${file}`));

// Scripts are not type-checked, and most of them run only in measurements.
it('scripts import what the sources export', async () => {
  expect(imports.length).toBeGreaterThan(10);
  for (const { script, source, names } of imports) {
    const exported: object = await import(join(root, 'src', source));
    const missing = names.filter((name) => name !== '' && !(name in exported));
    expect({ script, source, missing }).toEqual({ script, source, missing: [] });
  }
});
