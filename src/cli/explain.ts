/** `btfscope explain`: prints the lines of a loader's log with explanations. */
import { coreRecord } from '#analysis/core/core-records.ts';
import { explainLine } from '#analysis/log/explain.ts';
import { type LineLink, type LogTarget, logLinker } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { logLines } from '#analysis/log/parse-log.ts';
import { visible } from '#bytes/text.ts';
import { readText } from '#ingest/unpack.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { nameOf, recordIn } from '#model/type-table.ts';
import { type Call, type Command, flag, repeated, valued } from './command.ts';
import { openObject, openTypes } from './open.ts';

export const explain: Command = {
  name: 'explain',
  positionals: ['FILE'],
  options: [
    valued('object', 'PATH', 'the object that was loaded: lines are linked to its records'),
    repeated('kernel', 'BTF', 'a kernel: names are searched in its types'),
    flag('json', 'print JSON, one row per line that is known'),
  ],
  more: ['FILE is a log of libbpf, cilium/ebpf, aya or the verifier.'],
  run,
};

async function run(call: Call): Promise<void> {
  const { io } = call;
  const text = await readText(await io.open(call.positional(0)));
  const path = call.option('object');
  const model = path === null ? null : (await openObject(io, path)).model;
  const kernels: LogTarget[] = [];
  for (const kernel of call.all('kernel')) {
    const opened = await openTypes(io, kernel, null);
    kernels.push({ name: opened.model.name, types: opened.types });
  }
  const link = logLinker(model, kernels);
  await call.print(
    () => rows(text, link, model, kernels),
    () => lines(text, link, model, kernels),
  );
}

type Link = (line: LogLine) => LineLink | null;

function* rows(text: string, link: Link, model: ObjectModel | null, kernels: readonly LogTarget[]) {
  for (const line of logLines(text)) {
    const sentence = explainLine(line);
    if (sentence === '') continue;
    const links = link(line);
    yield {
      line: line.lineNumber + 1,
      text: line.text,
      source: line.source,
      event: line.event?.event ?? null,
      sentence,
      program: line.prog,
      relo_index: line.reloIndex,
      record: recordFacts(model, links),
      kernels: (links?.targets ?? []).map(({ target, types }) => ({
        kernel: kernels[target]?.name ?? '',
        types: types.map(({ root, fault }) => typeFacts(kernels[target], root, fault)),
      })),
    };
  }
}

function recordFacts(model: ObjectModel | null, links: LineLink | null) {
  if (model === null || links === null || links.record === null) return null;
  const { sectionName, insnOff, kindName, root, accessStr, span } = coreRecord(
    model,
    coreIndex(links.record),
  );
  return {
    section: sectionName,
    insn_off: insnOff,
    kind: kindName,
    type_id: root,
    access_str: accessStr,
    span,
  };
}

type Found = LineLink['targets'][number]['types'][number];

/** Returns the kernel's type that a log line names, and the member that this type lacks. */
function typeFacts(kernel: LogTarget | undefined, root: Found['root'], fault: Found['fault']) {
  return {
    type_id: root,
    name: kernel === undefined ? '' : nameOf(kernel.types, root),
    record: kernel === undefined ? null : recordIn(kernel.types, root),
    missing: fault && { reason: fault.reason, name: fault.name, near: fault.near },
  };
}

/** Yields all lines of the log. A known line is followed by its explanation. */
function* lines(
  text: string,
  link: Link,
  model: ObjectModel | null,
  kernels: readonly LogTarget[],
): Generator<string> {
  for (const line of logLines(text)) {
    yield visible(line.text);
    const sentence = explainLine(line);
    if (sentence === '') continue;
    yield visible(`    ${sentence}`);
    const links = link(line);
    const record = recordFacts(model, links);
    if (record !== null) {
      yield visible(
        `    record: ${record.kind} of [${record.type_id}], ${record.access_str}, at ${record.section}+${record.insn_off}`,
      );
    }
    for (const { target, types } of links?.targets ?? []) {
      for (const found of types) {
        const { type_id, name, missing } = typeFacts(kernels[target], found.root, found.fault);
        const near =
          missing === null || missing.near.length === 0
            ? ''
            : `; did you mean: ${missing.near.join(', ')}`;
        const has =
          missing === null ? 'has it' : `does not have "${missing.name ?? 'the element'}"${near}`;
        yield visible(`    ${kernels[target]?.name}: [${type_id}] ${name} ${has}`);
      }
    }
  }
}
