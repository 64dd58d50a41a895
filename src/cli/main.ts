/** Entry point of the `btfscope` command. */
import { setFlagsFromString } from 'node:v8';
import { expandedWords, nodeIo } from './node-io.ts';
import { run } from './run.ts';

const words = process.argv.slice(2);

/**
 * Bytecode that V8 inlines in a function, in bytes. An encoding takes a second or two, half of it
 * V8's compiler with its default of 920; inlining less costs less than it saves.
 */
const MAX_INLINED = 100;

if (words[0] === 'encode') {
  try {
    setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${MAX_INLINED}`);
  } catch {
    // Runtimes without V8 have no such flag.
  }
}
process.exitCode = await run(process.platform === 'win32' ? expandedWords(words) : words, nodeIo);
