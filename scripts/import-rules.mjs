// The import rules: which modules (folders of src/) each module may import. As a command, writes
// them to biome.import-rules.json, which biome.json extends; src/testing/import-rules.test.ts
// checks that the linter enforces them. Some modules have ordered folders: a file may import its
// own folder and the folders before it.
import { writeFileSync } from 'node:fs';

const react = [
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-runtime',
  'react-error-boundary',
  'lucide-react',
];
const primitives = ['@base-ui/react/*', '@tanstack/react-virtual', 'react-resizable-panels'];
const drawing = ['d3-hierarchy', 'd3-zoom', 'd3-selection', 'uqr'];

// Constants of file formats that views also use: kinds, instructions, section types; no readers.
const vocabulary = [
  '#formats/btf/kinds.ts',
  '#formats/bpf/*',
  '#formats/elf/constants.ts',
  '#formats/elf/section-types.ts',
];

// Files of the worker that a view may import to start its own worker.
const workerClient = ['#worker/client.ts', '#worker/protocol.ts'];

/** Returns the rules of a module and its folders. Each folder may import the folders before it. */
function ordered(module, folders, rule) {
  const paths = folders.map((folder) => `${module}/${folder}`);
  const rules = paths.map((path, i) => [
    path,
    { ...rule, modules: [...rule.modules, ...paths.slice(0, i)] },
  ]);
  return { [module]: rule, ...Object.fromEntries(rules) };
}

/** Modules and packages that each module or folder may import, besides its own files. */
export const IMPORT_RULES = {
  bytes: { modules: [], packages: [] },
  formats: { modules: ['bytes'], packages: ['@noble/hashes/*'] },
  model: { modules: ['bytes', 'formats'], packages: [] },
  ingest: { modules: ['bytes', 'formats', 'model'], packages: [] },
  analysis: {
    modules: ['bytes', 'formats', 'model'],
    packages: ['@leeoniya/ufuzzy', 'squirreling'],
  },
  print: { modules: ['bytes', 'formats', 'model', 'analysis'], packages: [] },
  worker: {
    modules: ['bytes', 'model', 'ingest', 'analysis', 'print'],
    packages: ['@noble/hashes/*'],
  },
  cli: {
    modules: ['bytes', 'formats', 'model', 'ingest', 'analysis', 'print'],
    packages: [
      'node:*',
      'hyparquet',
      // Reader of columns, which src/cli/parquet-pages.ts uses for page headers.
      'hyparquet/src/column.js',
      'hyparquet-writer',
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/server/stdio',
      'zod',
    ],
  },
  lib: {
    modules: ['bytes', 'formats', 'model', 'ingest', 'analysis', 'print'],
    packages: [],
  },
  glossary: { modules: ['bytes', 'model', 'analysis'], packages: [...vocabulary] },
  lessons: {
    modules: ['bytes', 'model', 'analysis'],
    packages: ['mdast', 'mdast-util-from-markdown', 'mdast-util-to-string', ...vocabulary],
  },
  ...ordered('store', ['page', 'kept', 'session', 'kernels', 'address', 'lesson'], {
    modules: ['bytes', 'model', 'analysis', 'glossary', 'lessons', 'worker'],
    packages: ['react', 'zustand', 'zustand/vanilla', 'idb-keyval'],
  }),
  ui: { modules: [], packages: [...react, ...primitives] },
  views: {
    modules: ['bytes', 'model', 'analysis', 'print', 'glossary', 'lessons', 'store', 'ui'],
    packages: [
      ...react,
      ...primitives,
      ...drawing,
      ...vocabulary,
      ...workerClient,
      'mdast',
      'zustand',
    ],
  },
};

const TEST_EXTRAS = ['#testing/**', 'vitest', 'fast-check', 'node:*'];

function restriction(module, isTest) {
  const { modules, packages } = IMPORT_RULES[module];
  const allowed = [
    './**',
    `#${module}/**`,
    ...modules.map((other) => `#${other}/**`),
    ...packages,
    ...(isTest ? TEST_EXTRAS : []),
  ];
  return {
    level: 'error',
    options: {
      patterns: [
        {
          group: ['**', ...allowed.map((pattern) => `!${pattern}`)],
          message: `src/${module} may import only: ${[...modules, ...packages].join(', ') || 'nothing'}. See src/README.md.`,
        },
      ],
    },
  };
}

/** Returns the linter's configuration for the rules, for code and for tests. */
export function importRuleConfig() {
  const tests = (module) => [`src/${module}/**/*.test.ts`, `src/${module}/**/*.test.tsx`];
  const override = (includes, module, isTest) => ({
    includes,
    linter: { rules: { style: { noRestrictedImports: restriction(module, isTest) } } },
  });
  return {
    overrides: Object.keys(IMPORT_RULES).flatMap((module) => [
      override(
        [`src/${module}/**`, ...tests(module).map((pattern) => `!${pattern}`)],
        module,
        false,
      ),
      override(tests(module), module, true),
    ]),
  };
}

if (process.argv[1]?.endsWith('import-rules.mjs')) {
  const file = new URL('../biome.import-rules.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(importRuleConfig(), null, 2)}\n`);
}
