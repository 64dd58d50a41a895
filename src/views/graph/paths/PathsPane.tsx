import { Route } from 'lucide-react';
import { useState } from 'react';
import { selectionType } from '#analysis/code/selection.ts';
import {
  formatQuestion,
  parseQuestion,
  placeOfType,
  type QuestionText,
} from '#analysis/paths/place-text.ts';
import { typeKeyOf } from '#analysis/types/type-key.ts';
import type { TypeId } from '#model/ids.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { setViewParam, useViewParam } from '#store/view-state.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { PathsForm } from './PathsForm.tsx';
import styles from './PathsPane.module.css';
import { WaysFound } from './WaysFound.tsx';

/** Ways from a type to another, or to a field: "how do I get from task_struct to net_device?" */
export function PathsPane() {
  const active = useActive();
  if (active === null) return null;
  const { types } = active.model;
  if (types === null) {
    return (
      <EmptyState
        icon={<Route size={28} aria-hidden />}
        title="There are no ways to show: this file has no BTF that can be read"
        text="Ways lead through members and pointers, which the section .BTF tells."
      />
    );
  }
  return <Paths key={active.id} active={active} types={types} />;
}

function Paths({ active, types }: { readonly active: Active; readonly types: TypeTable }) {
  const { id, model, selection } = active;
  const asked = useViewParam(id, 'graph', 'path') ?? '';
  const [draft, setDraft] = useState({ of: asked, question: parseQuestion(asked) });
  // Another question came by the address or the history.
  if (draft.of !== asked) setDraft({ of: asked, question: parseQuestion(asked) });

  const selected = selectionType(model, selection);
  const isBlank = asked === '' && draft.question.from === '' && draft.question.to === '';
  const question =
    isBlank && selected !== null && isAskable(types, selected)
      ? { ...draft.question, from: placeOfType(typeKeyOf(types, selected)) }
      : draft.question;
  const ask = (next: QuestionText) => {
    const text = formatQuestion(next);
    setDraft({ of: text, question: next });
    setViewParam('graph', 'path', text);
  };
  return (
    <div className={styles.pane}>
      <PathsForm
        id={id}
        types={types}
        question={question}
        onDraft={(next) => setDraft({ of: asked, question: next })}
        onAsk={ask}
      />
      <WaysFound id={id} types={types} question={question} onAsk={ask} />
    </div>
  );
}

/** Longer names are nobody's question, and a megabyte in a text box takes seconds. */
const MOST_ASKED = 1000;

function isAskable(types: TypeTable, type: TypeId): boolean {
  const { length } = nameOf(types, type);
  return length > 0 && length <= MOST_ASKED;
}
