/** Entry point of the `btfscope` command. */
import { expandedWords, nodeIo } from './node-io.ts';
import { run } from './run.ts';

const words = process.argv.slice(2);
process.exitCode = await run(process.platform === 'win32' ? expandedWords(words) : words, nodeIo);
