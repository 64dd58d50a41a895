import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import { selectionSpan } from '#analysis/code/selection.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { rowOfEvent } from '#ui/list-keys.ts';
import { countOf, hexText, shareText, sizeText } from '#views/parts/number-text.ts';
import { useRun } from '#views/parts/use-run.ts';
import styles from './FileMap.module.css';
import { FileMapLegend } from './FileMapLegend.tsx';
import { FileMapTable } from './FileMapTable.tsx';
import { type DrawnPart, drawnFile, partAt } from './file-map.ts';
import { mapKey } from './map-key.ts';
import { OverviewCard } from './OverviewCard.tsx';
import { FAMILIES } from './section-family.ts';
import { showPart } from './show-part.ts';

const NOTHING_YET: readonly DrawnPart[] = [];

/** The whole file as a strip to scale. Arrows move over its parts, Enter and a click show their bytes. */
export function FileMap({
  model,
  selection,
}: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  const found = useRun(drawnFile.runOf(model));
  const drawn = found ?? NOTHING_YET;
  const [pointed, setPointed] = useState<number | null>(null);
  const span = selectionSpan(model, selection);
  const lit = span === null ? -1 : partAt(drawn, span.start);
  const told = drawn[pointed ?? lit];
  return (
    <OverviewCard title="Map of the file" aside={countOf(model.size, 'byte')}>
      <Strip drawn={drawn} lit={lit} pointed={pointed} onPoint={setPointed} />
      <p className={styles.told}>
        {told === undefined ? (
          <span className={styles.hint}>
            {found === null
              ? `Going through ${countOf(sectionCount(model.sections), 'section')}…`
              : 'From the first byte to the last, to scale. Point at a part to see what it is.'}
          </span>
        ) : (
          <PartText part={told} fileSize={model.size} />
        )}
      </p>
      <FileMapLegend drawn={drawn} fileSize={model.size} />
      <div className={styles.table}>
        <Disclosure title="The map as a table">
          <FileMapTable model={model} selection={selection} />
        </Disclosure>
      </div>
    </OverviewCard>
  );
}

function Strip(props: {
  readonly drawn: readonly DrawnPart[];
  readonly lit: number;
  readonly pointed: number | null;
  readonly onPoint: (index: number | null) => void;
}) {
  const { drawn, lit, pointed, onPoint } = props;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = pointed ?? (lit < 0 ? null : lit);
    const part = at === null ? undefined : drawn[at];
    const next = mapKey(event.key, at, drawn.length);
    if (event.key === 'Enter' && part !== undefined) showPart(part);
    else if (next !== null) onPoint(next);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const part = drawn[rowOfEvent(event) ?? -1];
    if (part !== undefined) showPart(part);
  };
  return (
    <div
      role="listbox"
      aria-label="Map of the file"
      aria-orientation="horizontal"
      aria-activedescendant={pointed === null ? undefined : `${id}${pointed}`}
      tabIndex={0}
      className={styles.strip}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onMouseMove={(event) => onPoint(rowOfEvent(event))}
      onMouseLeave={() => onPoint(null)}
      onFocus={() => onPoint(pointed ?? Math.max(0, lit))}
      onBlur={() => onPoint(null)}
    >
      {drawn.map((part, index) => (
        <div
          key={`${part.start}:${part.end}:${part.label}`}
          id={`${id}${index}`}
          role="option"
          tabIndex={-1}
          data-row={index}
          data-tone={FAMILIES[part.family].tone}
          data-family={part.family}
          data-pointed={index === pointed}
          aria-selected={index === lit}
          aria-label={partName(part)}
          className={styles.part}
          style={{ flexGrow: part.shown }}
        >
          <span aria-hidden className={styles.label}>
            {drawnName(part.label)}
          </span>
        </div>
      ))}
    </div>
  );
}

function partName(part: DrawnPart): string {
  return `${drawnName(part.label)}, ${FAMILIES[part.family].word}, ${sizeText(part.end - part.start)}`;
}

function PartText({ part, fileSize }: { readonly part: DrawnPart; readonly fileSize: number }) {
  const size = part.end - part.start;
  return (
    <>
      <bdi className={styles.toldName}>{drawnName(part.label)}</bdi>
      <span>{FAMILIES[part.family].word}</span>
      <span className={styles.mono}>
        {hexText(part.start)}–{hexText(part.end)}
      </span>
      <span>{countOf(size, 'byte')}</span>
      <span>{shareText(size, fileSize)}</span>
    </>
  );
}
