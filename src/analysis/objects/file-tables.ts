/**
 * The parts of a file beside its sections, where no section header speaks of
 * them: headers, tables of relocation entries, symbols and their names. Empty for
 * ELF and BTF, whose own parts are in `anatomy/regions.ts`.
 */
import type { Span } from '#bytes/span.ts';
import { spanOf } from '#bytes/span.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { EXTERNAL_SIZE } from '#formats/ecoff/external-symbols.ts';
import { FILE_HEADER, SYMBOLIC_HEADER } from '#formats/ecoff/headers.ts';
import { RELOCATION_SIZE } from '#formats/ecoff/relocations.ts';
import { SECTION_HEADER } from '#formats/ecoff/section-headers.ts';
import type { ObjectModel } from '#model/object-model.ts';

export type FileTable = Span & {
  /** Raw text: `relocations of .text`. */
  readonly label: string;
  readonly what:
    | 'file-header'
    | 'optional-header'
    | 'section-headers'
    | 'relocations'
    | 'symbolic-header'
    | 'symbols'
    | 'strings';
  /** For relocations the number of their table in the file; 0 for all else. */
  readonly index: number;
};

/** The tables that have bytes, headers first. They may lie over each other in damaged files. */
export function fileTables({ ecoff }: ObjectModel): readonly FileTable[] {
  return ecoff === null ? [] : [...ecoffTables(ecoff)].filter(({ start, end }) => start < end);
}

function* ecoffTables(file: EcoffFile): Generator<FileTable> {
  const { header, sections, symbolic, externals } = file;
  yield table('file-header', 'file header', 0, FILE_HEADER.size);
  yield table('optional-header', 'optional header', FILE_HEADER.size, header.fOpthdr);
  const headersAt = FILE_HEADER.size + header.fOpthdr;
  yield table(
    'section-headers',
    'section headers',
    headersAt,
    sections.length * SECTION_HEADER.size,
  );
  for (const [index, entries] of file.relocations.entries()) {
    const name = sections[entries.section]?.name ?? '';
    const { fileOffset, count } = entries;
    const label = `relocations of ${name}`;
    yield { ...table('relocations', label, fileOffset, count * RELOCATION_SIZE), index };
  }
  if (symbolic !== null) {
    yield table('symbolic-header', 'symbolic header', symbolic.fileOffset, SYMBOLIC_HEADER.size);
  }
  if (symbolic === null || externals === null) return;
  yield table('symbols', 'external symbols', externals.fileOffset, externals.count * EXTERNAL_SIZE);
  const stringsAt = Number(BigInt.asUintN(52, symbolic.cbSsExtOffset));
  yield table('strings', 'external strings', stringsAt, externals.strings.length);
}

function table(what: FileTable['what'], label: string, start: number, length: number): FileTable {
  return { ...spanOf(start, length), what, label, index: 0 };
}
