import { useId, useMemo } from 'react';
import { canList } from '#analysis/code/code-listing.ts';
import { lineAt } from '#analysis/code/source-lines.ts';
import type {
  RelocationDetail,
  RelocationLayout,
  RelocationMeaning,
  Rewriting,
  StackState,
  StackValue,
} from '#analysis/objects/relocation-facts.ts';
import { isComputable } from '#analysis/relocations/address-fields.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { relocationDetail, relocationMeaning } from '#analysis/relocations/meaning.ts';
import { typeOfPlace, typeOfTarget } from '#analysis/relocations/relocation-types.ts';
import { changedUnits, typeFacts } from '#analysis/relocations/type-facts.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { typeSelection } from '#model/selection.ts';
import { alphaInsnText } from '#print/alpha-insn.ts';
import type { Active } from '#store/session/hooks.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { BitRuler } from '#views/parts/BitRuler.tsx';
import { Name } from '#views/parts/Name.tsx';
import { offsetCell, useWriteOffset, type WriteOffset } from '#views/parts/Offset.tsx';
import { placeOfTarget, relocTone } from '#views/parts/relocation-look.ts';
import { SelectButton, SourceButton } from '#views/parts/SelectButton.tsx';
import { TermList, TermText } from '#views/parts/Term.tsx';
import { ComputedEntry } from './ComputedEntry.tsx';
import { FormulaSteps, Variants } from './ComputedValue.tsx';
import { GroupWalk, stopOfSelection } from './GroupWalk.tsx';
import styles from './RelocationCard.module.css';
import { RelocationField } from './RelocationField.tsx';
import { MarkedWords, RelocationSite } from './RelocationSite.tsx';
import { SymbolText } from './relocation-columns.tsx';

type RelocationCardProps = Active & {
  readonly reloc: RelocIndex;
  /** Addresses for the computed values; null if addresses do not affect this file. */
  readonly layout: RelocationLayout | null;
};

/** Shows the details of one entry: stored fields, patched bytes, computed value. */
export function RelocationCard({ id, model, reloc, selection, layout }: RelocationCardProps) {
  const titleId = useId();
  const write = useWriteOffset();
  const meaning = relocationMeaning(model, reloc);
  const detail = relocationDetail(model, reloc, layout);
  const { typeName, belongsTo, words, symbolText, target } = meaning;
  const facts = typeFacts(model, reloc);
  const units = changedUnits(model, reloc);
  const { relocations, sections } = model;
  const relSection = sectionName(sections, sectionIndex(relocations.relSection[reloc] ?? 0));
  const bits = detail.word === null ? infoBits(model, reloc) : null;
  const source = relocations.addendSource[reloc] ?? AddendSource.unknown;
  return (
    <article className="grid at-top" aria-labelledby={titleId}>
      <header className={styles.head} data-tone={relocTone(belongsTo)}>
        <h2 id={titleId} className="break tight size-14">
          <span className={styles.type}>
            <TermText text={typeName} />
          </span>{' '}
          <span className="mono">
            <SymbolText meaning={meaning} />
          </span>
        </h2>
        <p className="soft break pretty">{drawnName(words)}</p>
        <RelocationActions model={model} reloc={reloc} />
      </header>

      {detail.group === null ? null : (
        <GroupWalk
          group={detail.group}
          current={stopOfSelection(detail.group.stops, selection, reloc)}
        />
      )}
      {detail.stack === null ? null : <StackDrawing state={detail.stack} />}
      {detail.rewriting === null ? null : <RewritingTable rewriting={detail.rewriting} />}

      <section className={styles.step}>
        <h3>Entry</h3>
        <TermList items={entryItems(model, reloc, relSection, detail, write)} />
        {detail.word === null ? null : (
          <BitRuler
            label={detail.word.label}
            parts={detail.word.parts.map(({ meaning: about, ...part }) => ({ ...part, about }))}
          />
        )}
        {bits === null ? null : <InfoRuler bits={bits} typeName={typeName} symbol={symbolText} />}
      </section>

      <section className={styles.step}>
        <h3>Patched bytes</h3>
        <KeyValue items={siteItems(meaning, model, write)} />
        {layout === null ? (
          <>
            <RelocationSite id={id} model={model} reloc={reloc} meaning={meaning} />
            {units.length === 0 || meaning.siteSpan === null ? null : (
              <RelocationField
                id={id}
                units={units}
                fileOffset={meaning.siteSpan.start}
                tone={relocTone(belongsTo)}
              />
            )}
          </>
        ) : (
          <MarkedWords id={id} model={model} meaning={meaning} layout={layout} />
        )}
      </section>

      {facts.length === 0 ? null : (
        <section className={styles.step}>
          <h3>Relocation type</h3>
          <TermList
            items={facts}
            terms={{ Limits: 'reloc-limits', Relaxation: 'reloc-relaxation' }}
          />
        </section>
      )}

      <section className={styles.step}>
        <h3>Computed value</h3>
        {isComputable(model) ? (
          <ComputedEntry id={id} model={model} reloc={reloc} tone={relocTone(belongsTo)} />
        ) : layout === null ? (
          <FormulaSteps meaning={meaning} isImplicit={source === AddendSource.implicit} />
        ) : (
          <Variants detail={detail} />
        )}
        {target === null ? null : (
          <KeyValue
            items={[
              { term: 'Target', value: `${target.what} ${drawnName(target.name)}`, isMono: true },
              {
                term: 'Location',
                value:
                  target.section === null
                    ? 'undefined in this file'
                    : `${drawnName(sectionName(sections, target.section))} + ${write(target.offset)}`,
                isMono: target.section !== null,
              },
            ]}
          />
        )}
      </section>
    </article>
  );
}

function entryItems(
  model: ObjectModel,
  reloc: RelocIndex,
  relSection: string,
  { fields }: RelocationDetail,
  write: WriteOffset,
): KeyValueItem[] {
  const { relocations } = model;
  const item = (term: string, value: string) => ({ term, value, isMono: true });
  return [
    item('Where', `${drawnName(relSection)}[${grouped(relocations.indexInSection[reloc] ?? 0)}]`),
    item('In the file', write(relocations.entryOffset[reloc] ?? 0)),
    ...fields.map(({ name, value, meaning }) =>
      item(name, meaning === '' ? value : `${value} ${drawnName(meaning)}`),
    ),
  ];
}

function siteItems(
  { site }: RelocationMeaning,
  model: ObjectModel,
  write: WriteOffset,
): KeyValueItem[] {
  if (site === null) return [];
  const name = drawnName(sectionName(model.sections, site.section));
  const width = site.bitSize === 0 ? 'unknown for this type' : `${site.bitSize} bits`;
  return [
    { term: 'Start', value: `${name} + ${write(site.byteOffset)}`, isMono: true },
    { term: 'Width', value: width },
  ];
}

function InfoRuler(props: {
  readonly bits: NonNullable<ReturnType<typeof infoBits>>;
  readonly typeName: string;
  readonly symbol: string;
}) {
  const { bits, typeName, symbol } = props;
  const { width, splitBit } = bits;
  return (
    <BitRuler
      label="Bits of r_info"
      parts={[
        {
          field: 'symbol',
          length: width - splitBit,
          value: BigInt(bits.symbol),
          name: <Name text={symbol} otherwise="(no symbol)" />,
          about: `number ${bits.symbol}`,
        },
        {
          field: 'type',
          length: splitBit,
          value: BigInt(bits.type),
          name: typeName,
          about: `number ${bits.type}`,
        },
      ]}
    />
  );
}

/**
 * Returns the symbol and the type in `r_info`, split at `splitBit`; null if the file splits it
 * differently, as 64-bit MIPS does.
 *
 * Source: System V gABI, "Relocation": ELF64_R_SYM and ELF64_R_TYPE split at bit 32, ELF32_R_SYM
 * and ELF32_R_TYPE at bit 8.
 */
export function infoBits(model: ObjectModel, reloc: RelocIndex) {
  const { relocations } = model;
  const width = model.addressBits;
  const splitBit = width === 64 ? 32 : 8;
  const info = relocations.info[reloc] ?? 0n;
  const symbol = Number(info >> BigInt(splitBit));
  const type = Number(BigInt.asUintN(splitBit, info));
  const isSplitSo = symbol === relocations.symbolNumber[reloc] && type === relocations.type[reloc];
  return isSplitSo ? { info, width, splitBit, symbol, type } : null;
}

function RelocationActions({ model, reloc }: Pick<RelocationCardProps, 'model' | 'reloc'>) {
  const { site, target } = relocationMeaning(model, reloc);
  const [targetType, placeType] = useMemo(() => {
    const meaning = relocationMeaning(model, reloc);
    return [
      meaning.target && typeOfTarget(model, meaning.target),
      meaning.site && typeOfPlace(model, meaning.site),
    ];
  }, [model, reloc]);
  const place = target === null ? null : placeOfTarget(model, target);
  const inCode = site !== null && canList(model) && isCode(model.sections, site.section);
  return (
    <div className="wrapping gap-1">
      <SelectButton selection={{ kind: 'relocation', reloc }} view="bytes">
        Show bytes
      </SelectButton>
      {inCode ? (
        <SelectButton
          selection={{
            kind: 'insn',
            section: site.section,
            insnOff: relocationOffset(model, reloc),
          }}
          view="code"
        >
          Show instruction
        </SelectButton>
      ) : null}
      {inCode ? (
        <SourceButton line={lineAt(model, site.section, relocationOffset(model, reloc))} />
      ) : null}
      {place === null ? null : (
        <SelectButton selection={place.selection} view={place.view}>
          Show symbol target
        </SelectButton>
      )}
      {targetType === null ? null : (
        <SelectButton selection={typeSelection(targetType)} view="graph">
          Show type of target
        </SelectButton>
      )}
      {placeType === null ? null : (
        <SelectButton selection={typeSelection(placeType)} view="graph">
          Show type of place
        </SelectButton>
      )}
    </div>
  );
}

function RewritingTable({ rewriting }: { readonly rewriting: Rewriting }) {
  const titleId = useId();
  const { words, insns } = rewriting;
  return (
    <Landmark className={styles.rewriting} aria-labelledby={titleId}>
      <h3 id={titleId}>Linker relaxation</h3>
      <p className="soft pretty">{words}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {insns.map(({ address, before, after }) => (
            <tr key={address}>
              <th scope="row">{offsetCell(address)}</th>
              <td>{insnText(before, address)}</td>
              <td data-changed={after !== null}>
                {after === null ? 'unchanged' : insnText(after, address)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Landmark>
  );
}

function insnText(word: number, address: bigint): string {
  return alphaInsnText(word, address).replace('\t', ' ').trimEnd();
}

/** Shows the stack of the expression after this entry, the top value first. */
function StackDrawing({ state }: { readonly state: StackState }) {
  const titleId = useId();
  const { does, stack, stored, problem } = state;
  return (
    <Landmark className={styles.drawing} aria-labelledby={titleId}>
      <h3 id={titleId}>Stack after this step</h3>
      <p className={styles.does}>{drawnName(does)}</p>
      {problem === null ? null : (
        <p className={styles.problem} data-tone="danger">
          Invalid: {problem}.
        </p>
      )}
      {stored === null ? null : (
        <div className={styles.stored}>
          <p className={styles.text}>{drawnName(stored.text)}</p>
          <p className={styles.result}>{numberOf(stored)}</p>
        </div>
      )}
      {stack.length === 0 ? (
        <p className={styles.empty}>The stack is empty.</p>
      ) : (
        <ol className={styles.stack} aria-label="Values on the stack, the top first">
          {stack
            .map((value, depth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a value is its place from the bottom
              <li key={depth} className={styles.slot}>
                <span className={styles.text}>{drawnName(value.text)}</span>
                <span className={styles.number}>{numberOf(value)}</span>
              </li>
            ))
            .reverse()}
        </ol>
      )}
    </Landmark>
  );
}

function numberOf({ value }: StackValue): string {
  return value === null ? 'unknown: a symbol has no address set' : hexText(value);
}
