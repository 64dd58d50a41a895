import { useEffect, useEffectEvent, useState } from 'react';
import { logOfResults } from '#print/core-log.ts';
import { resolveCore, useCoreOutcome } from '#store/kernels/core-results.ts';
import { useCoreTargetId } from '#store/kernels/core-view.ts';
import { openLog } from '#store/kernels/open-log.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { TargetFrame } from '#views/parts/core/TargetFrame.tsx';
import { PasteLog } from '#views/parts/log/PasteLog.tsx';
import styles from './ExplainView.module.css';

/** Opens a log of the pane's object or kernel. */
export function ExplainView() {
  const active = useActive();
  return active === null ? null : (
    <TargetFrame key={active.id} active={active}>
      <Landmark className={styles.page} aria-label="Explain a log">
        <h2 className="size-14">Explain a log</h2>
        <p className="soft pretty">
          Paste what libbpf, cilium/ebpf, aya or the verifier wrote, or drop a log anywhere on the
          page. The log opens as a file beside this one. Its relocations, types and instructions
          lead here.
        </p>
        <PasteLog of={active.id}>
          <ExampleButton active={active} />
        </PasteLog>
      </Landmark>
    </TargetFrame>
  );
}

/** Opens an example log: of this object if it has records, else of a field that moved. */
function ExampleButton({ active: { id, model } }: { readonly active: Active }) {
  const target = useCoreTargetId(id) ?? id;
  const pair = { object: id, target, fresh: false };
  const outcome = useCoreOutcome(pair);
  const [isWanted, setWanted] = useState(false);
  const results = outcome?.step === 'ready' ? outcome.value : null;
  const open = useEffectEvent((text: string) => void openLog(text, id));

  useEffect(() => {
    if (!isWanted || results === null) return;
    setWanted(false);
    open(logOfResults(results));
  }, [isWanted, results]);

  const ask = () => {
    if (model.ext.core.count === 0) return void openLog(INODE_LOG, id);
    setWanted(true);
    void resolveCore(pair);
  };
  return (
    <Button disabled={isWanted && outcome?.step === 'running'} onClick={ask}>
      Try an example
    </Button>
  );
}

/** Example log for files without relocations, about a field that moved in Linux 6.11. */
const INODE_LOG = `libbpf: prog 'dump_inode': relo #4: <byte_off> [423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)
libbpf: prog 'dump_inode': relo #4: no matching targets found
libbpf: prog 'dump_inode': relo #4: substituting insn #12 w/ invalid insn
libbpf: prog 'dump_inode': BPF program load failed: -22
libbpf: prog 'dump_inode': -- BEGIN PROG LOAD LOG --
12: <invalid CO-RE relocation>
failed to resolve CO-RE relocation <byte_off> [423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)
processed 13 insns (limit 1000000) max_states_per_insn 0 total_states 1 peak_states 1 mark_read 1
libbpf: prog 'dump_inode': -- END PROG LOAD LOG --
libbpf: failed to load object 'dump_inode.bpf.o'
`;
