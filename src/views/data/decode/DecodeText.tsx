import { useId, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { useFileDrop } from '#views/parts/use-file-drop.ts';
import styles from './DecodeText.module.css';
import { faultLine, type InputFault, type ReadInput } from './decode-input.ts';
import type { DecodeState } from './decode-state.ts';

/** Characters; a browser's text box is slow with more, and nobody edits it by hand. */
const MOST_IN_BOX = 200_000;

type DecodeTextProps = {
  readonly state: DecodeState;
  readonly input: ReadInput;
  readonly onText: (text: string) => void;
  readonly onFile: (file: File) => void;
};

const ABOUT = {
  hex: 'Hex bytes: 2a 00 00 00, 0x2a 0x00 or 2a000000. A file of bytes can be dropped here.',
  dump: 'The JSON of: bpftool -j map dump id 12. A file can be dropped here.',
} as const;

/** The bytes or the dump as text, and where it is wrong. */
export function DecodeText({ state, input, onText, onFile }: DecodeTextProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = useFileDrop(onFile, setOver);
  const fault = input.kind === 'fault' ? input.fault : null;
  const { file, text, source } = state;
  return (
    <div className={styles.frame} data-over={isOver} {...drop}>
      {file !== null ? (
        <p className={styles.large}>
          {drawnName(file.name)}: {countOf(file.bytes.length, 'byte')}
        </p>
      ) : text.length > MOST_IN_BOX ? (
        <p className={styles.large}>{sizeText(text.length)} of text</p>
      ) : (
        <textarea
          className={styles.box}
          aria-label={source === 'hex' ? 'Hex bytes' : 'Map dump as JSON'}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : id}
          placeholder={ABOUT[source]}
          value={text}
          rows={text.length > 400 ? 6 : 3}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={(event) => onText(event.target.value)}
        />
      )}
      {fault === null ? null : <Fault id={id} text={text} fault={fault} />}
    </div>
  );
}

/** What is wrong, and the line it is in with a mark under the place. */
function Fault({
  id,
  text,
  fault,
}: {
  readonly id: string;
  readonly text: string;
  readonly fault: InputFault;
}) {
  const at = fault.at === null ? null : faultLine(text, fault.at);
  return (
    <div id={id} className={styles.fault} data-tone="danger">
      <p>
        {drawnName(fault.message)}
        {at === null ? '' : ` (line ${at.line})`}
      </p>
      {at === null ? null : (
        <pre className={styles.place} aria-hidden>
          {drawnName(at.before)}
          <mark className={styles.wrong}>{drawnName(at.wrong) || ' '}</mark>
          {drawnName(at.after)}
        </pre>
      )}
    </div>
  );
}
