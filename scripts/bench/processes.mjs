// Runs commands as processes and measures their time.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a command with its output into a file, as `> file` does. Returns the milliseconds. */
export function timeProcess(command, args, scratch) {
  const fd = openSync(join(scratch, 'output'), 'w');
  const start = performance.now();
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', fd, 'ignore'] });
  const ms = performance.now() - start;
  closeSync(fd);
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
  return ms;
}

/** Returns true if a tool is installed. */
export function isInstalled(tool) {
  return !spawnSync(tool, ['--version'], { stdio: 'ignore' }).error;
}

/** Returns milliseconds as text for a table. */
export function shown(value) {
  return value.toFixed(value >= 100 ? 0 : 1);
}
