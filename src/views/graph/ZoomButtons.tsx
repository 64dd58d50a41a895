import { Crosshair, Maximize, Minus, Plus } from 'lucide-react';
import { IconButton } from '#ui/IconButton.tsx';
import styles from './ZoomButtons.module.css';

type ZoomButtonsProps = {
  readonly step: number;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
  readonly onFocus: () => void;
};

/** Closer, further, all of it, and back to the selected type. */
export function ZoomButtons({ step, onZoom, onFit, onFocus }: ZoomButtonsProps) {
  return (
    <fieldset className={styles.zoom} aria-label="Zoom">
      <IconButton
        label="Zoom in"
        keys={['+']}
        icon={<Plus size={15} aria-hidden />}
        onClick={() => onZoom(step)}
      />
      <IconButton
        label="Zoom out"
        keys={['-']}
        icon={<Minus size={15} aria-hidden />}
        onClick={() => onZoom(1 / step)}
      />
      <IconButton label="Fit" icon={<Maximize size={15} aria-hidden />} onClick={onFit} />
      <IconButton
        label="Focus the selected type"
        icon={<Crosshair size={15} aria-hidden />}
        onClick={onFocus}
      />
    </fieldset>
  );
}
