/** `btfscope explain`: tells why each log of a verifier or loader is of a failure. */

import type { LogTarget } from '#analysis/log/link-log.ts';
import { compareLogs } from '#analysis/verifier/compare-logs.ts';
import { explainLog, isFailed } from '#analysis/verifier/explain-log.ts';
import { lineRow } from '#analysis/verifier/line-row.ts';
import { type LogTable, logTableSteps } from '#analysis/verifier/log-table.ts';
import { finish } from '#bytes/long-work.ts';
import { counted, visible } from '#bytes/text.ts';
import { readPlain } from '#ingest/unpack.ts';
import { compareFields, compareLines } from '#print/compare-logs.ts';
import { explainAnnotation, explainMarkdown } from '#print/explain-report.ts';
import { explainFields, explainLines } from '#print/explain-text.ts';
import {
  BadVerdict,
  type Call,
  type Command,
  CommandFailure,
  Failures,
  flag,
  jsonText,
  repeated,
  UsageError,
  valued,
} from './command.ts';
import { openObject, openTypes } from './open.ts';

export const explain: Command = {
  name: 'explain',
  positionals: ['LOG…'],
  options: [
    valued('object', 'PATH', 'the object that was loaded: its types, source lines and records'),
    repeated('kernel', 'BTF', 'a kernel: names are searched in its types'),
    flag('compare', 'compare two logs: where the second one begins to know less'),
    flag('lines', 'print each line of LOG with its class and the state of the registers'),
    flag('json', 'print JSON, one object per log; with --lines one per line'),
    flag('markdown', 'print a summary as Markdown'),
    flag('annotations', 'print annotations as GitHub reads them'),
  ],
  more: [
    'LOG is a log of libbpf, cilium/ebpf, aya, bpftool, veristat or the verifier; it may hold several.',
    'The exit status is 1 if one of them is of a failure.',
    'With --compare two LOGs of one program are aligned by source line and instruction.',
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const { io } = call;
  if (call.has('compare')) {
    await compare(call);
    return;
  }
  const path = call.option('object');
  const object = path === null ? null : await openObject(io, path);
  const kernels: LogTarget[] = [];
  for (const kernel of call.all('kernel')) {
    const opened = await openTypes(io, kernel, null);
    kernels.push({ name: opened.model.name, types: opened.types });
  }
  const files = { model: object?.model ?? null, kernels };
  const isJson = call.has('json');
  const isText = !isJson && !call.has('markdown') && !call.has('annotations');
  const failures = new Failures();
  let failed = 0;
  let count = 0;
  for (const name of call.positionals) {
    const table = await openLog(call, name).catch(failures.add);
    if (table === undefined) continue;
    if (call.has('lines')) {
      await call.writeLines(lineTexts(table, isJson));
      continue;
    }
    if (isText && call.positionals.length > 1) await call.writeLines([`${visible(name)}:`]);
    for (const log of await explainLog(table, object, kernels)) {
      count++;
      if (isFailed(log)) failed++;
      const annotation = call.has('annotations') ? explainAnnotation(log) : null;
      if (isJson) await call.writeLines([jsonText(explainFields(name, log, files))]);
      else if (call.has('markdown')) await call.writeLines(escaped(explainMarkdown(log)));
      else if (call.has('annotations'))
        await call.writeLines(annotation === null ? [] : [annotation]);
      else await call.writeLines(escaped(explainLines(log, files)));
    }
  }
  failures.throwIfAny(io);
  if (failed > 0) throw new BadVerdict(`${failed} of ${counted(count, 'log')} of a failure`);
}

/** Compares the logs of two texts. */
async function compare(call: Call): Promise<void> {
  const [one = '', two = '', ...more] = call.positionals;
  if (two === '' || more.length > 0) throw new UsageError('--compare needs two logs');
  const tables = [await openLog(call, one), await openLog(call, two)] as const;
  const logs = compareLogs(...tables);
  if (logs.length === 0) {
    throw new CommandFailure(
      `${visible(one)}, ${visible(two)}: no walked instructions to compare: load with log level 1 or 2`,
    );
  }
  for (const log of logs) {
    await call.writeLines(
      call.has('json') ? [jsonText(compareFields([one, two], log))] : escaped(compareLines(log)),
    );
  }
}

async function openLog({ io }: Call, name: string): Promise<LogTable> {
  return finish(logTableSteps(await readPlain(await io.open(name))));
}

function* escaped(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield line.split('\t').map(visible).join('\t');
}

function* lineTexts(table: LogTable, isJson: boolean): Generator<string> {
  for (let line = 0; line < table.lineCount; line++) {
    yield isJson
      ? jsonText(lineRow(line + 1, table.line(line)))
      : visible(`${line + 1} ${table.classOf(line)}: ${table.textOf(line)}`);
  }
}
