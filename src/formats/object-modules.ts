/** The formats of objects beside ELF and BTF, as files begin: a line for each. */
// biome-ignore lint/performance/noBarrelFile: a line registers a format
export { ecoff } from './ecoff/ecoff-file.ts';
