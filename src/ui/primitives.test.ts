/** Tests that shared class names exist: an unknown class name would have no effect. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(SRC, file), 'utf8');
const classesOf = (file: string) =>
  new Set([...read(file).matchAll(/^\.([\w-]+)/gm)].map(([, name = '']) => name));

const primitives = classesOf('ui/primitives.css');
const others = new Set(['visually-hidden', ...classesOf('app/first-paint.css')]);

const composed = files
  .filter((file) => file.endsWith('.module.css'))
  .flatMap((file) => [...read(file).matchAll(/composes: ([\w\s-]+?) from global;/g)])
  .flatMap(([, names = '']) => names.split(/\s+/));
const written = files
  .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  .flatMap((file) => [...read(file).matchAll(/className="([^"]+)"/g)])
  .flatMap(([, names = '']) => names.split(' '));

it('has each name that a module composes', () => {
  for (const name of composed) expect(primitives).toContain(name);
});

it('has each name that a component writes', () => {
  for (const name of written) expect(new Set([...primitives, ...others])).toContain(name);
});

it('has no unused name', () => {
  const used = new Set([...composed, ...written]);
  for (const name of primitives) expect(used).toContain(name);
});

it('cuts long text at the side only: an underscore stands at the bottom of its line', () => {
  const cutting = files
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => [...read(file).matchAll(/\{[^{}]*text-overflow: ellipsis[^{}]*\}/g)])
    .map(([rule]) => rule)
    // Padding leaves room below the text, so that nothing is cut off.
    .filter((rule) => !rule.includes('padding'));
  expect(cutting.length).toBeGreaterThan(3);
  for (const rule of cutting) expect(rule).not.toMatch(/overflow(-y)?: (hidden|clip)/);
});
