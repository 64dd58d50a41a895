import { showView } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './CoreLine.module.css';

/** Many look for CO-RE here: it is another thing, and this leads to it. */
export function CoreLine({ count }: { readonly count: number }) {
  return (
    <div className={styles.line}>
      <span aria-hidden className={styles.mark} data-tone="reloc-3" />
      <p>
        CO-RE relocations are not ELF relocations: they are records of .BTF.ext, and libbpf applies
        them against the running kernel.{' '}
        {count === 0 ? 'This file has none.' : `This file has ${countOf(count, 'record')}.`}
      </p>
      {count === 0 ? null : (
        <Button size="small" onClick={() => showView('core')}>
          Go to CO-RE
        </Button>
      )}
    </div>
  );
}
