/** Checks an open file in small steps, with a pause every few milliseconds. */
import { formatModule } from '#analysis/formats/registry.ts';
import { extFindings, readTails } from '#analysis/kernel/ext-info.ts';
import { hasReadableCode, readCode, type SectionCode } from '#analysis/objects/section-code.ts';
import { append } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import { type ByteSource, readAhead } from '#bytes/source.ts';
import { sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { codeFindings } from './code.ts';
import { coreFindings } from './core.ts';
import { typeFindings } from './types.ts';

/** Time between two pauses: half a frame. In a pause, other requests of the page are answered. */
const TURN_MS = 8;

/** Returns all findings. Throws `AbortError` on `signal`; rejects if `source` rejects. */
export async function lintModel(
  model: ObjectModel,
  source: ByteSource,
  signal?: AbortSignal,
): Promise<readonly Issue[]> {
  const { types } = model;
  const run = <T>(work: Generator<void, T>) => inTurns(work, signal);
  const issues: Issue[] = [];
  const format = formatModule(model);
  if (format !== null) append(issues, await run(format.lint(model)));
  if (types !== null) {
    append(issues, await run(typeFindings(types, model.format === 'elf' ? '.BTF' : model.name)));
  }
  const code = isBpf(model) ? await readAll(model, source, signal) : [];
  if (types !== null) {
    const tails = await readTails(model, source);
    append(issues, await run(extFindings(model, types, code, tails)));
  }
  if (types !== null) append(issues, await run(coreFindings(model, types, code)));
  for (const section of code) append(issues, await run(codeFindings(model, section)));
  return issues;
}

/** Returns the findings of func_info and line_info. Rejects if `source` rejects. */
export async function lintProgramInfo(
  model: ObjectModel,
  source: ByteSource,
): Promise<readonly Issue[]> {
  if (model.types === null) return [];
  const code = isBpf(model) ? await readAll(model, source) : [];
  const tails = await readTails(model, source);
  return inTurns(extFindings(model, model.types, code, tails));
}

/** Maximum bytes of code that are checked: in damaged files, sections may overlap. */
const MAX_CODE_BYTES = 256 * 1024 * 1024;

async function readAll(
  model: ObjectModel,
  source: ByteSource,
  signal?: AbortSignal,
): Promise<SectionCode[]> {
  const sections: SectionCode[] = [];
  const ahead = readAhead(source);
  let total = 0;
  for (let i = 1; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    if (!hasReadableCode(model.sections, section)) continue;
    signal?.throwIfAborted();
    const code = await readCode(model, ahead, section);
    total += code.bytes.length;
    if (total > MAX_CODE_BYTES) break;
    sections.push(code);
  }
  return sections;
}

async function inTurns<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let started = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - started < TURN_MS) continue;
    await new Promise<void>((resolve) => {
      setTimeout(resolve);
    });
    signal?.throwIfAborted();
    started = performance.now();
  }
}
