/** What the walk over the types met: kinds that are not known, and where it had to stop. */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import { BTF_TYPE_SIZE, BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { Walk, WalkStop } from '#formats/btf/walk.ts';

/** Issues of `walk`, whose first record has id `firstId`. `byBase` = the layout was that of the base. */
export function walkIssues(
  reader: ByteReader,
  walk: Walk,
  firstId: number,
  byBase: boolean,
): Issue[] {
  const issues: Issue[] = [];
  const spanAt = (index: number) => {
    const start = walk.recordOff[index] ?? 0;
    return reader.span(start, (walk.recordOff[index + 1] ?? start) - start);
  };
  const [zero] = walk.unknown.filter((u) => u.kind === BtfKind.UNKN);
  if (zero !== undefined) {
    issues.push({
      severity: 'warning',
      code: 'btf.kind-zero',
      region: reader.region,
      message:
        zero.count === 1
          ? `Type [${firstId + zero.firstIndex}] has kind 0`
          : `${zero.count} types have kind 0, the first is [${firstId + zero.firstIndex}]`,
      span: spanAt(zero.firstIndex),
      expected: 'a kind from 1',
      found: '0',
      advice:
        'Such a record has no known length. 12 bytes are assumed, so that what follows may be misread.',
    });
  }
  const skipped = walk.unknown.filter((u) => u.kind !== BtfKind.UNKN);
  const [first] = skipped;
  if (first !== undefined) {
    const count = skipped.reduce((sum, u) => sum + u.count, 0);
    const kinds = skipped.map((u) => u.kind).join(', ');
    const layout = byBase ? 'the layout of the base' : 'the layout';
    issues.push({
      severity: 'warning',
      code: 'btf.unknown-kinds',
      region: reader.region,
      message:
        count === 1
          ? `1 type of unknown kind ${kinds} skipped by ${layout}`
          : `${count} types of unknown kind${skipped.length > 1 ? 's' : ''} ${kinds} skipped by ${layout}`,
      span: spanAt(first.firstIndex),
      advice: 'They are newer than this program and are shown as bytes.',
    });
  }
  if (walk.stop !== null) issues.push(stopIssue(reader, walk.stop, firstId + walk.count));
  return issues;
}

function stopIssue(reader: ByteReader, stop: WalkStop, id: number): Issue {
  return {
    severity: 'error',
    code: `btf.walk-${stop.cause}`,
    region: reader.region,
    message: `Type [${id}]: ${reasonOf(stop)}, types from there on are unreadable`,
    span: reader.span(stop.offset, Math.min(stop.left, Math.max(stop.length, BTF_TYPE_SIZE))),
    expected: expectedOf(stop),
    found: `${stop.left} bytes up to the end of the type section`,
  };
}

function reasonOf(stop: WalkStop): string {
  switch (stop.cause) {
    case 'no-layout':
      return `unknown kind ${stop.kind} and no layout`;
    case 'outside-layout':
      return `kind ${stop.kind} is outside the layout`;
    case 'odd-layout':
      return `a layout size of kind ${stop.kind} is not a multiple of 4`;
    case 'past-end':
      return stop.vlen > 0 && itemsName(stop.kind) !== ''
        ? `${kindName(stop.kind)} with ${stop.vlen} ${itemsName(stop.kind)} runs past the end of the type section`
        : 'runs past the end of the type section';
  }
}

function expectedOf(stop: WalkStop): string {
  if (stop.cause !== 'past-end') return `a kind that is known or that the layout tells the size of`;
  return `${Math.max(stop.length, BTF_TYPE_SIZE)} bytes`;
}

function itemsName(kind: number): string {
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return 'members';
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return 'values';
    case BtfKind.FUNC_PROTO:
      return 'parameters';
    case BtfKind.DATASEC:
      return 'variables';
    default:
      return '';
  }
}
