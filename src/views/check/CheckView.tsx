import { ShieldQuestion } from 'lucide-react';
import { drawnName } from '#bytes/text.ts';
import { type Active, useActive, useAnswer } from '#store/hooks.ts';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { CheckPanel } from './CheckPanel.tsx';
import styles from './CheckView.module.css';
import { noCheck } from './no-check.ts';

/** Would the kernel take this BTF, would libbpf, and what is wrong with it? */
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
