/**
 * Reads a BTF blob as a table of its types.
 *
 * Throws `Malformed` for errors that libbpf reports before the first type, because such a blob
 * cannot be read reliably. Errors after that become issues, and all readable types are shown. Split
 * BTF is also shown without its base, with the original ids and string offsets if they can be
 * inferred. Source: "BTF Type Format", sections 2 and 4.4.
 */
import { append } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import {
  type BtfHeader,
  type BtfLayout,
  readBtfHeader,
  readBtfLayout,
} from '#formats/btf/header.ts';
import { BTF_TYPE_SIZE, BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type Walk, type WalkStop, walkTypes } from '#formats/btf/walk.ts';
import { typeId } from '#model/ids.ts';
import type { HeaderBlock } from '#model/object-model.ts';
import type { BaseNeeds } from '#model/split-base.ts';
import { kindOf, lastId, type TypeTable } from '#model/type-table.ts';
import { btfHeaderBlock, btfHeaderOddities } from './header-blocks.ts';
import { standsAlone } from './infer-split.ts';
import { gatherEvidence } from './split-evidence.ts';
import { placeOnBase, placeWithoutBase, stringsStartWithNul } from './split-place.ts';
import {
  type ChosenBase,
  refuseByEvidence,
  refuseOutright,
  type Splitting,
} from './split-refusal.ts';

/** Bytes of a BTF blob or a `.BTF.ext` section, and their position in the file. */
export type BtfRegion = {
  readonly bytes: Uint8Array;
  /** File offset of the first byte; null if stored compressed. Spans then count in the section. */
  readonly fileOffset: number | null;
  /** Display name: `.BTF`, `.BTF.ext`, or the name of the file. */
  readonly region: string;
  /** Size of a pointer in bytes by the class of the ELF file; absent for a raw BTF file. */
  readonly pointerBytes?: 4 | 8;
};

export type IngestedBtf = {
  readonly types: TypeTable;
  readonly header: HeaderBlock;
  /** Size of the base of split BTF; null for BTF without a base. */
  readonly needs: BaseNeeds | null;
};

/** Reads the blob `region` on `base`. Throws `Malformed` if no type can be shown. */
export function ingestBtf(region: BtfRegion, base: TypeTable | null, issues: Issue[]): IngestedBtf {
  const walked = walkBlob(region, base);
  const { reader, header, alone, walk } = walked;
  const placeIssues: Issue[] = [];
  const hasRecords = (kind: number) => hasKind(alone, kind);
  const { types, needs } =
    base === null
      ? placeWithoutBase(reader, header, alone, walk.stop, placeIssues)
      : placeOnBase(reader, header, alone, walk.stop, base, placeIssues);
  append(issues, [...btfHeaderOddities(reader, header, walked.layout, hasRecords), ...placeIssues]);
  const baseMayHelp = walked.layout === null && base !== null;
  append(issues, walkIssues(reader, walk, types.firstId, baseMayHelp));
  if (types.count === 0 && walk.stop === null)
    issues.push({
      severity: 'note',
      code: 'btf.no-types',
      region: reader.region,
      message: 'There are no types',
      span: reader.span(12, 4),
    });
  return { types, header: btfHeaderBlock(reader, header), needs };
}

/** Reads a blob as `ingestBtf` does, but refuses a chosen base that does not fit, with an issue. */
export function ingestBtfOnChosen(
  region: BtfRegion,
  base: ChosenBase,
  issues: Issue[],
): IngestedBtf & { readonly refusal: Issue | null } {
  const { reader, header, alone, walk } = walkBlob(region, base.types);
  const evidence = gatherEvidence(alone, walk.stop?.left ?? 0);
  if (standsAlone(evidence) && stringsStartWithNul(reader, header)) {
    return { ...ingestBtf(region, null, issues), refusal: null };
  }
  const blob: Splitting = {
    endian: header.endian,
    region: region.region,
    span: reader.span(16, 8),
  };
  const refusal = refuseOutright(blob, base) ?? refuseByEvidence(blob, base, evidence);
  if (refusal !== null) issues.push(refusal);
  return { ...ingestBtf(region, refusal === null ? base.types : null, issues), refusal };
}

function hasKind(t: TypeTable, kind: number): boolean {
  for (let id = t.firstId; id <= lastId(t); id++) if (kindOf(t, typeId(id)) === kind) return true;
  return false;
}

function walkBlob(region: BtfRegion, base: TypeTable | null) {
  const anyOrder = new ByteReader(region.bytes, region.region, 'little', region.fileOffset ?? 0);
  const header = readBtfHeader(anyOrder);
  const reader = anyOrder.as(header.endian);
  requireStringEnd(reader, header);
  const layout = header.layout === null ? null : readBtfLayout(reader, header.layout);
  const walk = walkTypes(reader, header.types, layout ?? layoutOfBase(base));
  const alone: TypeTable = {
    blob: region.bytes,
    endian: header.endian,
    fileOffset: region.fileOffset,
    firstId: 1,
    count: walk.count,
    recordOff: walk.recordOff,
    strStart: header.strings.start,
    strEnd: header.strings.end,
    strBase: 0,
    pointerBytes: region.pointerBytes ?? null,
    split: false,
    base: null,
  };
  return { reader, header, layout, walk, alone };
}

/** Returns the layout section of the base, because split BTF may have no layout section. */
function layoutOfBase(base: TypeTable | null): BtfLayout | null {
  for (let table = base; table !== null; table = table.base) {
    const blob = new ByteReader(table.blob, 'base BTF');
    const { endian, layout } = readBtfHeader(blob);
    if (layout !== null) return readBtfLayout(blob.as(endian), layout);
  }
  return null;
}

function requireStringEnd(reader: ByteReader, { strings }: BtfHeader): void {
  if (strings.end === strings.start || reader.u8(strings.end - 1) === 0) return;
  throw new Malformed({
    code: 'btf.strings-end',
    region: reader.region,
    message: 'The string section does not end with NUL',
    span: reader.span(strings.end - 1, 1),
    expected: '0x00',
    found: hexText(reader.u8(strings.end - 1), 2),
  });
}

/** Returns issues about `walk`, from id `firstId` on. `byBase`: the layout was that of the base. */
function walkIssues(reader: ByteReader, walk: Walk, firstId: number, byBase: boolean): Issue[] {
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
      advice: 'Newer than this program; shown as bytes.',
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
      return stop.vlen > 0 && ITEMS_NAME[stop.kind] !== undefined
        ? `${kindName(stop.kind)} with ${stop.vlen} ${ITEMS_NAME[stop.kind]} runs past the end of the type section`
        : 'runs past the end of the type section';
  }
}

function expectedOf(stop: WalkStop): string {
  if (stop.cause !== 'past-end') return `a kind that is known or that the layout tells the size of`;
  return `${Math.max(stop.length, BTF_TYPE_SIZE)} bytes`;
}

const ITEMS_NAME: Readonly<Record<number, string>> = {
  [BtfKind.STRUCT]: 'members',
  [BtfKind.UNION]: 'members',
  [BtfKind.ENUM]: 'values',
  [BtfKind.ENUM64]: 'values',
  [BtfKind.FUNC_PROTO]: 'parameters',
  [BtfKind.DATASEC]: 'variables',
};
