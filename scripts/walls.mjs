// The import walls: which room may import which. `npm run fix:walls` writes them
// into biome.json; src/testing/walls.test.ts plants forbidden imports to prove them.
import { readFileSync, writeFileSync } from 'node:fs';

const react = [
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-runtime',
  'react-error-boundary',
  'lucide-react',
];
const primitives = ['@base-ui/react/*', '@tanstack/react-virtual', 'react-resizable-panels'];
const drawing = ['d3-zoom', 'd3-selection', 'uqr'];

// The words of the field that views speak too: kinds, instructions, section types; no readers.
const vocabulary = ['#formats/btf/kinds.ts', '#formats/bpf/*', '#formats/elf/section-types.ts'];

/** Room → the rooms and packages that it may import, beside its own files. */
export const WALLS = {
  bytes: { rooms: [], packages: [] },
  formats: { rooms: ['bytes'], packages: ['@noble/hashes/*'] },
  model: { rooms: ['bytes', 'formats'], packages: [] },
  ingest: { rooms: ['bytes', 'formats', 'model'], packages: [] },
  analysis: { rooms: ['bytes', 'formats', 'model'], packages: ['@leeoniya/ufuzzy'] },
  print: { rooms: ['bytes', 'formats', 'model', 'analysis'], packages: [] },
  worker: {
    rooms: ['bytes', 'model', 'ingest', 'analysis', 'print'],
    packages: ['@noble/hashes/*'],
  },
  cli: {
    rooms: ['bytes', 'formats', 'model', 'ingest', 'analysis', 'print'],
    packages: ['node:*'],
  },
  lessons: {
    rooms: ['bytes', 'model', 'analysis'],
    packages: ['mdast', 'mdast-util-from-markdown', 'mdast-util-to-string', ...vocabulary],
  },
  store: {
    rooms: ['bytes', 'model', 'analysis', 'lessons', 'worker'],
    packages: ['react', 'zustand', 'zustand/vanilla', 'idb-keyval'],
  },
  ui: { rooms: [], packages: [...react, ...primitives] },
  views: {
    rooms: ['bytes', 'model', 'analysis', 'print', 'lessons', 'store', 'ui'],
    packages: [...react, ...primitives, ...drawing, ...vocabulary, 'mdast'],
  },
};

const TEST_EXTRAS = ['#testing/**', 'vitest', 'fast-check', 'node:*'];

function restriction(room, isTest) {
  const { rooms, packages } = WALLS[room];
  const allowed = [
    './**',
    `#${room}/**`,
    ...rooms.map((r) => `#${r}/**`),
    ...packages,
    ...(isTest ? TEST_EXTRAS : []),
  ];
  return {
    level: 'error',
    options: {
      patterns: [
        {
          group: ['**', ...allowed.map((a) => `!${a}`)],
          message: `src/${room} may import only: ${[...rooms, ...packages].join(', ') || 'nothing'}. See src/README.md.`,
        },
      ],
    },
  };
}

export function wallOverrides() {
  const overrides = [];
  for (const room of Object.keys(WALLS)) {
    overrides.push({
      includes: [`src/${room}/**`, `!src/${room}/**/*.test.ts`, `!src/${room}/**/*.test.tsx`],
      linter: { rules: { style: { noRestrictedImports: restriction(room, false) } } },
    });
    overrides.push({
      includes: [`src/${room}/**/*.test.ts`, `src/${room}/**/*.test.tsx`],
      linter: { rules: { style: { noRestrictedImports: restriction(room, true) } } },
    });
  }
  return overrides;
}

if (process.argv[1]?.endsWith('walls.mjs')) {
  const file = new URL('../biome.json', import.meta.url);
  const config = JSON.parse(readFileSync(file, 'utf8'));
  const others = (config.overrides ?? []).filter(
    (o) => !o.linter?.rules?.style?.noRestrictedImports,
  );
  config.overrides = [...others, ...wallOverrides()];
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`);
}
