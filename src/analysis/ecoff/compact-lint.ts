/** Checks compact relocations: Tru64 UNIX Object File Specification, 4.4.2.2 to 4.4.2.6. */
import { type Finding, type Issue, IssueCollector } from '#bytes/issue.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import {
  areAdjusted,
  COMPACT_EXPRESSION,
  COMPACT_GP_VALUE,
  COMPACT_RECORD,
  COMPACT_SECTION,
  type CompactRecord,
  type CompactRelocations,
  type CompactSection,
  compactExpressionAt,
  compactOwners,
  compactRecordAt,
  gpValueOwners,
} from '#formats/ecoff/compact.ts';
import { type EcoffFile, rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import { IMMED, sectionNumberName } from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';
import { compactPlace, compactPlaceCount } from './compact-places.ts';
import { expressionError } from './expression.ts';
import { LDA, LDAH } from './relocate.ts';
import { wordAt } from './sites.ts';

const ROWS_PER_STEP = 256;
const REGION = 'compact relocations';

/** Returns the issues of all compact relocations. Yields so that a caller can pause. */
export function* compactFindings(file: EcoffFile): Generator<void, readonly Issue[]> {
  const issues = new IssueCollector(REGION);
  for (const { compact } of file.comment?.subsections ?? []) {
    if (compact !== null) yield* new CompactPass(file, compact, issues).run();
  }
  return issues.issues();
}

type Fault = { readonly message: string } & Omit<Finding, 'span'>;

class CompactPass {
  readonly #file: EcoffFile;
  readonly #compact: CompactRelocations;
  readonly #issues: IssueCollector;
  readonly #sections: ReadonlyMap<string, SectionHeader>;
  readonly #owners: Int32Array;
  readonly #gpOwners: Int32Array;
  readonly #adjusted: Uint8Array;
  /** Number of gp values that each section must have: that of the section with most gp ranges. */
  readonly #gpCount: bigint;
  /** Indexes in the expression table at which a sequence begins. */
  readonly #sequences = new Set<number>();
  /** Sequences to which an EXPRESSION record refers, and records without a sequence. */
  readonly #referred = new Set<number>();
  #dangling = 0;

  constructor(file: EcoffFile, compact: CompactRelocations, issues: IssueCollector) {
    this.#file = file;
    this.#compact = compact;
    this.#issues = issues;
    this.#sections = new Map(file.sections.toReversed().map((each) => [each.name, each]));
    this.#owners = compactOwners(compact);
    this.#gpOwners = gpValueOwners(compact);
    this.#adjusted = areAdjusted(compact, this.#owners);
    const gpCounts = compact.sections.map(({ gpvalSnum }) => gpvalSnum);
    this.#gpCount = gpCounts.toSorted((a, b) => Number(b - a))[0] ?? 0n;
  }

  *run(): Generator<void> {
    const { sections, records, expressions, gpValues } = this.#compact;
    for (const [i, section] of sections.entries()) {
      if (i % ROWS_PER_STEP === 0) yield;
      this.#section(section);
    }
    for (let i = 0; i < expressions.count; i++) {
      if (i % ROWS_PER_STEP === 0) yield;
      const isFirst = i === 0 || compactExpressionAt(expressions, i - 1).isLast;
      if (isFirst) this.#sequences.add(i);
      this.#expression(i);
    }
    for (let i = 0; i < records.count; i++) {
      if (i % ROWS_PER_STEP === 0) yield;
      this.#record(i);
    }
    yield;
    this.#unreferred();
    for (let i = 0; i < gpValues.count; i++) {
      if (i % ROWS_PER_STEP === 0) yield;
      this.#gpValue(i);
    }
  }

  #add(code: string, span: () => Span, fault: () => Fault): void {
    this.#issues.add(`ecoff.compact-${code}`, () => ({ ...fault(), span: span() }));
  }

  #section({ name, fileOffset, ...section }: CompactSection): void {
    const { records, expressions, gpValues } = this.#compact;
    const span = () => spanOf(fileOffset, COMPACT_SECTION.size);
    if (!this.#sections.has(name)) {
      this.#add('section', span, () => ({
        message: `The compact relocations have a header for section ${name}, which the file lacks`,
      }));
    }
    if (section.gpvalSnum !== this.#gpCount) {
      this.#add('gp-count', span, () => ({
        message: `${name} has fewer gp values than another section`,
        expected: `${this.#gpCount}, with the last value repeated`,
        found: `${section.gpvalSnum}`,
      }));
    }
    const tables = [
      ['compact records', section.rlcIndx, section.rlcSnum, records.count],
      ['entries of expressions', section.exprIndx, section.exprSnum, expressions.count],
      ['gp values', section.gpvalIndx, section.gpvalSnum, gpValues.count],
    ] as const;
    for (const [what, first, number, count] of tables) {
      if (number === 0n || first + number <= BigInt(count)) continue;
      this.#add('range', span, () => ({
        message: `${name} claims ${what} that are not in their table`,
        expected: `an end at ${count} or before`,
        found: `${number} from ${first} on`,
      }));
    }
  }

  #record(i: number): void {
    const { records, sections, expressions } = this.#compact;
    const record = compactRecordAt(records, i);
    const owner = sections[this.#owners[i] ?? -1];
    const name = `${owner?.name ?? '.comment'}: compact record ${i}, ${record.typeName ?? `type ${record.type}`}`;
    const span = () => spanOf(records.fileOffset + i * COMPACT_RECORD.size, COMPACT_RECORD.size);
    const add = (code: string, what: string, more: Omit<Fault, 'message'> = {}) =>
      this.#add(code, span, () => ({ message: `${name}, ${what}`, ...more }));

    if (record.typeName === null) {
      add('type', 'is of an unknown type', { expected: '1 to 16' });
      return;
    }
    if (owner === undefined) {
      add('unclaimed', 'is claimed by no section header');
      return;
    }
    const { meaning } = record;
    if ('relScn' in meaning && sectionNumberName(meaning.relScn) === null) {
      add('rel-scn', `names section number ${meaning.relScn}, which has no meaning`);
    }
    if (meaning.kind === 'address' && meaning.count === 0) {
      add('count', 'has the count 0, which the document does not allow', { expected: '1 to 4095' });
    }
    if (meaning.kind === 'expression' && !this.#sequences.has(meaning.index)) {
      this.#dangling += 1;
      add('index', `names expression entry ${meaning.index}, where no expression begins`, {
        expected: `the first entry of an expression, below ${expressions.count}`,
        found: `${meaning.index}`,
      });
    } else if (meaning.kind === 'expression') this.#referred.add(meaning.index);
    const subops = SUBOPS[meaning.kind];
    if (subops !== undefined && 'subop' in meaning && !subops.includes(meaning.subop)) {
      add('subop', `has subtype ${meaning.subop}`, { expected: subops.join(' or ') });
    }
    if (meaning.kind === 'adjust') {
      add('adjust', 'moves later places by a number whose unit is not published', {
        severity: 'note',
      });
      return;
    }
    if (this.#adjusted[i] === 1) return;
    const isBefore =
      this.#owners[i - 1] === this.#owners[i] && (records.vOffset[i - 1] ?? 0) > record.vOffset;
    if (owner.isSorted && isBefore) {
      add('order', 'lies before the record above, although rlc_sorted is set', {
        expected: `v_offset ${hexText(records.vOffset[i - 1] ?? 0)} or more`,
        found: hexText(record.vOffset),
      });
    }
    const section = this.#sections.get(owner.name);
    if (section !== undefined) this.#place(section, record, add);
  }

  #place(
    section: SectionHeader,
    record: CompactRecord,
    add: (code: string, what: string, more?: Omit<Fault, 'message'>) => void,
  ): void {
    const size = rawDataOf(this.#file, section).length;
    const count = compactPlaceCount(record);
    const isInside = (i: number) => {
      const { byteOffset, byteCount } = compactPlace(record, i);
      return byteOffset + byteCount <= size;
    };
    const [isFirst, isLast] = [isInside(0), isInside(Math.max(0, count - 1))];
    if (!isFirst || !isLast) {
      const { byteCount } = compactPlace(record, 0);
      const inside = isFirst ? Math.floor((size - record.vOffset) / byteCount) : 0;
      const expected = `an end at ${hexText(size)} or before`;
      const found = (i: number) => hexText(compactPlace(record, i).byteOffset);
      if (!isFirst) add('place', 'points outside its section', { expected, found: found(0) });
      else if (record.meaning.kind === 'gpdisp') {
        add('place', 'has its lda outside its section', { expected, found: found(1) });
      } else {
        add('place', `runs past the end of its section, with ${inside} of ${count} inside`, {
          expected,
          found: `reference ${count} at ${found(count - 1)}`,
        });
      }
      return;
    }
    if (record.meaning.kind !== 'gpdisp') return;
    const opcodes = [0, 1].map((i) => {
      const vaddr = section.sVaddr + BigInt(compactPlace(record, i).byteOffset);
      return (wordAt(this.#file, section, vaddr) ?? 0) >>> 26;
    });
    if (opcodes.includes(LDA) && opcodes.includes(LDAH)) return;
    const found = opcodes.map((opcode) => hexText(opcode)).join(' and ');
    add('pair', 'must name one ldah and one lda', { found: `opcodes ${found}` });
  }

  #expression(i: number): void {
    const { expressions } = this.#compact;
    const entry = compactExpressionAt(expressions, i);
    const name = `Compact expression entry ${i}, ${entry.typeName ?? `type ${entry.type}`}`;
    const add = (code: string, what: string, more: Omit<Fault, 'message'> = {}) =>
      this.#add(
        `expression-${code}`,
        () => this.#expressionSpan(i),
        () => ({
          message: `${name}, ${what}`,
          ...more,
        }),
      );
    if (entry.typeName === null) {
      add('type', 'is of an unknown type', { expected: '1 to 4' });
      return;
    }
    if (sectionNumberName(entry.relScn) === null) {
      add('rel-scn', `names section number ${entry.relScn}, which has no meaning`);
    }
    if (entry.typeName !== 'CMRLC_EXPR_STORE' && (entry.offset !== 0 || entry.size !== 0)) {
      add(
        'field',
        `has offset ${entry.offset} and size ${entry.size}, expected 0: only STORE uses them`,
      );
    }
    if (i === expressions.count - 1 && !entry.isLast) {
      add('last', 'ends the table, but does not end its expression', { expected: 'last = 1' });
    }
    if (!this.#sequences.has(i)) return;
    const error = expressionError(this.#compact, i);
    if (error !== null) add('stack', `begins an expression with a fault: ${error}`);
  }

  #expressionSpan(i: number): Span {
    const { size } = COMPACT_EXPRESSION;
    return spanOf(this.#compact.expressions.fileOffset + i * size, size);
  }

  /** Reports expressions without a record. A record with a wrong index may have meant one of them. */
  #unreferred(): void {
    const left = [...this.#sequences].filter((first) => !this.#referred.has(first));
    for (const first of left.slice(this.#dangling)) {
      this.#add(
        'expression-unused',
        () => this.#expressionSpan(first),
        () => ({
          message: `The compact expression at entry ${first} has no EXPRESSION record`,
        }),
      );
    }
  }

  #gpValue(i: number): void {
    const { gpValues, sections } = this.#compact;
    const owner = sections[this.#gpOwners[i] ?? -1];
    const span = () =>
      spanOf(gpValues.fileOffset + i * COMPACT_GP_VALUE.size, COMPACT_GP_VALUE.size);
    const name = `${owner?.name ?? '.comment'}: compact gp value ${i}`;
    if (owner === undefined) {
      this.#add('gp-unclaimed', span, () => ({
        message: `${name} is claimed by no section header`,
      }));
      return;
    }
    const section = this.#sections.get(owner.name);
    const vaddr = gpValues.vaddr[i] ?? 0n;
    if (section === undefined) return;
    const end = section.sVaddr + section.sSize;
    if (vaddr >= section.sVaddr && vaddr < end) return;
    this.#add('gp-place', span, () => ({
      message: `${name} points outside its section`,
      expected: `vaddr from ${hexText(section.sVaddr)} to ${hexText(end)}`,
      found: hexText(vaddr),
    }));
  }
}

/** Valid subtypes by kind of immediate record (4.4.2.4, `immedhi` and `immedlo`). */
const SUBOPS: Readonly<Record<string, readonly number[]>> = {
  'immed-high': [IMMED.gpHi32, IMMED.scnHi32, IMMED.brHi32],
  'immed-low': [IMMED.gp16, IMMED.lo32],
};
