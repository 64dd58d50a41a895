/** Modules of the object formats besides ELF and BTF, one line per format. */
// biome-ignore lint/performance/noBarrelFile: a line registers a format
export { ECOFF } from '#analysis/ecoff/module.ts';
