import { useMemo } from 'react';
import { logLinker } from '#analysis/log/link-log.ts';
import { lineClassOf } from '#analysis/verifier/log-places.ts';
import { drawnName } from '#bytes/text.ts';
import type { BoundKernel, BoundProgram } from '#store/kernels/log-binding.ts';
import { useLogLines } from '#store/session/log-lines.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { Split } from '#ui/Split.tsx';
import type { LogObject, TargetTypes } from '#views/parts/log/LineText.tsx';
import { LineDetail } from './LineDetail.tsx';
import { LogFrame, type ShownLog } from './LogFrame.tsx';
import { LogLines } from './LogLines.tsx';
import { PredictedNote } from './PredictedNote.tsx';

/** Shows the lines of a log, what it is of, and what its failure means. */
export function LinesView() {
  return <LogFrame panes={Panes} />;
}

function Panes({ file, log, line, part, bound, kernel, head, choose }: ShownLog) {
  const { id } = file;
  const readLine = useLogLines(id);
  const object = useLogObject(bound);
  const target = useTargetTypes(kernel);
  const link = useMemo(() => logLinker(object?.model ?? null, []), [object]);
  const shown = readLine(line);
  const { cause } = log.parts[part] ?? { cause: null };
  return (
    <Split
      label="Resize the log"
      firstSize={62}
      minFirst={260}
      minSecond={220}
      first={
        <div className="stack tall surface head-and-body">
          <div>
            {head}
            {cause === null ? null : (
              <Callout severity="error" title={`Root cause: ${drawnName(cause.sentence)}`}>
                <Button size="small" onClick={() => choose(cause.lineNumber)}>
                  Show line {grouped(cause.lineNumber + 1)}
                </Button>
              </Callout>
            )}
            {bound === null ? null : (
              <PredictedNote
                log={id}
                object={bound.file.id}
                model={bound.model}
                onChoose={choose}
              />
            )}
          </div>
          <div className="shrink-y">
            <LogLines
              file={file}
              log={log}
              readLine={readLine}
              object={object}
              link={link}
              target={target}
              chosen={line}
              onChoose={choose}
            />
          </div>
        </div>
      }
      second={
        shown === null ? (
          <div className="tall" />
        ) : (
          <LineDetail
            log={id}
            object={object}
            line={shown}
            lineClass={lineClassOf(log, line)}
            link={link(shown)}
            target={target}
          />
        )
      }
    />
  );
}

/** Returns the object of a log; the same value while object and program are the same. */
function useLogObject(bound: BoundProgram | null): LogObject | null {
  const file = bound?.file.id ?? null;
  const { model = null, program = null } = bound ?? {};
  return useMemo(
    () => (file === null || model === null ? null : { file, model, program }),
    [file, model, program],
  );
}

function useTargetTypes(kernel: BoundKernel | null): TargetTypes | null {
  const file = kernel?.file.id ?? null;
  const types = kernel?.types ?? null;
  return useMemo(() => (file === null || types === null ? null : { file, types }), [file, types]);
}
