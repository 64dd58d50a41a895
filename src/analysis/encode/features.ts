/**
 * Choices of an encoding, by the names of pahole's `--btf_features`.
 *
 * Source: pahole 1.31, pahole.c, `btf_features`, `parse_btf_features`, `conf_load`.
 */

/** Features by pahole's names. The flag tells whether `default` contains the feature. */
const FEATURES = {
  /** Names that BTF cannot have, and variables of type void, are left out instead of refused. */
  encode_force: true,
  /** Variables of the section `.data..percpu`. */
  var: true,
  float: true,
  decl_tag: true,
  type_tag: true,
  enum64: true,
  /** Accepted for pahole's sake: since 1.31 it decides nothing. */
  optimized_func: true,
  consistent_func: true,
  decl_tag_kfuncs: true,
  /** Accepted for pahole's sake: the order of the types never varies here. */
  reproducible_build: false,
  distilled_base: false,
  /** Variables of all sections. */
  global_var: false,
  attributes: false,
  true_signature: false,
  layout: false,
} as const;

export type Feature = keyof typeof FEATURES;

/** Names of all features, in pahole's order. */
export const FEATURE_NAMES = Object.keys(FEATURES).filter(isFeature);

/** The features that pahole uses without `--btf_features`. */
export const PLAIN_FEATURES: ReadonlySet<Feature> = new Set<Feature>([
  'var',
  'decl_tag',
  'type_tag',
  'enum64',
]);

/**
 * Returns the features of a list in pahole's form: `default`, `+NAME,NAME` (added to the
 * defaults) or `NAME,NAME`. The names that pahole does not know are in `unknown`.
 */
export function parseFeatures(list: string): {
  readonly features: ReadonlySet<Feature>;
  readonly unknown: readonly string[];
} {
  const features = new Set<Feature>();
  const unknown: string[] = [];
  const words = list.startsWith('+') ? ['default', ...list.slice(1).split(',')] : list.split(',');
  for (const word of words) {
    if (isFeature(word)) features.add(word);
    else if (word === 'default') {
      for (const name of FEATURE_NAMES) if (FEATURES[name]) features.add(name);
    } else if (word !== '') unknown.push(word);
  }
  return { features, unknown };
}

function isFeature(word: string): word is Feature {
  return Object.hasOwn(FEATURES, word);
}
