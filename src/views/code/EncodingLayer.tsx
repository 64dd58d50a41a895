import type { Insn } from '#formats/bpf/insn.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { InsnBytes } from '#views/parts/InsnText.tsx';
import { TermText } from '#views/parts/Term.tsx';
import styles from './EncodingLayer.module.css';
import { encodingRows } from './encoding-rows.ts';
import { OpcodeRuler } from './OpcodeRuler.tsx';

/** The bytes of an instruction, its opcode bit by bit, and its other fields as numbers. */
export function EncodingLayer({
  model,
  insn,
  bytes,
}: {
  readonly model: ObjectModel;
  readonly insn: Insn;
  readonly bytes: Uint8Array;
}) {
  return (
    <DetailSection title="Encoding" aside={`${bytes.length} bytes, ${model.endian}-endian`}>
      <p className={styles.bytes}>
        <InsnBytes bytes={bytes} />
      </p>
      <OpcodeRuler opcode={insn.opcode} />
      <table className={styles.fields}>
        <caption className="visually-hidden">Fields after the opcode</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {encodingRows(insn).map(({ field, value, meaning }) => (
            <tr key={field}>
              <th scope="row" data-field={field}>
                {field === 'src_reg' ? field : <TermText text={field} />}
              </th>
              <td className={styles.value}>{value}</td>
              <td className={styles.meaning}>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </DetailSection>
  );
}
