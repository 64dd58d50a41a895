/**
 * Guesses which tool wrote a BTF, and with which options, from what the BTF contains. BTF does not
 * name its encoder. Source of the versions: the tags of pahole (changes-v1.NN, btf_encoder.c), and
 * tools/bpf/resolve_btfids of Linux.
 */
import { counted } from '#bytes/text.ts';
import { BTF_HEADER_SIZE_LAYOUT } from '#formats/btf/header.ts';
import { BtfKind, kindName, Linkage } from '#formats/btf/kinds.ts';
import { type BtfContents, visibleFuncs } from './btf-contents.ts';

export type EncoderSign = {
  /** What the BTF contains: `265 DECL_TAGs bpf_kfunc`. Names are not escaped. */
  readonly found: string;
  /** What it tells: `pahole 1.27 or later, decl_tag_kfuncs`. */
  readonly tells: string;
};

export type Encoder = {
  /** The guess without a full stop: `Probably pahole 1.28 or later`. */
  readonly statement: string;
  /** Signs, the newest first. */
  readonly signs: readonly EncoderSign[];
  /** What to rebuild for more complete BTF, and what the BTF does not tell; may be empty. */
  readonly advice: string;
};

/** What the BTF of a kernel cannot tell about the options of pahole. */
const UNTOLD = 'BTF does not tell whether optimized_func and true_signature were used.';

/** A sign of pahole: the first version that writes it, and the feature of `--btf_features`. */
type PaholeSign = {
  readonly since: number;
  readonly feature: string;
  /** Returns what is found; null if the BTF does not have it. */
  readonly find: (contents: BtfContents) => string | null;
};

/** Signs of pahole, the newest first. `since` is the minor version: 31 for 1.31. */
const PAHOLE_SIGNS: readonly PaholeSign[] = [
  {
    since: 32,
    feature: 'layout',
    find: ({ header }) => (header?.layout ? 'A layout section' : null),
  },
  {
    since: 30,
    feature: 'attributes',
    find: ({ flagged }) =>
      kindsFound(flagged, [BtfKind.TYPE_TAG, BtfKind.DECL_TAG], ' with kind_flag'),
  },
  {
    since: 29,
    feature: '',
    find: ({ areFuncsSorted }) => (areFuncsSorted ? 'FUNCs in the order of their names' : null),
  },
  { since: 28, feature: 'decl_tag_kfuncs', find: ({ tags }) => tagsFound(tags, 'bpf_fastcall') },
  {
    since: 28,
    feature: 'distilled_base',
    find: ({ hasDistilledBase }) => (hasDistilledBase ? 'A section .BTF.base' : null),
  },
  { since: 28, feature: 'global_var', find: otherDatasecs },
  { since: 27, feature: 'decl_tag_kfuncs', find: ({ tags }) => tagsFound(tags, 'bpf_kfunc') },
  { since: 24, feature: 'enum64', find: ({ counts }) => kindsFound(counts, [BtfKind.ENUM64], '') },
  {
    since: 24,
    feature: '',
    find: ({ flagged }) => kindsFound(flagged, [BtfKind.ENUM], ' with kind_flag (signed)'),
  },
  {
    since: 23,
    feature: 'type_tag',
    find: ({ counts }) => kindsFound(counts, [BtfKind.TYPE_TAG], ''),
  },
  { since: 23, feature: 'decl_tag', find: otherTags },
  { since: 21, feature: 'float', find: ({ counts }) => kindsFound(counts, [BtfKind.FLOAT], '') },
  {
    since: 18,
    feature: 'var',
    find: ({ datasecs }) => (datasecs.includes(PERCPU) ? `A DATASEC ${PERCPU}` : null),
  },
  { since: 16, feature: '', find: ({ linkages }) => staticFuncs(linkages) },
];

const PERCPU = '.data..percpu';
const PAHOLE_TAGS: readonly string[] = ['bpf_kfunc', 'bpf_fastcall'];
/** DATASECs that only objects of BPF programs have. */
const OBJECT_SECTIONS = new Set(['.maps', 'maps', '.ksyms', '.kconfig', 'license', 'LICENSE']);

/** Newest released version of pahole: later signs are in no release. */
const LAST_PAHOLE = 31;

/** Returns the guess. `mixedFuncs`: number of names with several FUNCs. */
export function encoderOf(contents: BtfContents, mixedFuncs: number): Encoder {
  const compiled = compilerOf(contents);
  if (compiled !== null) return compiled;
  if (isDistilled(contents)) {
    return {
      statement: 'Probably a distilled base, the section .BTF.base of a module',
      signs: [
        {
          found: 'All STRUCTs and UNIONs are without members',
          tells: 'libbpf, btf__distill_base, as pahole 1.28 and later call it',
        },
      ],
      advice: '',
    };
  }
  const found = PAHOLE_SIGNS.flatMap(({ since, feature, find }) => {
    const text = find(contents);
    return text === null ? [] : [{ since, found: text, tells: paholeText(since, feature) }];
  });
  const since = Math.max(0, ...found.map((sign) => sign.since));
  const signs: EncoderSign[] = found.map((sign) => ({ found: sign.found, tells: sign.tells }));
  if (contents.isSorted) {
    signs.unshift({
      found: 'Types without a name come first, the others in the order of their names',
      tells: 'sorted by resolve_btfids of Linux 7.0 or later',
    });
  }
  if (since === 0) {
    return { statement: 'Nothing tells which tool wrote this BTF', signs, advice: '' };
  }
  const lacking = lackingSigns(contents, mixedFuncs);
  return {
    statement: `Probably ${paholeText(since, '')}${contents.isSorted ? ', then resolve_btfids of Linux 7.0 or later' : ''}`,
    signs: [...signs, ...lacking.map(({ found: text, tells }) => ({ found: text, tells }))],
    advice: [...lacking.map(({ rebuild }) => rebuild), UNTOLD].join(' '),
  };
}

function paholeText(since: number, feature: string): string {
  const release =
    since > LAST_PAHOLE ? `pahole later than 1.${LAST_PAHOLE}` : `pahole 1.${since} or later`;
  return feature === '' ? release : `${release}, ${feature}`;
}

type LackingSign = EncoderSign & { readonly rebuild: string };

/** Returns signs of features that were not used, and how to rebuild with them. */
function lackingSigns(
  { counts, tags, linkages }: BtfContents,
  mixedFuncs: number,
): readonly LackingSign[] {
  const signs: LackingSign[] = [];
  if (mixedFuncs > 0) {
    signs.push({
      found: `${counted(mixedFuncs, 'name')} with several FUNCs`,
      tells: 'pahole before 1.25, or without consistent_func',
      rebuild:
        'pahole 1.25 and later leave functions of one name and different prototypes out (consistent_func).',
    });
  }
  const functions = linkages[Linkage.static] ?? 0;
  if (functions >= MANY_FUNCS && !tags.has('bpf_kfunc')) {
    signs.push({
      found: 'No DECL_TAG bpf_kfunc',
      tells: 'pahole before 1.27, or without decl_tag_kfuncs, as in Linux before 6.10',
      rebuild:
        'Without the tags, BTF does not tell which FUNCs are kfuncs: pahole 1.27 and later write them (decl_tag_kfuncs, Linux 6.10).',
    });
  }
  if (functions >= MANY_FUNCS && (counts[BtfKind.ENUM64] ?? 0) === 0) {
    signs.push({
      found: 'No ENUM64',
      tells: 'pahole before 1.24, or without enum64, as in Linux before 6.0',
      rebuild:
        'Enumerators of more than 32 bits are cut: pahole 1.24 and later write ENUM64 (enum64, Linux 6.0).',
    });
  }
  return signs;
}

/** Number of FUNCs of a whole kernel, as opposed to a module or a part of a kernel. */
const MANY_FUNCS = 10_000;

/** Returns the guess for BTF that a compiler wrote into a BPF object; else null. */
function compilerOf(contents: BtfContents): Encoder | null {
  const { hasGccChar, datasecs } = contents;
  const signs: EncoderSign[] = [];
  const visible = visibleFuncs(contents);
  const section = datasecs.find((name) => OBJECT_SECTIONS.has(name));
  if (visible > 0) {
    signs.push({
      found: `${counted(visible, 'FUNC')} with global or extern linkage`,
      tells: 'clang; pahole makes all FUNCs static',
    });
  }
  if (section !== undefined) {
    signs.push({ found: `A DATASEC ${section}`, tells: 'an object of BPF programs' });
  }
  if (hasGccChar) {
    signs.push({ found: 'An INT char that is SIGNED and CHAR', tells: 'GCC for BPF' });
  }
  if (signs.length === 0) return null;
  return {
    statement: `Probably ${hasGccChar ? 'GCC for BPF' : 'clang -g --target=bpf'}`,
    signs,
    advice: '',
  };
}

/** Returns true if the composites are without members: a distilled base keeps their sizes only. */
function isDistilled({ counts, withMembers }: BtfContents): boolean {
  const composites = (counts[BtfKind.STRUCT] ?? 0) + (counts[BtfKind.UNION] ?? 0);
  return composites > 1 && withMembers === 0 && (counts[BtfKind.FUNC] ?? 0) === 0;
}

function kindsFound(
  counts: Readonly<Record<number, number>>,
  kinds: readonly number[],
  more: string,
): string | null {
  const found = kinds.filter((kind) => (counts[kind] ?? 0) > 0);
  if (found.length === 0) return null;
  return `${found.map((kind) => counted(counts[kind] ?? 0, kindName(kind))).join(' and ')}${more}`;
}

function tagsFound(tags: ReadonlyMap<string, number>, text: string): string | null {
  const count = tags.get(text) ?? 0;
  return count === 0 ? null : `${counted(count, 'DECL_TAG')} ${text}`;
}

function otherTags({ tags }: BtfContents): string | null {
  let count = 0;
  for (const [text, times] of tags) if (!PAHOLE_TAGS.includes(text)) count += times;
  return count === 0 ? null : `${counted(count, 'DECL_TAG')} of the source`;
}

function otherDatasecs({ datasecs }: BtfContents): string | null {
  const others = datasecs.filter((name) => name !== PERCPU);
  return others.length === 0 ? null : `DATASECs of other sections than ${PERCPU}`;
}

function staticFuncs(linkages: BtfContents['linkages']): string | null {
  const count = linkages[Linkage.static] ?? 0;
  return count === 0 ? null : `${counted(count, 'FUNC')}, all static`;
}

/** Length of the header that pahole and libbpf write since they know the layout section. */
export function hasLongHeader({ header }: BtfContents): boolean {
  return (header?.hdrLen ?? 0) >= BTF_HEADER_SIZE_LAYOUT;
}
