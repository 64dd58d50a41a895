import type { ReactNode } from 'react';
import { accessExpression } from '#analysis/core/access-text.ts';
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import type { Miss } from '#analysis/core/trace.ts';
import { missText } from '#analysis/core/trace-text.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { bitPlace, drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { activate } from '#store/session/panes.ts';
import type { FileId } from '#store/session/session.ts';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { StepPicture, StructMap, structMap } from './StepPicture.tsx';
import styles from './StepSide.module.css';
import {
  type Compared,
  type InspectedRecord,
  type TargetSide,
  targetStepOf,
} from './target-side.ts';

type StepSideProps = {
  /** Name of the side, local or target; null if only one side is shown. */
  readonly heading: string | null;
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly at: number;
  readonly link: (type: TypeId) => ReactNode;
  readonly note?: ReactNode;
  /** Returns the text of the access in C with the names of the source. */
  readonly inSource?: (expression: string) => string;
};

/** Shows a step in the local or the target types: meaning of the index, offset, picture. */
export function StepSide(props: StepSideProps) {
  const { heading, types, path, at, link, note, inSource } = props;
  const step = path.steps[at];
  if (step === undefined) return null;
  const expression = accessExpression(types, path.root, path.steps.slice(0, at + 1));
  const isField = step.means !== 'enumerator' && step.means !== 'type';
  return (
    <Side heading={heading}>
      <p className="break pretty">{drawnName(step.words)}</p>
      <dl className={styles.facts}>
        <Fact term="Type">{link(step.type)}</Fact>
        {isField ? (
          <Fact term="Offset">
            <span className="mono">
              {bitPlace(step.bitOffset)}
              <span className="muted"> · bit {grouped(step.bitOffset)}</span>
            </span>
          </Fact>
        ) : null}
        {step.enumValue === null ? null : (
          <Fact term="Value">
            <span className="mono">{`${step.enumValue}`}</span>
          </Fact>
        )}
        <Fact term="C expression">
          <code>{drawnName(inSource?.(expression) ?? expression)}</code>
        </Fact>
      </dl>
      {note}
      <StepPicture types={types} path={path} at={at} />
    </Side>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type SideProps = Pick<StepSideProps, 'heading'> & { readonly children: ReactNode };

/** Shows one side of a comparison. Two sides need headings. */
export function Side({ heading, children }: SideProps) {
  return (
    <div className="stack gap-3 shrink at-top">
      {heading === null ? null : (
        <h4 className="tiny muted bold break">
          <bdi>{heading}</bdi>
        </h4>
      )}
      {children}
    </div>
  );
}

type TargetStepProps = Pick<InspectedRecord, 'types' | 'path'> & {
  readonly compared: Compared;
  readonly shown: number;
};

/** Shows the selected index in the target, or why the target has no such index. */
export function TargetStep({ compared, types, path, shown }: TargetStepProps) {
  const { chosen, result, side } = compared;
  const heading = headingText(compared);
  if (side === null) {
    return (
      <Side heading={heading}>
        <p className="soft break pretty">{drawnName(result.reason)}</p>
      </Side>
    );
  }
  const at = side.path === null ? null : targetStepOf(path, side.path, shown);
  if (side.path === null || at === null) {
    return (
      <Side heading={heading}>
        {side.miss === null ? (
          <p className="soft break pretty">The search did not reach this step.</p>
        ) : (
          <Missed miss={side.miss} local={types} side={side} />
        )}
      </Side>
    );
  }
  const isLast = at === side.path.steps.length - 1 && shown === path.steps.length - 1;
  return (
    <StepSide
      heading={heading}
      types={side.types}
      path={side.path}
      at={at}
      link={(type) => <TargetTypeLink file={chosen.id} types={side.types} type={type} />}
      note={
        isLast && side.miss !== null ? (
          <MissNote miss={side.miss} local={types} side={side} />
        ) : null
      }
    />
  );
}

function headingText({ chosen, side }: Compared): string {
  const name = chosen.isItself ? 'This file as its own target' : drawnName(chosen.name);
  const table = chosen.target.tables.find(({ types }) => types === side?.types);
  return chosen.target.tables.length > 1 && table !== undefined
    ? `${name}, in ${drawnName(table.name)}`
    : name;
}

type MissProps = { readonly miss: Miss; readonly local: TypeTable; readonly side: TargetSide };

function MissNote({ miss, local, side }: MissProps) {
  const words = missText(miss, { local, target: side.types });
  return (
    <Callout severity="warning" title="Mismatch here">
      {drawnName(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`)}
    </Callout>
  );
}

/** Shows the struct in which the member is missing. */
function Missed({ miss, local, side }: MissProps) {
  const container = 'type' in miss ? miss.type : null;
  const map = container === null ? null : structMap(side.types, container, null);
  return (
    <>
      <MissNote miss={miss} local={local} side={side} />
      {map === null || container === null ? null : (
        <StructMap
          types={side.types}
          map={map}
          title={typeExpression(side.types, container)}
          base={(side.path?.bitOffset ?? 0n) / 8n}
        />
      )}
    </>
  );
}

type TargetTypeLinkProps = {
  readonly file: FileId;
  readonly types: TypeTable;
  readonly type: TypeId;
};

/** Shows a link to a type of another open file. The type is written in C. */
function TargetTypeLink({ file, types, type }: TargetTypeLinkProps) {
  const text = drawnName(typeExpression(types, type));
  if (type === 0) return <span>{text}</span>;
  return (
    <button
      type="button"
      className={styles.link}
      title={`[${type}] ${text}, in the target`}
      onClick={() => {
        activate(file);
        select(typeSelection(type), 'types');
      }}
    >
      <KindBadge kind={kindOf(types, type)} decorative />
      <bdi>{text}</bdi>
    </button>
  );
}
