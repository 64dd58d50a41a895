import { Crosshair } from 'lucide-react';
import { useMemo } from 'react';
import type { Find } from '#lessons/glossary/term.ts';
import { useActive } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { VIEW_TITLES } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import styles from './TermPlace.module.css';

/** Leads to such a thing in the open file, or says that it has none. Nothing for what no file holds, and without a file. */
export function TermPlace({
  find,
  onLeave,
}: {
  readonly find: Find | null;
  readonly onLeave: () => void;
}) {
  const active = useActive();
  const model = active?.model ?? null;
  const place = useMemo(() => (model === null ? null : (find?.(model) ?? null)), [find, model]);
  if (model === null || find === null) return null;
  if (place === null) return <p className="small muted">The open file has none.</p>;
  return (
    <p>
      <Button
        size="small"
        onClick={() => {
          onLeave();
          select(place.selection, place.view);
        }}
      >
        <Crosshair size={13} aria-hidden />
        See it in the file
        <span className={styles.view}>{VIEW_TITLES[place.view]}</span>
      </Button>
    </p>
  );
}
