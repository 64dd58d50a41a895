import { useState } from 'react';
import { type Active, useActive } from '#store/hooks.ts';
import { Segmented } from '#ui/Segmented.tsx';
import styles from './LogPanel.module.css';
import { LogReader } from './LogReader.tsx';
import { LogWriter } from './LogWriter.tsx';

type Part = 'read' | 'write';

const PARTS = [
  { value: 'read', label: 'Read a log' },
  { value: 'write', label: 'Write libbpf’s log' },
] as const;

/** Logs both ways: what a pasted one speaks of, and what libbpf would write of this object. */
export function LogPanel() {
  const active = useActive();
  if (active === null) return null;
  return <LogParts active={active} />;
}

function LogParts({ active }: { readonly active: Active }) {
  const [part, setPart] = useState<Part>('read');
  const { id, model } = active;
  // A kernel has nothing that libbpf could write of.
  if (model.ext.core.count === 0) return <LogReader id={id} model={model} />;
  return (
    <div className={styles.panel}>
      <div className={styles.bar}>
        <Segmented label="Which way" options={PARTS} value={part} onChange={setPart} />
      </div>
      <div className={styles.part}>
        {part === 'read' ? (
          <LogReader id={id} model={model} />
        ) : (
          <LogWriter id={id} model={model} />
        )}
      </div>
    </div>
  );
}
