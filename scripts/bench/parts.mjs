// The parts of the bench, in the order in which they run. Each part gets the input, the number of
// runs, a folder for files, and functions that build programs on demand.
import { measureAtlas } from './atlas.mjs';
import { measureCode } from './code.mjs';
import { measureCompare } from './compare.mjs';
import { measureCore } from './core.mjs';
import { measureEncode } from './encode.mjs';
import { measureFind } from './find.mjs';
import { measureGraph } from './graph.mjs';
import { measureGrowth } from './growth.mjs';
import { measureLoad } from './load.mjs';
import { measureLog } from './log.mjs';
import { measureFleet, measureMany } from './many.mjs';
import { measurePage } from './page.mjs';
import { measurePaths } from './paths.mjs';
import { measureSize } from './size.mjs';
import { compareWithTools } from './tools.mjs';
import { measureUnpack } from './unpack.mjs';

/**
 * Parts by name. `about` describes a part, `run` measures and prints. To add a part, add a file to
 * this folder and an entry here.
 */
export const PARTS = {
  page: { about: 'in the browser: drop, list, filter, tabs, memory', run: measurePage },
  growth: {
    about: 'cost and memory of a type, from 10,000 types to 1,000,000',
    run: measureGrowth,
  },
  size: { about: 'files larger than any that people have', run: measureSize },
  memory: { about: 'one kernel opened and closed 100 times', run: measureMany },
  fleet: { about: 'fifty kernels opened, an object judged on all, closed', run: measureFleet },
  tools: { about: 'our command beside the tools whose text it prints', run: compareWithTools },
  encode: {
    about: 'BTF of DWARF beside pahole, of a module that --file names',
    run: measureEncode,
  },
  unpack: { about: 'gzip, xz, zstd and lz4 beside the tools', run: measureUnpack },
  code: { about: 'disassembly, the owner of a byte, scrolling 300 MB', run: measureCode },
  compare: { about: 'two kernels beside each other', run: measureCompare },
  find: { about: 'strokes in the palette, and its index', run: measureFind },
  core: { about: 'CO-RE relocations', run: measureCore },
  load: { about: 'verdicts on loading objects', run: measureLoad },
  log: { about: 'logs of the verifier: a million lines, 100 MB', run: measureLog },
  paths: { about: 'paths from a type to another, or to a field', run: measurePaths },
  atlas: {
    about: 'atlases of kernels: size, build, questions, DuckDB beside them',
    run: measureAtlas,
  },
  graph: { about: 'layout of the type graph beside dagre', run: measureGraph },
};
