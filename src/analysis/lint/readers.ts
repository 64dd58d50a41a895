/**
 * Tells which versions of Linux, libbpf, bpftool, pahole, cilium/ebpf and aya can open a BTF, by
 * what it contains. Sources: the tags of each project; kernel/bpf/btf.c and include/uapi/linux/btf.h
 * of Linux, btf.c of libbpf (pahole and bpftool contain a libbpf), btf/ of cilium/ebpf, btf/types.rs
 * of aya.
 */
import { counted } from '#bytes/text.ts';
import {
  BTF_KIND_MAX,
  BtfKind,
  CLASSIC_MAX_VLEN,
  kindName,
  RELEASED_KIND_MAX,
} from '#formats/btf/kinds.ts';
import type { BtfContents } from './btf-contents.ts';
import { hasLongHeader } from './encoder.ts';

export const READERS = ['Linux', 'libbpf', 'bpftool', 'pahole', 'cilium/ebpf', 'aya'] as const;

/** First version of each reader that opens it, in the order of `READERS`; null: no release. */
export type FirstVersions = readonly (string | null)[];

export type ReaderNeed = {
  /** What the BTF contains: `20 ENUM64`. */
  readonly what: string;
  readonly since: FirstVersions;
  /** What else holds, without a full stop; empty for none. */
  readonly note: string;
};

export type Readers = {
  /** What the BTF contains, the oldest first. */
  readonly needs: readonly ReaderNeed[];
  /** First version of each reader that opens all of it. */
  readonly since: FirstVersions;
};

const NONE: FirstVersions = [null, null, null, null, null, null];
/** First versions that read BTF at all: kinds 1 to 11. */
const ANY: FirstVersions = ['4.18', '0.0.3', '5.2', '1.13', '0.1', '0.10'];

/** First versions by kind. Kinds without a row are as old as BTF. */
const KINDS: ReadonlyMap<number, FirstVersions> = new Map([
  [BtfKind.FUNC, ['5.0', '0.0.3', '5.2', '1.16', '0.1', '0.10']],
  [BtfKind.FUNC_PROTO, ['5.0', '0.0.3', '5.2', '1.16', '0.1', '0.10']],
  [BtfKind.VAR, ['5.2', '0.0.3', '5.2', '1.16', '0.1', '0.10']],
  [BtfKind.DATASEC, ['5.2', '0.0.3', '5.2', '1.16', '0.1', '0.10']],
  [BtfKind.FLOAT, ['5.13', '0.4', '5.13', '1.21', '0.7', '0.11']],
  [BtfKind.DECL_TAG, ['5.16', '0.6', '5.16', '1.23', '0.9.2', '0.11']],
  [BtfKind.TYPE_TAG, ['5.17', '0.6', '5.17', '1.23', '0.9.2', '0.11']],
  [BtfKind.ENUM64, ['6.0', '1.0', '7.0', '1.24', '0.10', '0.12']],
]);

const NOTES: ReadonlyMap<number, string> = new Map([
  [BtfKind.DECL_TAG, 'pahole before 1.27 warns of each and leaves it out'],
  [BtfKind.TYPE_TAG, 'pahole before 1.25 warns of each and shows no type behind it'],
]);

/** Returns the readers of a BTF with these contents. */
export function readersOf(contents: BtfContents): Readers {
  const needs = [...kindNeeds(contents), ...flagNeeds(contents), ...formNeeds(contents)];
  const since = READERS.map((_, reader) =>
    [ANY, ...needs.map((need) => need.since)].reduce<string | null>(
      (latest, { [reader]: version }) => {
        if (latest === null || version === undefined || version === null) return null;
        return isLater(version, latest) ? version : latest;
      },
      ANY[reader] ?? null,
    ),
  );
  return { needs, since };
}

function kindNeeds({ counts, header }: BtfContents): readonly ReaderNeed[] {
  const needs: ReaderNeed[] = [];
  for (const [kind, since] of KINDS) {
    const count = counts[kind] ?? 0;
    if (count === 0) continue;
    needs.push({ what: counted(count, kindName(kind)), since, note: NOTES.get(kind) ?? '' });
  }
  for (const [key, count] of Object.entries(counts)) {
    const kind = Number(key);
    if (kind <= RELEASED_KIND_MAX) continue;
    const isLaidOut = header !== null && header.layout !== null;
    const known =
      kind <= BTF_KIND_MAX ? 'Linux and libbpf have it in bpf-next only' : 'Unknown kind';
    needs.push({
      what: counted(count, kindName(kind)),
      // By the layout section, libbpf skips what it does not know.
      since: isLaidOut ? [null, '1.8', '7.8', null, null, null] : NONE,
      note: isLaidOut ? `${known}; libbpf and bpftool skip it by the layout section` : known,
    });
  }
  return needs;
}

function flagNeeds({ flagged, maxVlen }: BtfContents): readonly ReaderNeed[] {
  const needs: ReaderNeed[] = [];
  const add = (kind: number, linux: string, note: string) => {
    const count = flagged[kind] ?? 0;
    if (count === 0) return;
    const [, ...others] = KINDS.get(kind) ?? ANY;
    const what = `${counted(count, kindName(kind))} with kind_flag`;
    needs.push({ what, since: [linux, ...others], note });
  };
  add(BtfKind.ENUM, '6.0', 'Older readers take the values as unsigned');
  add(BtfKind.TYPE_TAG, '6.15', 'Older readers take the attribute as a type tag');
  add(BtfKind.DECL_TAG, '6.15', 'Older readers take the attribute as a declaration tag');
  if (maxVlen > CLASSIC_MAX_VLEN) {
    needs.push({
      what: `A vlen of ${maxVlen}, more than 16 bits`,
      since: [null, '1.8', '7.8', null, null, null],
      note: 'Linux has it in bpf-next only',
    });
  }
  return needs;
}

function formNeeds(contents: BtfContents): readonly ReaderNeed[] {
  const { header, endian, isSplit, hasDistilledBase } = contents;
  const needs: ReaderNeed[] = [];
  const isBig = endian === 'big';
  if (hasDistilledBase) {
    needs.push({
      what: 'Split BTF with a distilled base (.BTF.base)',
      since: ['6.11', '1.5', '7.5', '1.28', null, null],
      note: '',
    });
  } else if (isSplit) {
    needs.push({
      what: 'Split BTF, which needs its base',
      since: ['5.11', '0.3', '5.11', '1.19', '0.10', null],
      note: '',
    });
  }
  if (isBig) {
    needs.push({
      what: 'Big-endian',
      since: ['4.18', '0.2', '5.10', '1.19', '0.9', '0.10'],
      note: 'Linux and aya on big-endian machines only',
    });
  }
  if (header !== null && header.layout !== null) {
    needs.push({
      what: 'A layout section',
      since: [
        '7.1',
        isBig ? '1.8' : '0.0.3',
        isBig ? '7.8' : '5.2',
        isBig ? null : '1.13',
        '0.22',
        '0.10',
      ],
      note: '',
    });
  } else if (isBig && hasLongHeader(contents)) {
    needs.push({
      what: `A header of ${header?.hdrLen ?? 0} bytes, big-endian`,
      since: ['4.18', '1.8', '7.8', null, '0.9', '0.10'],
      note: '',
    });
  }
  return needs;
}

/** Returns true if version `a` is later than `b`. */
function isLater(a: string, b: string): boolean {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Returns the requirement as words: `Linux 6.0, libbpf 1.0 and aya 0.12 or later`. */
export function readersText({ since }: Readers): string {
  const able = READERS.flatMap((reader, i) => (since[i] == null ? [] : [`${reader} ${since[i]}`]));
  const unable = READERS.filter((_, i) => since[i] == null);
  const lists = [
    ...(able.length === 0 ? [] : [`${able.join(', ')} or later`]),
    ...(unable.length === 0 ? [] : [`no release of ${unable.join(', ')}`]),
  ];
  return lists.join('; ');
}
