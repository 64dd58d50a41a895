import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useSession } from '#store/session.ts';
import { IconButton } from '#ui/IconButton.tsx';
import styles from './HistoryButtons.module.css';

/** Back and forward through the places of this page: the browser's own history. */
export function HistoryButtons() {
  const hasFiles = useSession((state) => state.files.length > 0);
  if (!hasFiles) return null;
  return (
    <div className={styles.buttons}>
      <IconButton
        label="Back"
        keys={['[']}
        icon={<ChevronLeft size={16} aria-hidden />}
        onClick={() => history.back()}
      />
      <IconButton
        label="Forward"
        keys={[']']}
        icon={<ChevronRight size={16} aria-hidden />}
        onClick={() => history.forward()}
      />
    </div>
  );
}
