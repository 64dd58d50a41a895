import { useCallback, useEffect, useRef, useState } from 'react';
import type { TypeTable } from '#model/type-table.ts';
import type { Active } from '#store/hooks.ts';
import { activeFile, baseChoice, useSession } from '#store/session.ts';
import { setTextFormat, TEXT_FORMATS, useTexts, useWholeText, wantText } from '#store/texts.ts';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { CommandBar } from './CommandBar.tsx';
import { FindBox } from './FindBox.tsx';
import { TextActions } from './TextActions.tsx';
import { TextBody } from './TextBody.tsx';
import styles from './TextPanel.module.css';
import { TextProgress } from './TextProgress.tsx';
import { FORMAT_TITLES } from './text-format-names.ts';
import { lineRange } from './text-lines.ts';
import { textFileName, toolCommand } from './tool-command.ts';
import { useFind } from './use-find.ts';

const FORMATS = TEXT_FORMATS.map((value) => ({ value, label: FORMAT_TITLES[value] }));

/** One file as text: in which form, what is looked for in it, and the text itself. */
export function TextPanel({
  active,
  types,
}: {
  readonly active: Active;
  readonly types: TypeTable;
}) {
  const { id, model, selection } = active;
  const format = useTexts((state) => state.format);
  const outcome = useWholeText(id, format);
  const text = outcome?.step === 'ready' ? outcome.value : null;
  const base = useSession((state) => baseChoice(activeFile(state)).chosen?.name ?? null);
  const file = useSession((state) => activeFile(state)?.name ?? model.name);
  const [typed, setTyped] = useState('');
  const [matchCase, setMatchCase] = useState(false);
  const topLine = useRef(0);

  const isMissing = outcome === null;
  useEffect(() => {
    if (isMissing) void wantText(id, format);
  }, [id, format, isMissing]);

  const onTopLine = useCallback((line: number) => {
    topLine.current = line;
  }, []);
  const from = useCallback(
    () => (text === null ? 0 : lineRange(text, topLine.current).start),
    [text],
  );
  const find = useFind(text, typed, matchCase, from);

  return (
    <div className={styles.panel}>
      <Toolbar label="Text" end={<TextActions text={text} fileName={textFileName(format, file)} />}>
        <Segmented label="Form" options={FORMATS} value={format} onChange={setTextFormat} />
        <FindBox
          find={find}
          typed={typed}
          onTyped={setTyped}
          matchCase={matchCase}
          onMatchCase={setMatchCase}
        />
      </Toolbar>
      <CommandBar command={toolCommand(format, { file, base })} />
      {text === null ? (
        <TextProgress id={id} format={format} outcome={outcome} />
      ) : (
        <TextBody
          key={format}
          text={text}
          format={format}
          model={model}
          types={types}
          selection={selection}
          find={find}
          matchCase={matchCase}
          onTopLine={onTopLine}
        />
      )}
    </div>
  );
}
