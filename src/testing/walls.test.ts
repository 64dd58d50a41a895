/**
 * Proves that the import walls hold: the linter's configuration is what
 * scripts/walls.mjs says, and the linter refuses what it says. A wall can pass
 * because it sees nothing, so every pair of room and target is planted, in each
 * way to import, in a project of its own, and linted by the real configuration.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { JsonRow } from './json-row.ts';

type Wall = { readonly rooms: readonly string[]; readonly packages: readonly string[] };
type Plant = { readonly room: string; readonly target: string; readonly allowed: boolean };

const root = fileURLToPath(new URL('../../', import.meta.url));
// By address, not by a path with dots: the scripts are no room and have no types.
const script: unknown = await import(new URL('../../scripts/walls.mjs', import.meta.url).href);
const config = JsonRow.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
const walls = readWalls();

const FREE_ROOMS = ['app', 'testing'];
const STRANGERS = ['lodash', '@scope/package', 'node:fs', 'vitest', 'fast-check', 'playwright'];
const OUTSIDE = ['..', '../..'].map((dots) => `${dots}/bytes/span.ts`);

/** Each way to import; `NAME` is the target. */
const FORMS = {
  static: "import { a as aNAME } from 'TARGET';",
  type: "import type { B as BNAME } from 'TARGET';",
  'side effect': "import 'TARGET';",
  'export from': "export { c as cNAME } from 'TARGET';",
  dynamic: "export const dNAME = () => import('TARGET');",
};

describe('walls', () => {
  it('stand in biome.json as scripts/walls.mjs writes them', () => {
    const written = config
      .rows('overrides')
      .map((override) => Object.fromEntries(override.fields))
      .filter((override) => JSON.stringify(override).includes('noRestrictedImports'));
    expect(written).toEqual(callWallOverrides());
  });

  it('stand around every room but those that may import anything', () => {
    const rooms = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(rooms.filter((room) => !walls.has(room) && !FREE_ROOMS.includes(room))).toEqual([]);
  });

  it('name only rooms that have walls themselves, and have no circle', () => {
    const open = new Map([...walls].map(([room, wall]) => [room, new Set(wall.rooms)]));
    for (let sorted = true; sorted; ) {
      sorted = false;
      for (const [room, rooms] of open) {
        if (rooms.size > 0) continue;
        open.delete(room);
        for (const others of open.values()) others.delete(room);
        sorted = true;
      }
    }
    expect([...open.keys()]).toEqual([]);
  });
});

describe.each([
  ['code', ''],
  ['tests', '.test'],
])('planted imports in %s', (_name, suffix) => {
  const plants = [...walls].flatMap(([room, wall]) => plantsIn(room, wall, suffix !== ''));
  const refused = lint(plants, suffix);

  it.each(Object.keys(FORMS))('are refused and allowed as the table says: %s', (form) => {
    const wrong = plants.filter((plant) => refused(plant, form) === plant.allowed);
    expect(wrong).toEqual([]);
  });

  it('are some of each', () => {
    expect(plants.filter((plant) => plant.allowed).length).toBeGreaterThan(walls.size);
    expect(plants.filter((plant) => !plant.allowed).length).toBeGreaterThan(10 * walls.size);
  });
});

function plantsIn(room: string, wall: Wall, isTest: boolean): readonly Plant[] {
  const patterns = [
    './**',
    ...[room, ...wall.rooms].map((other) => `#${other}/**`),
    ...wall.packages,
    ...(isTest ? ['#testing/**', 'vitest', 'fast-check', 'node:*'] : []),
  ];
  const targets = new Set([
    './own.ts',
    './deeper/own.ts',
    ...[...walls.keys(), ...FREE_ROOMS].map((other) => `#${other}/any.ts`),
    ...[...walls.values()].flatMap((other) => other.packages.map(sampleOf)),
    ...STRANGERS,
    ...OUTSIDE,
  ]);
  return [...targets].map((target) => ({
    room,
    target,
    allowed: patterns.some((pattern) => matches(target, pattern)),
  }));
}

/** `**` stands for any path, `*` for one name in it; both only at the end. */
function matches(target: string, pattern: string): boolean {
  const start = pattern.replace(/\*+$/, '');
  if (start === pattern) return target === pattern;
  const rest = target.slice(start.length);
  return target.startsWith(start) && (pattern.endsWith('**') || !rest.includes('/'));
}

/** Lints all plants in one run. Gives whether the linter refused a plant in the given form. */
function lint(plants: readonly Plant[], suffix: string) {
  const project = mkdtempSync(join(tmpdir(), 'btfscope-walls-'));
  try {
    writeFileSync(join(project, 'biome.json'), JSON.stringify(withoutVcs()));
    for (const room of walls.keys()) {
      // One folder down, as most files are: the walls hold there too.
      mkdirSync(join(project, 'src', room, 'deep'), { recursive: true });
      const lines = plants.filter((plant) => plant.room === room);
      for (const [form, template] of Object.entries(FORMS)) {
        const text = lines.map((plant, i) =>
          template.replace('TARGET', plant.target).replace('NAME', `${i}`),
        );
        writeFileSync(join(project, fileOf(room, form, suffix)), `${text.join('\n')}\n`);
      }
    }
    const found = refusals(project);
    return ({ room, target }: Plant, form: string): boolean => {
      const line = plants.filter((p) => p.room === room).findIndex((p) => p.target === target);
      return found.has(`${fileOf(room, form, suffix)}:${line + 1}`);
    };
  } finally {
    rmSync(project, { recursive: true });
  }
}

function fileOf(room: string, form: string, suffix: string): string {
  return `src/${room}/deep/${form.replace(' ', '-')}${suffix}.ts`;
}

/** `FILE:LINE` of everything that the wall rule found in the project. */
function refusals(project: string): ReadonlySet<string> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [
    'lint',
    '--only=style/noRestrictedImports',
    '--reporter=json',
    '--max-diagnostics=none',
  ];
  const { stdout } = spawnSync(process.execPath, [biome, ...args], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const diagnostics = JsonRow.parse(stdout).rows('diagnostics');
  return new Set(
    diagnostics.map((diagnostic) => {
      const place = diagnostic.row('location');
      return `${place.text('path')}:${place.row('start').number('line')}`;
    }),
  );
}

function withoutVcs(): Record<string, unknown> {
  return Object.fromEntries(
    [...config.fields].filter(([key]) => key !== 'vcs' && key !== '$schema'),
  );
}

/** An import that a pattern allows: `#model/**` → `#model/any.ts`. */
function sampleOf(pattern: string): string {
  return pattern.replace(/\*+$/, pattern.startsWith('#') ? 'any.ts' : 'any');
}

function readWalls(): ReadonlyMap<string, Wall> {
  const table = new JsonRow(scriptExport('WALLS'));
  return new Map(
    [...table.fields].map(([room, wall]) => {
      const row = new JsonRow(wall);
      return [room, { rooms: row.texts('rooms'), packages: row.texts('packages') }];
    }),
  );
}

function callWallOverrides(): unknown {
  const wallOverrides = scriptExport('wallOverrides');
  if (typeof wallOverrides !== 'function') throw new Error('walls.mjs has no wallOverrides');
  return wallOverrides();
}

function scriptExport(name: string): unknown {
  return typeof script === 'object' && script !== null ? Reflect.get(script, name) : undefined;
}
