/** All commands, in the order in which the help lists them. */
import type { Command } from './command.ts';
import { check } from './commands/check.ts';
import { core } from './commands/core.ts';
import { data } from './commands/data.ts';
import { disasm } from './commands/disasm.ts';
import { c, json, pahole, raw } from './commands/dump.ts';
import { info } from './commands/info.ts';
import { min } from './commands/min.ts';
import { relocs } from './commands/relocs.ts';
import { where } from './commands/where.ts';

export const commands: readonly Command[] = [
  info,
  raw,
  json,
  c,
  pahole,
  disasm,
  relocs,
  data,
  where,
  core,
  min,
  check,
];
