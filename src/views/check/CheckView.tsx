import { ShieldQuestion } from 'lucide-react';
import { drawnName } from '#bytes/text.ts';
import { sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Active, useActive, useAnswer } from '#store/hooks.ts';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { CheckPanel } from './CheckPanel.tsx';
import styles from './CheckView.module.css';

/** Whether the kernel and libbpf accept this BTF, and its problems. */
export function CheckView() {
  const active = useActive();
  return active === null ? null : <Checked key={active.id} active={active} />;
}

function Checked({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const answer = useAnswer(id, 'check', null);
  if (answer.step === 'failed') {
    return (
      <div className={styles.failed}>
        <Callout severity="error" title="The BTF could not be checked">
          {drawnName(answer.issue.message)}
        </Callout>
      </div>
    );
  }
  if (answer.step === 'waiting') {
    return <p className={styles.waiting}>Checking {countOf(model.types?.count ?? 0, 'type')}…</p>;
  }
  if (answer.value === null) {
    return <EmptyState icon={<ShieldQuestion size={28} aria-hidden />} {...noCheck(model)} />;
  }
  return <CheckPanel active={active} check={answer.value} />;
}

/** The empty state of a file without BTF to check. */

const WHAT =
  'clang -g --target=bpf writes BTF into a BPF object, and CONFIG_DEBUG_INFO_BTF into a kernel.';

/** The title and the text of the empty view. */
export function noCheck(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (hasBtfSection(model)) {
    return {
      title: 'The bytes of .BTF cannot be read',
      text: 'The section has no readable bytes. Issues lists what is wrong with it.',
    };
  }
  return {
    title: isBpf(model) ? 'This object has no BTF to check' : 'This file has no BTF to check',
    text: WHAT,
  };
}

function hasBtfSection({ sections }: ObjectModel): boolean {
  for (let i = 1; i < sections.count; i++) {
    if (sectionName(sections, sectionIndex(i)) === '.BTF') return true;
  }
  return false;
}
