import { useCallback, useMemo, useState } from 'react';
import { selectionType } from '#analysis/code/selection.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { TextFormat, WholeText } from '#store/texts.ts';
import { jsonIndent } from './record-lines.ts';
import styles from './TextBody.module.css';
import { TextFoot } from './TextFoot.tsx';
import { TextLines } from './TextLines.tsx';
import { FORMAT_WORDS } from './text-format-names.ts';
import type { Block } from './text-lines.ts';
import { blockOfType, typeAtLine } from './type-blocks.ts';
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
      <div className={styles.lines}>
        <TextLines
          label={`The types as ${FORMAT_WORDS[format]}`}
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
