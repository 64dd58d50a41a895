import { sourceExpression } from '#analysis/code/source-expression.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import type { ReadBytes } from '#analysis/fields/field.ts';
import { compositeOf } from '#analysis/layout/member-rows.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { type LayoutRow, structLayout } from '#analysis/types/struct-layout.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { visible } from '#bytes/text.ts';
import type { CoreIndex, RelocIndex, TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount, sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { memberCount } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Address } from '#store/address/address.ts';
import { selectionOf } from '#store/lesson/step-place.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { type FileId, useSession } from '#store/session/session.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { insnLines, type Line, relocationLines, typeLines } from './code-picture.ts';
import { type HexExcerpt, HexPicture, hexExcerpt } from './HexPicture.tsx';
import styles from './StepPicture.module.css';

type StepPictureProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  /** Number of the step, from 1. */
  readonly number: number;
  readonly address: Address;
  /** True if the step has a question. The picture then leaves out the meaning of fields. */
  readonly isAsked: boolean;
};

/** Shows the place of a step for print: bytes, a declaration, a record or instructions. */
export function StepPicture({ id, model, number: step, address, isAsked }: StepPictureProps) {
  useSession((state) => state.bytesVersion);
  const read: ReadBytes = (start, end) => bytesNow(id, start, end);
  const selection = selectionOf(model, address.params);
  const picture = pictureOf(model, selection, address.view, read);
  const { facts, lines, bar, hex } = picture;
  if (isEmptyPicture(picture)) return <p className="soft">Reading the file…</p>;
  return (
    <figure className={styles.picture}>
      <figcaption className="small soft break">{captionOf(model, hex?.around ?? [])}</figcaption>
      {facts.length === 0 ? null : (
        <dl className="grid gap-hair">
          {facts.map(({ term, value }) => (
            <div key={term} className={styles.fact}>
              <dt>{term}</dt>
              <dd>{visible(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {lines.length === 0 ? null : (
        <pre className={styles.code} {...scrollRegion(`Code of step ${step}`)}>
          {lines.map(({ number, text, isMarked }) => (
            <LineText key={number} text={text} isMarked={isMarked} />
          ))}
        </pre>
      )}
      {bar.length === 0 ? null : <LayoutBarPicture parts={bar} />}
      {hex === null ? null : (
        <HexPicture hex={isAsked ? withoutMeaning(hex) : hex} label={`Bytes of step ${step}`} />
      )}
    </figure>
  );
}

function withoutMeaning(hex: HexExcerpt): HexExcerpt {
  return { ...hex, fields: hex.fields.map((field) => ({ ...field, says: '' })) };
}

function captionOf(model: ObjectModel, around: readonly string[]): string {
  const names = around.length > 1 ? around : [model.name];
  return names.map(visible).join(' › ');
}

function LineText({ text, isMarked }: { readonly text: string; readonly isMarked: boolean }) {
  const Element = isMarked ? 'mark' : 'span';
  return <Element className={styles.line}>{visible(text)}</Element>;
}

/** Share of the bar below which a part is too narrow for its name. */
const NAMED = 0.06;

/** Shows the members of a struct to scale. */
function LayoutBarPicture({ parts }: { readonly parts: readonly BarPart[] }) {
  return (
    <div className={styles.bar} role="img" aria-label="Layout of the struct, to scale">
      {parts.map(({ kind, name, bitOffset, share, isMarked }) => (
        <span
          key={bitOffset}
          className={styles.part}
          data-kind={kind}
          data-marked={isMarked ? '' : undefined}
          style={{ flexGrow: Math.max(share, 0.004) }}
        >
          {share < NAMED ? '' : kind === 'member' ? visible(name) : kind}
        </span>
      ))}
    </div>
  );
}

type Fact = { readonly term: string; readonly value: string };

/** An excerpt of a view for one printed page. Its texts are not escaped. */
export type Picture = {
  readonly facts: readonly Fact[];
  /** Lines of a declaration, or of instructions. */
  readonly lines: readonly Line[];
  readonly bar: readonly BarPart[];
  readonly hex: HexExcerpt | null;
};

const EMPTY: Picture = { facts: [], lines: [], bar: [], hex: null };

/** Returns a picture of `selection` in a view. `read` returns null until the bytes are loaded. */
export function pictureOf(
  model: ObjectModel,
  selection: Selection,
  view: string,
  read: ReadBytes,
): Picture {
  const span = selectionSpan(model, selection);
  const hex = () => (span === null ? null : hexExcerpt(model, span, read));
  const code = () => insnLines(model, selection, read);
  const file = (): Picture => ({ ...EMPTY, facts: fileFacts(model) });
  switch (selection.kind) {
    case 'type': {
      const { types } = model;
      if (types === null) return file();
      const { type, memberPath } = selection;
      const lines = typeLines(types, type, memberPath);
      return view === 'bytes'
        ? { ...EMPTY, lines, hex: hex() }
        : { ...EMPTY, lines, bar: layoutBar(types, type, memberPath) };
    }
    case 'relocation': {
      const facts = relocationFacts(model, selection.reloc);
      return { ...EMPTY, facts, lines: code(), hex: hex() };
    }
    case 'core':
      return { ...EMPTY, facts: coreFacts(model, selection.core), lines: code(), hex: hex() };
    case 'insn':
      return span === null ? file() : { ...EMPTY, lines: code(), hex: hex() };
    case 'none':
      return view === 'relocations' ? { ...EMPTY, lines: relocationLines(model) } : file();
    default: {
      const lines = view === 'code' ? code() : [];
      if (lines.length > 0) return { ...EMPTY, lines };
      const bytes = hex();
      return bytes === null ? file() : { ...EMPTY, hex: bytes };
    }
  }
}

export function isEmptyPicture({ facts, lines, bar, hex }: Picture): boolean {
  return facts.length === 0 && lines.length === 0 && bar.length === 0 && hex === null;
}

/** Returns the type, symbol, place and formula of a relocation entry. */
function relocationFacts(model: ObjectModel, reloc: RelocIndex): Fact[] {
  const { typeName, symbolText, site, formula, numbers, words } = relocationMeaning(model, reloc);
  const place =
    site === null
      ? ''
      : `${sectionName(model.sections, site.section)} + 0x${site.byteOffset.toString(16)}`;
  return factsOf({
    Type: typeName,
    Symbol: symbolText,
    Patches: place,
    Computes: numbers === '' ? formula : numbers,
    'In words': words,
  });
}

/** Returns the kind, access string and C expression of a CO-RE record. */
function coreFacts(model: ObjectModel, core: CoreIndex): Fact[] {
  const record = coreRecord(model, core);
  const { types } = model;
  const { kindName, accessStr, sectionName: section, insnIndex, func } = record;
  const path = types === null ? null : walkAccess(types, record.root, accessStr, record.kind);
  return factsOf({
    Kind: kindName,
    'Begins at': types === null ? '' : typeTitle(types, record.root),
    'Access string': accessStr,
    'In C':
      path === null || path.error !== null ? '' : sourceExpression(model, record, path.expression),
    // Example: `<byte_off> [2] struct foo.a (0:0 @ offset 0)`
    'As libbpf logs it':
      path === null || path.error !== null ? '' : `<${kindName}> [${path.root}] ${path.spec}`,
    Instruction: func === null ? `${section} #${insnIndex}` : `#${func.insnIndex} of ${func.name}`,
  });
}

/** Returns how many types, records and so on the file has. */
function fileFacts(model: ObjectModel): Fact[] {
  return factsOf({
    File: model.name,
    Size: `${model.size} bytes`,
    'Byte order': `${model.endian}-endian`,
    Sections: count(sectionCount(model.sections)),
    Types: count(model.types?.count ?? 0),
    Relocations: count(model.relocations.count),
    'CO-RE relocations': count(model.ext.core.count),
  });
}

function count(n: number): string {
  return n === 0 ? '' : `${n}`;
}

/** Returns a fact for each key of `values` whose value is not empty. */
function factsOf(values: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([term, value]) => ({ term, value }));
}

/** Larger structs have no bar: their members are too narrow on paper. */
const MAX_MEMBERS = 48;

type BarPart = LayoutRow & {
  /** Share of the struct's size, from 0 to 1. */
  readonly share: number;
  readonly isMarked: boolean;
};

/** Returns the members as parts of a bar; empty for unions, overlaps and very large structs. */
function layoutBar(
  types: TypeTable,
  id: TypeId,
  memberPath: readonly number[],
): readonly BarPart[] {
  const composite = compositeOf(types, id);
  if (composite === null || memberCount(types, composite) > MAX_MEMBERS) return [];
  const layout = structLayout(types, composite);
  const whole = layout.sizeBytes * 8;
  const isPlain = layout.rows.every((row) => !row.overlaps && !row.pastEnd);
  if (layout.isUnion || whole === 0 || !isPlain) return [];
  return layout.rows
    .filter(({ bitSize }) => bitSize > 0)
    .map((row) => ({
      ...row,
      name: row.name,
      share: row.bitSize / whole,
      isMarked: row.kind === 'member' && row.index === memberPath[0],
    }));
}
