/** `btfscope disasm`: prints the code of an object with its relocations. */
import { codeListing } from '#analysis/code/code-listing.ts';
import type { SourceLine } from '#analysis/code/source-lines.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import type { Insn } from '#formats/bpf/insn.ts';
import { type CoreIndex, type RelocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import { hasBpfCode, isAlpha, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { alphaListing, alphaRows } from '#print/alpha-listing.ts';
import { disassembly } from '#print/disassembly.ts';
import { insnText } from '#print/insn.ts';
import { type Call, type Command, CommandFailure, flag } from './command.ts';
import { LAYOUT, layoutIn } from './layout-option.ts';
import { openObject } from './open.ts';

export const disasm: Command = {
  name: 'disasm',
  positionals: ['FILE'],
  options: [
    flag('no-raw', 'omit the bytes of each instruction'),
    flag('lines', 'print the source lines of line_info'),
    flag('decimal', 'print decimal numbers in instructions, as --print-imm-hex=false does'),
    LAYOUT,
    flag('json', 'print JSON, one row per instruction'),
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const path = call.positional(0);
  const { model, source } = await openObject(call.io, path);
  if (isAlpha(model)) {
    const layout = layoutIn(call, model);
    if (call.has('json'))
      return await call.print(
        () => alphaInsns(model, source, layout),
        () => [],
      );
    const listing = alphaListing(model, source, { raw: !call.has('no-raw'), layout });
    for await (const lines of listing) await call.writeLines(lines);
    return;
  }
  if (!hasBpfCode(model)) throw new CommandFailure(`${visible(path)} has no BPF code`);
  const raw = !call.has('no-raw');
  if (call.has('json')) {
    const sections = await codeSections(model, source);
    return await call.print(
      () => insnRows(model, sections, call.has('decimal')),
      () => [],
    );
  }
  const options = {
    path: visible(path),
    raw,
    lines: call.has('lines'),
    decimal: call.has('decimal'),
  };
  for await (const lines of disassembly(model, source, options)) await call.writeLines(lines);
}

/** Yields each instruction of Alpha with its function, address and relocations. */
async function* alphaInsns(
  model: ObjectModel,
  source: ByteSource,
  layout: RelocationLayout | null,
) {
  for await (const row of alphaRows(model, source, layout)) {
    yield {
      section: sectionName(model.sections, row.section),
      function: row.func,
      insn_off: row.offset,
      file_offset: row.fileOffset,
      bytes: Buffer.from(row.bytes).toString('hex'),
      text: row.text,
      source: null,
      core: [],
      relocations: row.relocations.map((reloc) => relocFacts(model, reloc)),
    };
  }
}

type CodeSection = { readonly index: SectionIndex; readonly bytes: Uint8Array };

async function codeSections(model: ObjectModel, source: ByteSource): Promise<CodeSection[]> {
  const sections: CodeSection[] = [];
  for (let i = 1; i < model.sections.count; i++) {
    const index = sectionIndex(i);
    if (!isCode(model.sections, index)) continue;
    const start = model.sections.fileOffset[i] ?? 0;
    const end = start + (model.sections.byteLength[i] ?? 0);
    sections.push({ index, bytes: await source.read(start, end) });
  }
  return sections;
}

/** Yields each instruction with its function, source line, relocations and CO-RE records. */
function* insnRows(model: ObjectModel, sections: readonly CodeSection[], decimal: boolean) {
  for (const { index, bytes } of sections) {
    const listing = codeListing(model, index, bytes);
    const section = sectionName(model.sections, index);
    let func: string | null = null;
    let source: SourceLine | null = null;
    let insn: Insn | null = null;
    let cores: CoreIndex[] = [];
    let relocs: RelocIndex[] = [];
    const row = (of: Insn) => ({
      section,
      function: func,
      insn_off: of.offset,
      file_offset: (model.sections.fileOffset[index] ?? 0) + of.offset,
      bytes: Buffer.from(bytes.subarray(of.offset, of.offset + of.length)).toString('hex'),
      text: insnText(of, decimal),
      source: source && {
        file: source.file,
        line: source.line,
        column: source.column,
        text: source.text,
      },
      core: cores.map((core) => coreFacts(model, core)),
      relocations: relocs.map((reloc) => relocFacts(model, reloc)),
    });
    for (let i = 0; i < listing.count; i++) {
      const next = listing.rowAt(i);
      if (next?.kind === 'core') cores.push(next.core);
      else if (next?.kind === 'relocation') relocs.push(next.reloc);
      else {
        if (insn !== null) yield row(insn);
        [insn, cores, relocs] = [next?.kind === 'insn' ? next.insn : null, [], []];
        if (next?.kind === 'function') func = next.func.name;
        if (next?.kind === 'source') source = next.line;
      }
    }
    if (insn !== null) yield row(insn);
  }
}

function coreFacts(model: ObjectModel, core: CoreIndex) {
  const { kindName, root, accessStr } = coreRecord(model, core);
  return { kind: kindName, type_id: root, access_str: accessStr };
}

function relocFacts(model: ObjectModel, reloc: RelocIndex) {
  const { typeName, symbolText, result, target } = relocationMeaning(model, reloc);
  return { type: typeName, symbol: symbolText, result, target: target?.name ?? null };
}
