/** Checks an open file in small steps, with a pause every few milliseconds. */
import { formatModule } from '#analysis/formats/registry.ts';
import { extFindings, readTails } from '#analysis/kernel/ext-info.ts';
import { debugFileOf, debugFileText } from '#analysis/objects/debug-file.ts';
import { hasReadableCode, readCode, type SectionCode } from '#analysis/objects/section-code.ts';
import { append } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import { type ByteSource, readAhead } from '#bytes/source.ts';
import { spanOf } from '#bytes/span.ts';
import { dwarfTitle } from '#model/dwarf.ts';
import { sectionIndex } from '#model/ids.ts';
import { btfOf, isBpf, type ObjectModel } from '#model/object-model.ts';
import { codeFindings } from './code.ts';
import { coreFindings } from './core.ts';
import { datasecFindings } from './datasecs.ts';
import { type BtfOrigin, checkKernelBtf } from './kernel-btf.ts';
import { typeFindings } from './types.ts';

/** Time between two pauses: half a frame. In a pause, other requests of the page are answered. */
const TURN_MS = 8;

/** Returns all findings. Throws `AbortError` on `signal`; rejects if `source` rejects. */
export async function lintModel(
  model: ObjectModel,
  source: ByteSource,
  signal?: AbortSignal,
): Promise<readonly Issue[]> {
  const types = btfOf(model);
  const run = <T>(work: Generator<void, T>) => inTurns(work, signal);
  const issues: Issue[] = [];
  const format = formatModule(model);
  if (format !== null) append(issues, await run(format.lint(model)));
  if (types !== null) {
    append(issues, await run(typeFindings(types, model.format === 'elf' ? '.BTF' : model.name)));
    append(issues, await run(datasecFindings(model, types)));
    append(issues, (await run(checkKernelBtf(model)))?.issues ?? []);
  } else append(issues, await dwarfNotes(model, source));
  const code = isBpf(model) ? await readAll(model, source, signal) : [];
  if (types !== null) {
    const tails = await readTails(model, source);
    append(issues, await run(extFindings(model, types, code, tails)));
  }
  if (types !== null) append(issues, await run(coreFindings(model, types, code)));
  for (const section of code) append(issues, await run(codeFindings(model, section)));
  return issues;
}

/** Returns encoder and readers of the BTF of a kernel or module; null for other files. */
export async function originOf(
  model: ObjectModel,
  signal?: AbortSignal,
): Promise<BtfOrigin | null> {
  return (await inTurns(checkKernelBtf(model), signal))?.origin ?? null;
}

/** Returns a note for a file without BTF: from which DWARF tools make BTF, or where DWARF is. */
async function dwarfNotes(model: ObjectModel, source: ByteSource): Promise<readonly Issue[]> {
  const { dwarf, sections } = model;
  if (dwarf === null) return await strippedNotes(model, source);
  const { fileOffset, byteLength } = sections;
  const title = dwarfTitle(dwarf);
  return [
    {
      severity: 'note',
      code: 'btf.only-dwarf',
      region: '.debug_info',
      message:
        dwarf.dieOffset === null
          ? `No BTF, but ${title}`
          : `No BTF: the types are those of ${title}`,
      span:
        dwarf.section === null
          ? null
          : spanOf(fileOffset[dwarf.section] ?? 0, byteLength[dwarf.section] ?? 0),
      advice: isBpf(model)
        ? 'Compile the program with clang -g --target=bpf, which writes BTF itself; pahole does not write it for BPF.'
        : 'pahole -J FILE adds a section .BTF to the file, and pahole --btf_encode_detached=FILE.btf FILE writes the BTF to a file of its own. A kernel has BTF with CONFIG_DEBUG_INFO_BTF.',
    },
  ];
}

/** Returns a note for a stripped file that names its debug file. */
async function strippedNotes(model: ObjectModel, source: ByteSource): Promise<readonly Issue[]> {
  if (isBpf(model) || model.issues.some(({ code }) => code.startsWith('dwarf.'))) return [];
  const file = await debugFileOf(model, source);
  if (file === null) return [];
  return [
    {
      severity: 'note',
      code: 'dwarf.stripped',
      region: model.name,
      message: 'No BTF and no DWARF: the file is stripped',
      span: null,
      advice: debugFileText(file),
    },
  ];
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
