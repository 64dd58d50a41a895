/** The formats of objects beside ELF and BTF: a line for each. */
// biome-ignore lint/performance/noBarrelFile: a line registers a format
export { ECOFF } from '#analysis/ecoff/module.ts';
