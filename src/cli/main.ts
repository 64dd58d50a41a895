/** The process behind `btfscope`. */
import { nodeWorld } from './node-world.ts';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), nodeWorld);
