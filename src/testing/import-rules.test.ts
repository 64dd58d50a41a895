/**
 * Checks that the import rules hold. The linter's configuration and the table in src/README.md must
 * match scripts/import-rules.mjs. The linter must enforce the configuration: the test lints one
 * import for each pair of module and target, in each form, because a rule that matches nothing
 * would pass silently. No two folders may import each other.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { JsonRow } from './json-row.ts';

type Rule = { readonly modules: readonly string[]; readonly packages: readonly string[] };
type Plant = { readonly module: string; readonly target: string; readonly allowed: boolean };

const root = fileURLToPath(new URL('../../', import.meta.url));
// The URL keeps the compiler from following the import: scripts/ has no types.
const script: unknown = await import(
  new URL('../../scripts/import-rules.mjs', import.meta.url).href
);
const config = JsonRow.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
const rules = readRules();

const UNRESTRICTED = ['app', 'testing'];
const RULES_FILE = 'biome.import-rules.json';
const STRANGERS = ['lodash', '@scope/package', 'node:fs', 'vitest', 'fast-check', 'playwright'];
const OUTSIDE = ['..', '../..'].map((dots) => `${dots}/bytes/span.ts`);

/** Forms of imports; the test replaces `NAME` and `TARGET`. */
const FORMS = {
  static: "import { a as aNAME } from 'TARGET';",
  type: "import type { B as BNAME } from 'TARGET';",
  'side effect': "import 'TARGET';",
  'export from': "export { c as cNAME } from 'TARGET';",
  dynamic: "export const dNAME = () => import('TARGET');",
};

describe('import rules', () => {
  it('are in biome.import-rules.json as scripts/import-rules.mjs writes them', () => {
    expect(JSON.parse(readFileSync(join(root, RULES_FILE), 'utf8'))).toEqual(callRuleConfig());
    expect(config.texts('extends')).toEqual([`./${RULES_FILE}`]);
  });

  it('are the table of src/README.md', () => {
    const rows = readFileSync(join(root, 'src/README.md'), 'utf8').matchAll(
      /^\| `([\w/]+)\/` +\|.*\| +([^|]*?) +\|$/gm,
    );
    const documented = [...rows].map(([, module = '', may = '']) => [module, may] as const);
    // The row of a folder lists only what the folder may import beyond its module's row.
    const expected = [...rules].map(([module, rule]) => {
      const own = module.includes('/')
        ? rule.modules.flatMap((other) => (other.includes('/') ? [other.split('/')[1]] : []))
        : rule.modules;
      return [module, own.join(', ')] as const;
    });
    expect(new Map(documented)).toEqual(
      new Map([...expected, ...UNRESTRICTED.map((m) => [m, 'all'] as const)]),
    );
  });

  it('restrict every module except those that may import anything', () => {
    const modules = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(modules.filter((name) => !rules.has(name) && !UNRESTRICTED.includes(name))).toEqual([]);
  });

  it('order every folder of a module whose folders have an order', () => {
    const folders = [...rules.keys()].filter((name) => name.includes('/'));
    for (const module of new Set(folders.map((folder) => dirname(folder)))) {
      const entries = readdirSync(join(root, 'src', module)).map((name) => `${module}/${name}`);
      expect(entries).toEqual(folders.filter((folder) => dirname(folder) === module).toSorted());
    }
  });

  it('name only restricted modules, and have no cycle', () => {
    const open = new Map([...rules].map(([module, rule]) => [module, new Set(rule.modules)]));
    for (let sorted = true; sorted; ) {
      sorted = false;
      for (const [module, modules] of open) {
        if (modules.size > 0) continue;
        open.delete(module);
        for (const others of open.values()) others.delete(module);
        sorted = true;
      }
    }
    expect([...open.keys()]).toEqual([]);
  });
});

describe('folders', () => {
  it('import no folder that imports them back', () => {
    expect(importsInCircles(folderImports())).toEqual([]);
  });

  it('in a cycle are found', () => {
    const imports = new Map([
      ['a', new Map([['a/b', 'a/x.ts → a/b/y.ts']])],
      ['a/b', new Map([['a', 'a/b/y.ts → a/z.ts']])],
      ['c', new Map([['a', 'c/w.ts → a/x.ts']])],
    ]);
    expect(importsInCircles(imports)).toEqual(['a/x.ts → a/b/y.ts', 'a/b/y.ts → a/z.ts']);
  });
});

describe.each([
  ['code', ''],
  ['tests', '.test'],
])('planted imports in %s', (_name, suffix) => {
  const plants = [...rules].flatMap(([module, rule]) => plantsIn(module, rule, suffix !== ''));
  const refused = lint(plants, suffix);

  it.each(Object.keys(FORMS))('are refused and allowed as the table says: %s', (form) => {
    const wrong = plants.filter((plant) => refused(plant, form) === plant.allowed);
    expect(wrong).toEqual([]);
  });

  it('include both refused and allowed imports', () => {
    expect(plants.filter((plant) => plant.allowed).length).toBeGreaterThan(rules.size);
    expect(plants.filter((plant) => !plant.allowed).length).toBeGreaterThan(10 * rules.size);
  });
});

function plantsIn(module: string, rule: Rule, isTest: boolean): readonly Plant[] {
  const patterns = [
    './**',
    ...[module, ...rule.modules].map((other) => `#${other}/**`),
    ...rule.packages,
    ...(isTest ? ['#testing/**', 'vitest', 'fast-check', 'node:*'] : []),
  ];
  const targets = new Set([
    './own.ts',
    './deeper/own.ts',
    ...[...rules.keys(), ...UNRESTRICTED].map((other) => `#${other}/any.ts`),
    ...[...rules.values()].flatMap((other) => other.packages.map(sampleOf)),
    ...STRANGERS,
    ...OUTSIDE,
  ]);
  return [...targets].map((target) => ({
    module,
    target,
    allowed: patterns.some((pattern) => matches(target, pattern)),
  }));
}

/** Returns true if `pattern` matches `target`. At the end `**` is any path and `*` one name. */
function matches(target: string, pattern: string): boolean {
  const start = pattern.replace(/\*+$/, '');
  if (start === pattern) return target === pattern;
  const rest = target.slice(start.length);
  return target.startsWith(start) && (pattern.endsWith('**') || !rest.includes('/'));
}

/** Lints all planted imports at once. The returned function tells if an import was rejected. */
function lint(plants: readonly Plant[], suffix: string) {
  const project = mkdtempSync(join(tmpdir(), 'btfscope-import-rules-'));
  try {
    writeFileSync(join(project, 'biome.json'), JSON.stringify(withoutVcs()));
    copyFileSync(join(root, RULES_FILE), join(project, RULES_FILE));
    for (const module of rules.keys()) {
      // In a subfolder, because most files are in one and the rules must apply there.
      mkdirSync(join(project, 'src', module, 'deep'), { recursive: true });
      const lines = plants.filter((plant) => plant.module === module);
      for (const [form, template] of Object.entries(FORMS)) {
        const text = lines.map((plant, i) =>
          template.replace('TARGET', plant.target).replace('NAME', `${i}`),
        );
        writeFileSync(join(project, fileOf(module, form, suffix)), `${text.join('\n')}\n`);
      }
    }
    const found = refusals(project);
    return ({ module, target }: Plant, form: string): boolean => {
      const line = plants.filter((p) => p.module === module).findIndex((p) => p.target === target);
      return found.has(`${fileOf(module, form, suffix)}:${line + 1}`);
    };
  } finally {
    rmSync(project, { recursive: true });
  }
}

function fileOf(module: string, form: string, suffix: string): string {
  return `src/${module}/deep/${form.replace(' ', '-')}${suffix}.ts`;
}

/** Returns the places of all rejected imports, as `FILE:LINE`. */
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

/** Returns an import path that matches a pattern. */
function sampleOf(pattern: string): string {
  return pattern.replace(/\*+$/, pattern.startsWith('#') ? 'any.ts' : 'any');
}

function readRules(): ReadonlyMap<string, Rule> {
  const table = new JsonRow(scriptExport('IMPORT_RULES'));
  return new Map(
    [...table.fields].map(([module, rule]) => {
      const row = new JsonRow(rule);
      return [module, { modules: row.texts('modules'), packages: row.texts('packages') }];
    }),
  );
}

function callRuleConfig(): unknown {
  const ruleConfig = scriptExport('importRuleConfig');
  if (typeof ruleConfig !== 'function') throw new Error('import-rules.mjs has no importRuleConfig');
  return ruleConfig();
}

function scriptExport(name: string): unknown {
  return typeof script === 'object' && script !== null ? Reflect.get(script, name) : undefined;
}

/** Returns the imports between folders of production code, each with one example. */
function folderImports(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^testing\//.test(file));
  const imports = new Map<string, Map<string, string>>();
  for (const file of files) {
    const folder = dirname(file);
    const text = readFileSync(join(root, 'src', file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*'([.#][^']+\.tsx?)'/g)) {
      const target = specifier.startsWith('#') ? specifier.slice(1) : posix.join(folder, specifier);
      const other = dirname(target);
      if (other === folder) continue;
      const found = imports.get(folder) ?? new Map<string, string>();
      found.set(other, `${file} → ${target}`);
      imports.set(folder, found);
    }
  }
  return imports;
}

/** Returns an example import for each step of a cycle of folders. */
function importsInCircles(imports: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const leadsTo = (from: string, goal: string): boolean => {
    const seen = new Set([from]);
    for (const folder of seen)
      for (const other of imports.get(folder)?.keys() ?? []) seen.add(other);
    return seen.has(goal);
  };
  return [...imports].flatMap(([folder, others]) =>
    [...others].filter(([other]) => leadsTo(other, folder)).map(([, evidence]) => evidence),
  );
}
