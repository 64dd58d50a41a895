import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { TextFormat, WholeText } from '#store/texts.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './TextFoot.module.css';
import type { Block } from './text-lines.ts';

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
export function TextFoot({ text, format, types, type, selected, onShow }: TextFootProps) {
  const { bytes, lineStarts, isCut } = text;
  return (
    <footer className={styles.foot}>
      <p className={styles.facts}>
        {countOf(lineStarts.length, 'line')}, {sizeText(bytes.length)}
        {isCut ? ' · cut: there is more text than a page can hold' : ''}
        {format === 'json'
          ? ' · bpftool writes one line; it is broken here by type, copy and download are exact'
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
