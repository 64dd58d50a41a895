/** Checks the `--json` output of the commands against the schema in docs/json.md. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { type JsonOutput, jsonOutputs, jsonSchema, valuesOf } from '#testing/json-outputs.ts';
import { COMMANDS } from './commands.ts';

const { text, names, faults } = jsonSchema();
/** Definitions of the schema without a sample: parts of other definitions, and `open`. */
const PARTS = ['span', 'verdict', 'open'];

let outputs: readonly JsonOutput[];
beforeAll(async () => {
  outputs = await jsonOutputs();
}, 120_000);

it.each(names.filter((name) => !PARTS.includes(name)))('%s is as the schema says', (name) => {
  const own = outputs.filter(({ of }) => of === name);
  expect(own.length).toBeGreaterThan(0);
  for (const output of own) {
    for (const value of valuesOf(output)) {
      expect({ words: output.words, faults: faults(name, value) }).toEqual({
        words: output.words,
        faults: [],
      });
    }
  }
});

it('has a definition for each output, and refuses others', () => {
  expect([...new Set(outputs.map(({ of }) => of))].toSorted()).toEqual(
    names.filter((name) => !PARTS.includes(name)).toSorted(),
  );
  const [info] = outputs.filter(({ of }) => of === 'info').flatMap(valuesOf);
  expect(faults('info', { ...new Object(info), more: 1 })).toHaveLength(1);
  expect(faults('info', { ...new Object(info), size: '1' })).toHaveLength(1);
  expect(faults('info', [])).toHaveLength(1);
});

it('has all fields that are required in some output', () => {
  const seen = new Set<string>();
  const left: unknown[] = outputs.flatMap(valuesOf);
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      seen.add(key);
      left.push(item);
    }
  }
  const required = [...text.matchAll(/"required": \[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/"(\w+)"/g)].map(([, key = '']) => key),
  );
  expect(required.length).toBeGreaterThan(200);
  // Fields that no sample prints: fields of the served page, and fields of rare faults.
  const rare = ['address', 'severity', 'expected', 'found', 'consequence'];
  expect(required.filter((key) => !seen.has(key) && !rare.includes(key))).toEqual([]);
});

it('every command has --json, but those that print no data', async () => {
  const without: string[] = [];
  for (const [name, { load }] of COMMANDS) {
    const { options } = await load();
    if (!options.some((option) => option.name === 'json')) without.push(name);
  }
  expect(without).toEqual(['mcp', 'completion', 'man']);
});

it('docs/json.md names each definition', () => {
  const document = readFileSync(`${import.meta.dirname}/../../docs/json.md`, 'utf8');
  const told = [...document.matchAll(/^\| `[^|]+\| `([\w-]+)`/gm)].map(([, name]) => name);
  expect(told.toSorted()).toEqual(
    names.filter((name) => !['span', 'verdict'].includes(name)).toSorted(),
  );
});
