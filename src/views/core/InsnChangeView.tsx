import type { Endian } from '#bytes/span.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { InsnBytes } from '#views/parts/InsnBytes.tsx';
import { InsnText } from '#views/parts/InsnText.tsx';
import type { InsnField } from '#views/parts/insn-fields.ts';
import styles from './InsnChangeView.module.css';
import type { InsnChange } from './insn-change.ts';

/** The instruction before and after, the fields that differ boxed in both. */
export function InsnChangeView({
  change,
  endian,
}: {
  readonly change: InsnChange;
  readonly endian: Endian;
}) {
  const { before, after, changed } = change;
  if (changed.length === 0) {
    return (
      <dl className={styles.change}>
        <Insn term="Unchanged" bytes={before} boxed={changed} endian={endian} />
      </dl>
    );
  }
  return (
    <dl className={styles.change}>
      <Insn term="Before" bytes={before} boxed={changed} endian={endian} />
      <Insn term="After" bytes={after} boxed={changed} endian={endian} />
    </dl>
  );
}

function Insn({
  term,
  bytes,
  boxed,
  endian,
}: {
  readonly term: string;
  readonly bytes: Uint8Array;
  readonly boxed: readonly InsnField['name'][];
  readonly endian: Endian;
}) {
  return (
    <div className={styles.row}>
      <dt className={styles.term}>{term}</dt>
      <dd className={styles.insn}>
        <span className={styles.bytes}>
          <InsnBytes bytes={bytes} boxed={boxed} />
        </span>
        {slotsOf(bytes, endian).map((slot) => (
          <Text key={slot} bytes={bytes.subarray(slot)} endian={endian} />
        ))}
      </dd>
    </div>
  );
}

/** Where instructions begin: what was a ld_imm64 is two once it is made invalid. */
function slotsOf(bytes: Uint8Array, endian: Endian): number[] {
  const slots: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    slots.push(at);
    at += decodeInsn(bytes, at, endian)?.length ?? bytes.length;
  }
  return slots;
}

function Text({ bytes, endian }: { readonly bytes: Uint8Array; readonly endian: Endian }) {
  const insn = decodeInsn(bytes, 0, endian);
  return insn === null ? null : (
    <span className={styles.text}>
      <InsnText insn={insn} endian={endian} />
    </span>
  );
}
