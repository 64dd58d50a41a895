import { useMemo } from 'react';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import type { Value } from '#analysis/values/decode.ts';
import type { InitialBytes } from '#analysis/values/object-data.ts';
import { variableBytes, variableValue } from '#analysis/values/variables.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { select } from '#store/address/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Code } from '#ui/CopyButton.tsx';
import { hexBytes } from '#ui/hex-marks.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf, longSize, sizeText } from '#views/parts/number-text.ts';
import { useWriteOffset } from '#views/parts/Offset.tsx';
import { ShowBytes, ShowType } from '#views/parts/SelectButton.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { isOnItsWay, MAX_SECTION_BYTES } from '#views/parts/use-section-bytes.ts';
import { DataArticle, type DetailProps, SectionLink, UsedBy } from './DataArticle.tsx';
import { EntryBadge } from './DataListPane.tsx';
import type { DataEntry } from './data-entries.ts';
import { fileSpan, placeOfPointer } from './selected-data.ts';
import { dataState } from './state.ts';
import { type ValuePlaces, ValueTexts, ValueTree } from './ValueTree.tsx';
import { declarationOf } from './value-text.ts';
import { bytesOfValue } from './value-tree.ts';

type VariableDetailProps = DetailProps & {
  readonly entry: Extract<DataEntry, { kind: 'variable' }>;
  /** Selected bytes, as offsets in the section; null if the whole variable is selected. */
  readonly bytes: Span | null;
};

/** Shows a variable: type, place, value, references. */
export function VariableDetail(props: VariableDetailProps) {
  const { active, data, entry } = props;
  const { model } = active;
  const write = useWriteOffset();
  const { variable } = entry;
  const { sectionIndex, byteOffset, byteSize, type, varId, name, linkage } = variable;
  const span = fileSpan(model, sectionIndex, byteOffset, byteSize);
  const value = useMemo(
    () => variableValue(model, data.sectionBytes, variable),
    [model, data.sectionBytes, variable],
  );
  const isWaiting = isOnItsWay(model, data.sectionBytes, sectionIndex);
  return (
    <DataArticle
      of={props}
      title={name}
      badge={<EntryBadge model={model} entry={entry} />}
      facts={{
        Type:
          model.types === null || type === null ? null : (
            <TypeLink types={model.types} type={type} />
          ),
        Section: <SectionLink name={variable.section} section={sectionIndex} datasec={null} />,
        Offset: byteOffset === null ? null : write(byteOffset),
        Size: longSize(BigInt(Math.max(0, byteSize))),
        Linkage: linkage,
      }}
      actions={
        <>
          <ShowBytes span={span} />
          <ShowType type={varId} />
        </>
      }
      about={
        value === null ? null : (
          <code className="small mono break strong">
            {drawnName(`${declarationOf(value, name, linkage)};`)}
          </code>
        )
      }
    >
      {(byteOffset ?? 0) + byteSize > MAX_SECTION_BYTES && span !== null ? (
        <Callout
          severity="note"
          title={`Only the first ${sizeText(MAX_SECTION_BYTES)} of a section are read`}
        >
          Values past that limit are not decoded; see Bytes.
        </Callout>
      ) : null}
      {value !== null ? (
        <>
          <ValueSection {...props} value={value} />
          <ValueTexts
            value={value}
            first="c"
            hasAbout
            before={`${declarationOf(value, name, linkage)} = `}
          />
        </>
      ) : (
        <DetailSection title="Value">
          {isWaiting ? (
            <p className="small muted">Loading…</p>
          ) : type === null ? (
            <RawBytes initial={variableBytes(model, data.sectionBytes, variable)} />
          ) : (
            <>
              <p className="small muted">No bytes in this file.</p>
              <div>
                <Button size="small" onClick={() => dataState.set({ mode: 'decode' })}>
                  Decode other bytes
                </Button>
              </div>
            </>
          )}
        </DetailSection>
      )}
      <UsedBy active={active} section={sectionIndex} byteOffset={byteOffset} byteSize={byteSize} />
    </DataArticle>
  );
}

const MAX_ROWS = 1024;
const IN_ROW = 16;

/** Shows the bytes of a variable whose type is unknown. */
function RawBytes({ initial }: { readonly initial: InitialBytes | null }) {
  if (initial === null) return <p className="small muted">No bytes in this file.</p>;
  const count = Math.min(MAX_ROWS, initial.byteLength);
  const rows: string[] = [];
  for (let at = 0; at < count; at += IN_ROW) {
    const row = { length: Math.min(IN_ROW, count - at) };
    // Bytes that the file does not store are zeros.
    rows.push(hexBytes(Uint8Array.from(row, (_, i) => initial.bytes[at + i] ?? 0)));
  }
  return (
    <>
      <p className="small muted">
        No type in BTF. {countOf(initial.byteLength, 'byte')}
        {initial.bytes.length === 0 && initial.byteLength > 0 ? ', all zeros' : ''}
        {count < initial.byteLength ? `; the first ${MAX_ROWS}:` : ':'}
      </p>
      <Code label="Bytes of the variable" text={rows.join('\n')} />
    </>
  );
}

type ValueSectionProps = Pick<VariableDetailProps, 'active' | 'data' | 'entry' | 'bytes'> & {
  readonly value: Value;
};

/** Shows the initial value as a tree. Selecting a row selects its bytes in the file. */
function ValueSection({ active, data, entry, bytes, value }: ValueSectionProps) {
  const { model, selection } = active;
  const { groups } = data;
  const { sectionIndex, byteOffset } = entry.variable;
  const places = useMemo((): ValuePlaces => {
    const base = byteOffset ?? 0;
    return {
      base,
      spanOf: (at) => {
        const { start, end } = bytesOfValue(at);
        return fileSpan(model, sectionIndex, base + start, end - start);
      },
      relocationOf: (at) => {
        const start = base + bytesOfValue(at).start;
        if (sectionIndex === null) return null;
        return relocationsInRange(model, sectionIndex, start, start + 1)[0] ?? null;
      },
      placeOf: (target) => placeOfPointer(model, groups, target),
    };
  }, [model, groups, sectionIndex, byteOffset]);
  const selectedBytes = useMemo(
    () =>
      bytes === null ? null : { start: bytes.start - places.base, end: bytes.end - places.base },
    [bytes, places.base],
  );
  return (
    <DetailSection title="Value" aside={aboutOf(value, places)}>
      <ValueTree
        model={model}
        value={value}
        places={places}
        selection={selection}
        selectedBytes={selectedBytes}
        onBytes={(span) => select({ kind: 'bytes', ...span })}
      />
    </DetailSection>
  );
}

function aboutOf(value: Value, places: ValuePlaces): string {
  const { kind } = value.content;
  const noun = kind === 'array' || kind === 'string' ? 'element' : 'member';
  const parts = value.partCount === 0 ? '' : countOf(value.partCount, noun);
  const none = places.spanOf(value) === null ? 'zeros, no bytes in the file' : '';
  return [parts, none].filter((text) => text !== '').join(', ');
}
