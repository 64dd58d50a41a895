import type { SourceLine } from '#analysis/code/source-lines.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex, RelocIndex } from '#model/ids.ts';
import { formatName, insnSlot, isBpf, type ObjectModel } from '#model/object-model.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './ListingCells.module.css';
import columns from './listing-columns.module.css';
import { relocationText } from './listing-rows.ts';

type FunctionCellProps = {
  readonly model: ObjectModel;
  readonly func: FunctionRange;
};

/** The heading of a function. */
export function FunctionCell({ model, func }: FunctionCellProps) {
  const slots = Math.floor((func.end - func.start) / insnSlot(model));
  return (
    <span className={styles.function}>
      <span className={styles.functionName}>
        <Name text={func.name} otherwise="(no name)" />
      </span>
      <span className="muted">
        {isBpf(model)
          ? `${func.isProgram ? 'program' : 'subprogram'}, ${countOf(slots, 'slot')}`
          : countOf(slots, 'instruction')}
      </span>
    </span>
  );
}

/** `prog.bpf.c:42`. */
export function SourcePlace({ line }: { readonly line: SourceLine }) {
  const file = drawnName(line.file);
  return (
    <span className="muted" title={`${file}:${line.line}`}>
      {file.slice(file.lastIndexOf('/') + 1)}:{line.line}
    </span>
  );
}

type SourceCellProps = {
  readonly line: SourceLine;
  readonly hasPlace: boolean;
};

/** A line of the source, as line_info holds it. */
export function SourceCell({ line, hasPlace }: SourceCellProps) {
  return (
    <span className={styles.source}>
      {hasPlace ? <span className="muted">{line.line} </span> : null}
      {line.text === '' ? <span className="muted">(no text)</span> : drawnName(line.text.trim())}
    </span>
  );
}

type ElfCellProps = {
  readonly model: ObjectModel;
  readonly reloc: RelocIndex;
  readonly hasWord: boolean;
};

/** A relocation under its instruction: `R_BPF_64_32 lfunc`. */
export function ElfCell({ model, reloc, hasWord }: ElfCellProps) {
  const meaning = relocationMeaning(model, reloc);
  return (
    <span className={styles.elf}>
      {hasWord ? <span className={columns.elf}>{formatName(model)}</span> : null}
      {drawnName(relocationText(meaning))}
    </span>
  );
}

type CoreCellProps = {
  readonly model: ObjectModel;
  readonly core: CoreIndex;
  readonly hasWord: boolean;
};

/** A CO-RE record under its instruction, as llvm-objdump writes it. */
export function CoreCell({ model, core, hasWord }: CoreCellProps) {
  return (
    <span className={styles.core}>
      {hasWord ? <span className={columns.core}>CO-RE</span> : null}
      {model.types === null
        ? null
        : drawnName(coreRelocationText(model.types, coreRecord(model, core)))}
    </span>
  );
}
