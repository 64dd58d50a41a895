/**
 * Looks up the first Linux release with a feature: a helper, a map type, an instruction. Source:
 * `feature-table.ts`, which a script generates.
 */
import { FEATURE_TABLE } from './feature-table.ts';

export type FeatureKind = keyof typeof FEATURE_TABLE;

/** The first release with a feature, as far as known. */
export type Since = {
  /** Oldest release known to have the feature, such as `5.12`. */
  readonly release: string;
  /** Newest release known to lack the feature; null if it is older than all known kernels. */
  readonly lacking: string | null;
  /** Commit of Linux by hash or subject; null if only the BTF of kernels tells the release. */
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
    const [release = '', older = '', ...pairs] = line.split('\t');
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const commit = pairs[i] === '-' ? null : (pairs[i] ?? null);
      const lacking = older === '-' ? (commit === null ? null : releaseBefore(release)) : older;
      for (const name of (pairs[i + 1] ?? '').split(',')) {
        features.set(name, { release, lacking, commit });
      }
    }
  }
  parsed.set(kind, features);
  return features;
}

/** Returns the first release with a feature; null if the table lacks it. */
export function featureSince(kind: FeatureKind, name: string): Since | null {
  return featuresOf(kind).get(name) ?? null;
}

/** Returns the names of a kind; enumerators in the order of their values. */
export function featureNames(kind: FeatureKind): readonly string[] {
  return [...featuresOf(kind).keys()];
}

/** Returns the name of a helper by its number, such as `bpf_map_lookup_elem`; null if unknown. */
export function helperName(helper: number): string | null {
  return featureNames('helper')[helper - 1] ?? null;
}

/** Returns true if the release is exact: the one before it is known to lack the feature. */
export function isExact({ release, lacking }: Since): boolean {
  return lacking !== null && lacking === releaseBefore(release);
}

/** Last minor numbers of Linux 3, 4, 5 and 6. */
const LAST_MINOR: ReadonlyMap<number, number> = new Map([
  [3, 19],
  [4, 20],
  [5, 19],
  [6, 19],
]);

/** Returns the release before `release`, such as `5.19` for `6.0`; null for unknown ones. */
export function releaseBefore(release: string): string | null {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  if (minor > 0) return `${major}.${minor - 1}`;
  const last = LAST_MINOR.get(major - 1);
  return last === undefined ? null : `${major - 1}.${last}`;
}

/** Compares two releases by their first two numbers: negative if `a` is older. */
export function compareReleases(a: string, b: string): number {
  const [aMajor = 0, aMinor = 0] = a.split('.').map(Number);
  const [bMajor = 0, bMinor = 0] = b.split('.').map(Number);
  return aMajor - bMajor || aMinor - bMinor;
}
