import { useActive } from '#store/hooks.ts';
import { BytesPanel } from './BytesPanel.tsx';

/** The bytes of the file, section by section, with what relocations change in them. */
export function BytesView() {
  const active = useActive();
  return active === null ? null : <BytesPanel key={active.id} active={active} />;
}
