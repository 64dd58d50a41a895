/**
 * Looks up the first version of Linux with a feature: a helper, a map type, an instruction. Source:
 * `feature-table.ts`, which a script generates.
 */
import { FEATURE_TABLE } from './feature-table.ts';
import type { Version } from './version.ts';

export type FeatureKind = keyof typeof FEATURE_TABLE;

/** The first version with a feature, as far as known. */
export type Since = {
  /** Oldest version known to have the feature. */
  readonly version: Version;
  /** Newest version known to lack the feature; null if all known kernels have it. */
  readonly lacking: Version | null;
  /** Commit of Linux by hash or subject; null if only the BTF of kernels tells the version. */
  readonly commit: string | null;
};

type Features = ReadonlyMap<string, Since>;

const parsed = new Map<FeatureKind, Features>();

/** Returns the features of a kind. Enumerators are in the order of their values. */
function featuresOf(kind: FeatureKind): Features {
  const known = parsed.get(kind);
  if (known !== undefined) return known;
  const features = new Map<string, Since>();
  for (const line of FEATURE_TABLE[kind].trim().split('\n')) {
    const [first = '', older = '', ...pairs] = line.split('\t');
    const version = versionOf(first);
    if (version === null) continue;
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const commit = pairs[i] === '-' ? null : (pairs[i] ?? null);
      const isOldest = older === '-' && commit === null;
      const lacking = isOldest ? null : (versionOf(older) ?? versionBefore(version));
      for (const name of (pairs[i + 1] ?? '').split(',')) {
        features.set(name, { version, lacking, commit });
      }
    }
  }
  parsed.set(kind, features);
  return features;
}

/** Returns the first version with a feature; null if the table lacks it. */
export function featureSince(kind: FeatureKind, name: string): Since | null {
  return featuresOf(kind).get(name) ?? null;
}

/** Returns the names of a kind; enumerators in the order of their values. */
export function featureNames(kind: FeatureKind): readonly string[] {
  return [...featuresOf(kind).keys()];
}

/** Returns true if the version is exact: the one before it is known to lack the feature. */
export function isExact({ version, lacking }: Pick<Since, 'version' | 'lacking'>): boolean {
  return lacking !== null && lacking === versionBefore(version);
}

/** Last minor numbers of Linux 3, 4, 5 and 6. */
const LAST_MINOR: ReadonlyMap<number, number> = new Map([
  [3, 19],
  [4, 20],
  [5, 19],
  [6, 19],
]);

/** Returns the version before `version`, such as `5.19` for `6.0`; null if there is none. */
export function versionBefore(version: Version): Version | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (minor > 0) return `${major}.${minor - 1}`;
  const last = LAST_MINOR.get(major - 1);
  return last === undefined ? null : `${major - 1}.${last}`;
}

function versionOf(text: string): Version | null {
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(text) ?? [];
  return minor === undefined ? null : `${Number(major)}.${Number(minor)}`;
}
