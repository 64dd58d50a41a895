import type { AccessPath } from '#analysis/core/access-path.ts';
import { missWords } from '#analysis/core/match-words.ts';
import type { Miss } from '#analysis/core/trace.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Callout } from '#ui/Callout.tsx';
import type { Compared } from './compared.ts';
import { targetStepOf } from './path-lanes.ts';
import { SideHeading } from './SideHeading.tsx';
import { StepSide } from './StepSide.tsx';
import { StructMap } from './StructMap.tsx';
import { structMap } from './struct-map.ts';
import styles from './TargetStep.module.css';
import { TargetTypeLink } from './TargetTypeLink.tsx';
import type { TargetSide } from './target-side.ts';

/** The target's side of the index that is looked at: where it goes there, or why it does not. */
export function TargetStep({
  compared,
  local,
  path,
  shown,
}: {
  readonly compared: Compared;
  /** The types of the object. */
  readonly local: TypeTable;
  /** The local path. */
  readonly path: AccessPath;
  readonly shown: number;
}) {
  const { chosen, result, side } = compared;
  const heading = <SideHeading text={headingText(compared)} />;
  if (side === null) {
    return (
      <div className={styles.side}>
        {heading}
        <p className={styles.words}>{drawnName(result.reason)}</p>
      </div>
    );
  }
  const at = side.path === null ? null : targetStepOf(path, side.path, shown);
  if (side.path === null || at === null) {
    return (
      <div className={styles.side}>
        {heading}
        {side.miss === null ? (
          <p className={styles.words}>The search did not come so far.</p>
        ) : (
          <Missed miss={side.miss} local={local} side={side} />
        )}
      </div>
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
          <MissNote miss={side.miss} local={local} side={side} />
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
  const words = missWords(miss, { local, target: side.types });
  return (
    <Callout severity="warning" title="Here the paths part">
      {drawnName(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`)}
    </Callout>
  );
}

/** The struct that has no such member, with none of its members lit. */
function Missed({ miss, local, side }: MissProps) {
  const container = 'type' in miss ? miss.type : null;
  const map = container === null ? null : structMap(side.types, container, null);
  return (
    <>
      <MissNote miss={miss} local={local} side={side} />
      {map === null || container === null ? null : (
        <StructMap
          map={map}
          title={typeExpression(side.types, container)}
          base={(side.path?.bitOffset ?? 0n) / 8n}
        />
      )}
    </>
  );
}
