import { useCallback, useMemo, useState } from 'react';
import { selectionType } from '#analysis/code/selection.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { TextFormat, WholeText } from '#store/texts.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './TextBody.module.css';
import { TextLines } from './TextLines.tsx';
import { FORMATS } from './text-format.ts';
import type { Block } from './text-lines.ts';
import { blockOfType, jsonIndent, typeAtLine } from './type-blocks.ts';
import type { Find } from './use-find.ts';

type TextBodyProps = {
  readonly text: WholeText;
  readonly format: TextFormat;
  readonly model: ObjectModel;
  readonly types: TypeTable;
  readonly selection: Selection;
  readonly find: Find;
  readonly matchCase: boolean;
  readonly onTopLine: (line: number) => void;
};

/** The text with the selected type lit up, and under it what there is to know about both. */
export function TextBody(props: TextBodyProps) {
  const { text, format, model, types, selection, find, matchCase, onTopLine } = props;
  const type = selectionType(model, selection);
  // What was clicked here is in sight already: only what comes from elsewhere scrolls.
  const [clicked, setClicked] = useState<{ readonly type: TypeId; readonly block: Block } | null>(
    null,
  );
  const [shownAgain, setShownAgain] = useState(0);
  const isClicked = clicked !== null && clicked.type === type;
  const selected = useMemo(() => {
    if (isClicked) return clicked.block;
    return type === null ? null : blockOfType(text, format, types, type);
  }, [isClicked, clicked, text, format, types, type]);
  const reveal = useMemo(
    () => (selected === null || (isClicked && shownAgain === 0) ? null : { line: selected.first }),
    [selected, isClicked, shownAgain],
  );

  const indentOf = useCallback(
    (line: number) => (format === 'json' ? jsonIndent(text, line) : 0),
    [format, text],
  );

  const choose = (line: number) => {
    const found = typeAtLine(text, format, types, line);
    if (found === null) return;
    setShownAgain(0);
    setClicked(found);
    select(typeSelection(found.type));
  };
  return (
    <div className={styles.body}>
      <div className="fill">
        <TextLines
          label={`The types as ${FORMATS[format].name}`}
          text={text}
          indentOf={indentOf}
          selected={selected}
          reveal={reveal}
          query={find.query}
          matchCase={matchCase}
          match={find.match}
          onChoose={choose}
          onTopLine={onTopLine}
        />
      </div>
      <TextFoot
        text={text}
        format={format}
        types={types}
        type={type}
        selected={selected}
        onShow={() => setShownAgain((times) => times + 1)}
      />
    </div>
  );
}

type TextFootProps = {
  readonly text: WholeText;
  readonly format: TextFormat;
  readonly types: TypeTable;
  /** The selected type, or null. */
  readonly type: TypeId | null;
  /** Its lines, where it has some. */
  readonly selected: Block | null;
  /** Brings them into sight. */
  readonly onShow: () => void;
};

/** How much text there is, what is shown otherwise than the tool prints it, and the selected type. */
function TextFoot({ text, format, types, type, selected, onShow }: TextFootProps) {
  const { bytes, lineStarts, isCut } = text;
  return (
    <footer className={styles.foot}>
      <p className="shrink">
        {countOf(lineStarts.length, 'line')}, {sizeText(bytes.length)}
        {isCut ? ' · cut at the most text that a page can hold' : ''}
        {format === 'json'
          ? ' · bpftool writes one line; it is broken by type here, copy and download are exact'
          : ''}
      </p>
      {type === null || type === 0 ? (
        <p className={styles.type}>Click a line to select its type</p>
      ) : (
        <div className={styles.type}>
          <TypeLink types={types} type={type} badge />
          {selected === null ? (
            <span>{isOwnText(format) ? 'is not in this text' : 'has no lines of its own'}</span>
          ) : (
            <Button variant="quiet" size="small" onClick={onShow}>
              {selected.end - selected.first === 1
                ? `Line ${grouped(selected.first + 1)}`
                : `Lines ${grouped(selected.first + 1)} to ${grouped(selected.end)}`}
            </Button>
          )}
        </div>
      )}
    </footer>
  );
}

/** Does each type have lines in this form? In C and pahole's only those that are defined. */
function isOwnText(format: TextFormat): boolean {
  return format === 'raw' || format === 'json';
}
