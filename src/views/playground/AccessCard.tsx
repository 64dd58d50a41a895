import { useId, useState } from 'react';
import type { AccessPath, AccessStep } from '#analysis/core/parse-spec.ts';
import { indexPlace } from '#analysis/core/playground.ts';
import type { FollowFault } from '#analysis/log/follow-names.ts';
import { accessOfNames, isWrittenInC } from '#analysis/paths/playground-names.ts';
import { tagKeyword } from '#analysis/types/declarator.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { skipModifiers, type TypeTable } from '#model/type-table.ts';
import { Landmark } from '#ui/aria.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './AccessCard.module.css';

type AccessCardProps = {
  readonly types: TypeTable;
  readonly path: AccessPath;
  /** Index of the access in its chain, from 0. */
  readonly number: number;
  readonly count: number;
  readonly onWrite: (accessStr: string) => void;
};

/** Shows one access: its root, a field for its access string, and the meaning of each index. */
export function AccessCard({ types, path, number, count, onWrite }: AccessCardProps) {
  const id = useId();
  // The member path while it is typed; null while the field shows the access string.
  const [names, setNames] = useState<string | null>(null);
  const named = names === null ? null : namedFault(types, path.root, names);
  const fault = names === null ? faultOf(path) : named;
  const text = names ?? path.accessStr;
  const write = (next: string) => {
    const isNames = isWrittenInC(next);
    setNames(isNames ? next : null);
    if (!isNames) onWrite(next.trim());
  };
  const take = () => {
    if (names === null || named === null || !('accessStr' in named)) return;
    setNames(null);
    onWrite(named.accessStr);
  };
  const problem = fault !== null && 'sentence' in fault ? fault : null;
  return (
    <Landmark className={styles.access} aria-labelledby={`${id}title`}>
      <h3 id={`${id}title`} className="row wrap small soft gap-1-2">
        {count === 1 ? 'Access string' : `Access string ${number + 1} of ${count}`}
        <span className="inline-row gap-1 regular">
          from <TypeLink types={types} type={path.root} badge />
        </span>
      </h3>
      <div className="row wrap gap-2">
        <input
          className={styles.input}
          aria-label={count === 1 ? 'Access string' : `Access string ${number + 1}`}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}fault`}
          value={text}
          size={Math.max(12, Math.min(60, text.length + 2))}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder="0:1:2, or a.b[2]"
          onChange={(event) => write(event.target.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
          }}
        />
        <CopyButton text={path.accessStr} label="Copy the access string" />
        {named !== null && 'accessStr' in named ? (
          <span className="small mono soft">Enter: {named.accessStr}</span>
        ) : null}
      </div>
      {problem === null ? null : <Fault id={`${id}fault`} text={text} fault={problem} />}
      <StepList types={types} path={path} onStep={onWrite} />
    </Landmark>
  );
}

/** Maximum number of carets drawn below a fault. */
const MAX_CARETS = 1000;

type FaultProps = { readonly id: string; readonly text: string; readonly fault: TextFault };

/** Shows a text with a caret below its fault, and the reason for the fault. */
function Fault({ id, text, fault }: FaultProps) {
  const before = drawnName(text.slice(0, fault.start)).length;
  return (
    <div id={id} className="grid gap-1 break" data-tone="danger">
      <pre className={styles.caret} aria-hidden>
        {drawnName(text)}
        {'\n'}
        {' '.repeat(before)}
        {'^'.repeat(Math.min(MAX_CARETS, Math.max(1, fault.length)))}
      </pre>
      <p>{drawnName(fault.sentence)}</p>
    </div>
  );
}

type StepListProps = Pick<AccessCardProps, 'types' | 'path'> & {
  /** Called with the access string that ends at the clicked step. */
  readonly onStep: (accessStr: string) => void;
};

/** Shows the indices with their meanings, one per line. A click ends the access at that index. */
function StepList({ types, path, onStep }: StepListProps) {
  const { steps } = path;
  if (steps.length === 0) return null;
  const rows = steps.map((step, at) => ({ at, step }));
  return (
    <ol className="grid gap-hair">
      {rows.map(({ at, step }) => {
        const isLast = at === steps.length - 1;
        const upTo = steps.slice(0, at + 1).map((one) => one.index);
        return (
          <li key={at} className={styles.step}>
            <button
              type="button"
              className={styles.index}
              title={isLast ? 'Last step' : 'Go back to this step'}
              aria-current={isLast ? 'step' : undefined}
              onClick={() => onStep(upTo.join(':'))}
            >
              {step.index}
            </button>
            <span className="small mono medium break">{drawnName(stepCaption(types, step))}</span>
            <span className={styles.words}>{drawnName(step.words)}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** Returns a step as C: `->`, `.name`, `[2]`, `(union)`. Not escaped. */
function stepCaption(t: TypeTable, { means, index, name, type }: AccessStep): string {
  switch (means) {
    case 'element-of-pointer':
      return index === 0 ? '*p' : `p[${index}]`;
    case 'array-element':
      return `[${index}]`;
    case 'anonymous-member':
      return `(${tagKeyword(t, skipModifiers(t, type))})`;
    case 'member':
      return `.${name}`;
    case 'enumerator':
    case 'type':
      return name;
  }
}

/** A fault in a typed access string or member path. */
type TextFault = {
  /** Offset of the fault in the text, in characters. */
  readonly start: number;
  readonly length: number;
  /** Reason for the fault, in a sentence. Names are not escaped. */
  readonly sentence: string;
};

/** Returns the fault of an access string; null if the access string is valid. */
export function faultOf({ accessStr, error }: AccessPath): TextFault | null {
  if (error === null) return null;
  const { atStep, message } = error;
  // If the root type is wrong, the fault is at the first index that this type does not have.
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
  return { ...indexPlace(accessStr, atStep), sentence };
}

/** Returns the access string of a path of member names, or the fault of the path. */
export function namedFault(
  t: TypeTable,
  root: TypeId,
  names: string,
): TextFault | { readonly accessStr: string } {
  const access = accessOfNames(t, root, names);
  if ('accessStr' in access) return access;
  const { start, length, fault, near } = access;
  const word = names.slice(start, start + length);
  const meant = near.length === 0 ? '' : ` Did you mean: ${near.join(', ')}.`;
  return { start, length, sentence: `${faultText(fault, word, typeExpression(t, root))}${meant}` };
}

function faultText(fault: FollowFault['reason'] | 'syntax', word: string, root: string): string {
  const texts = {
    syntax: 'Not a member path: write a.b[2].',
    'no-member': `No member ${word} here.`,
    'no-enumerator': `${root} has no enumerator ${word}.`,
    'not-composite': `The type before ${word} has no members.`,
    'not-array': `The type before [${word}] is not an array.`,
    outside: `Element ${word} is outside the array.`,
  };
  return texts[fault];
}
