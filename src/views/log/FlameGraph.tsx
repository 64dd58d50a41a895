import { type KeyboardEvent, useMemo, useState } from 'react';
import type { Replay } from '#analysis/verifier/replay.ts';
import { type CostNode, costTree } from '#analysis/verifier/replay-cost.ts';
import type { ReplayLines } from '#analysis/verifier/replay-source.ts';
import { drawnName } from '#bytes/text.ts';
import { countOf } from '#views/parts/number-text.ts';
import { placeText } from './answer-text.ts';
import styles from './FlameGraph.module.css';
import { boxAfterKey, flameBoxes } from './flame-boxes.ts';

type FlameGraphProps = {
  readonly replay: Replay;
  readonly lines: ReplayLines;
  /** Step at the cursor. */
  readonly step: number;
  readonly onChoose: (step: number) => void;
};

/**
 * Draws walked instructions as boxes: functions below, lines of C on them, instructions on top. Arrow
 * keys move between the boxes. The list of lines has the same numbers as text.
 */
export function FlameGraph({ replay, lines, step, onChoose }: FlameGraphProps) {
  const boxes = useMemo(
    () => flameBoxes(costTree(replay, lines), replay.stepCount),
    [replay, lines],
  );
  const [focused, setFocused] = useState(0);
  const insn = replay.insnOf(step);
  const line = lines.lineOfStep[step] ?? -1;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = boxAfterKey(boxes, focused, event.key);
    if (next === null && !event.key.startsWith('Arrow')) return;
    event.preventDefault();
    event.stopPropagation();
    if (next === null) return;
    setFocused(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <fieldset
      className={styles.graph}
      aria-label="Cost of functions, lines and instructions"
      onKeyDownCapture={onKeyDown}
    >
      {boxes.map(({ node, level, start, width }, index) => {
        const label = nodeText(node, replay, lines);
        const share = `${(100 * width).toFixed(1)} %`;
        const isCurrent = node.kind === 'insn' ? node.insn === insn : node.line === line;
        return (
          <button
            key={`${level} ${node.insn} ${node.line}`}
            type="button"
            className={styles.box}
            data-level={level}
            data-current={isCurrent ? '' : undefined}
            style={{ insetInlineStart: `${100 * start}%`, inlineSize: `${100 * width}%` }}
            tabIndex={index === focused ? 0 : -1}
            aria-label={`${label}: ${countOf(node.steps, 'instruction')}, ${share}`}
            title={`${label}\n${countOf(node.steps, 'instruction')}, ${share}`}
            onFocus={() => setFocused(index)}
            onClick={() => {
              const to = replay.stepOfInsn(node.insn);
              if (to !== null) onChoose(to);
            }}
          >
            {label}
          </button>
        );
      })}
    </fieldset>
  );
}

function nodeText({ kind, insn, line }: CostNode, replay: Replay, lines: ReplayLines): string {
  if (kind === 'insn') return `${insn}: ${drawnName(replay.printedOf(insn).trim())}`;
  const source = lines.lines[line];
  const place = source === undefined ? '' : drawnName(placeText(source));
  if (kind === 'function') return `function at insn ${insn}${place && ` (${place})`}`;
  return source === undefined ? 'no source line' : `${place} ${drawnName(source.text.trim())}`;
}
