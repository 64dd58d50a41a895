/**
 * All commands, in the order in which the help lists them. Each is loaded when it
 * is called: a dump need not wait for the code of a check.
 */
import type { Command } from './command.ts';

const dumps = () => import('./commands/dump.ts');

const LOADERS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['info', async () => (await import('./commands/info.ts')).info],
  ['raw', async () => (await dumps()).raw],
  ['json', async () => (await dumps()).json],
  ['c', async () => (await dumps()).c],
  ['pahole', async () => (await dumps()).pahole],
  ['disasm', async () => (await import('./commands/disasm.ts')).disasm],
  ['relocs', async () => (await import('./commands/relocs.ts')).relocs],
  ['data', async () => (await import('./commands/data.ts')).data],
  ['where', async () => (await import('./commands/where.ts')).where],
  ['core', async () => (await import('./commands/core.ts')).core],
  ['paths', async () => (await import('./commands/paths.ts')).paths],
  ['min', async () => (await import('./commands/min.ts')).min],
  ['diff', async () => (await import('./commands/diff.ts')).diff],
  ['check', async () => (await import('./commands/check.ts')).check],
]);

/** The command of that name; null where there is none. */
export async function commandNamed(name: string): Promise<Command | null> {
  return (await LOADERS.get(name)?.()) ?? null;
}

/** All of them, for the help. */
export function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Array.from(LOADERS.values(), (load) => load()));
}
