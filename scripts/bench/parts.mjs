// The parts of the bench, in the order in which they run. Each gets a stage: the
// input, how many runs, a folder for scratch, and what is built when it is asked for.
import { measureCode } from './code.mjs';
import { measureCore } from './core.mjs';
import { measurePage } from './page.mjs';
import { compareWithTools } from './tools.mjs';

/** Adding a part: its file here in the folder, and a line. `run` prints what it measured. */
export const PARTS = {
  page: { about: 'in the browser: drop, list, filter, tabs, memory', run: measurePage },
  tools: { about: 'our command beside the tools whose text it prints', run: compareWithTools },
  code: { about: 'disassembly, the owner of a byte, scrolling 300 MB', run: measureCode },
  core: { about: 'CO-RE relocations', run: measureCore },
};
