// Compresses bytes with external programs.
import { run } from './tools.mjs';

export function gzip(bytes) {
  return run(['gzip', '-n9', '-c'], { input: bytes, binary: true });
}

export function bzip2Sync(bytes) {
  return run(['bzip2', '-c'], { input: bytes, binary: true });
}
