/** Registry of the readers of object formats other than ELF and BTF: one line per format. */
// biome-ignore lint/performance/noBarrelFile: a line registers a format
export { ecoff } from './ecoff/module.ts';
