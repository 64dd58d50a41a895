import { Keyboard } from 'lucide-react';
import { IconButton } from '#ui/IconButton.tsx';

/** Opens the list of keys. */
export function HelpButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <IconButton
      label="Keys"
      keys={['?']}
      icon={<Keyboard size={16} aria-hidden />}
      onClick={onClick}
    />
  );
}
