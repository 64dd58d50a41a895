/** Lines of veristat. Source: veristat at ca3717b, src/veristat.c. */
import { INFORMS, type LoaderRow, VERDICT } from './row.ts';

// biome-ignore format: one row a line
export const VERISTAT: readonly LoaderRow[] = [
  ['PROCESSING {path}, DURATION US: {us}, VERDICT: success, VERIFIER LOG:', 'veristat loaded {path} in {us} µs. The log of the verifier follows.', INFORMS],
  ['PROCESSING {path}, DURATION US: {us}, VERDICT: failure, VERIFIER LOG:', 'The kernel refuses {path}. The log of the verifier follows.', VERDICT],
  ["Processing '{path}'...", 'veristat opens the object {path}.', INFORMS],
  ["Using guessed program type '{type}' for {prog}...", 'The section of {prog} names no target: veristat takes it for {type}, by its first argument.', INFORMS],
  ["Failed to guess program type for freplace program with context type name '{type}'", 'A freplace program needs the program that it replaces: veristat finds no program type whose context is {type}.'],
  ["Failed to process '{path}': {e}", 'veristat could not open or read {path}: {e}. libbpf’s lines before say why.', VERDICT],
  ["Failed to open '{path}': {e}", 'veristat could not open {path}: {e}. libbpf’s lines before say why.', VERDICT],
  ['Failed to set global variables {e}', 'veristat could not set the global variables of -G: {e}.'],
  ['Global variable preset {name} has not been applied', 'No object has the global variable {name} of -G.', INFORMS],
  ["Can't find '{name}'", 'The object has no global variable or field {name}.'],
  ["Can't infer veristat process cgroup.", 'The memory of the verifier cannot be measured: cgroup v2 is not mounted.', INFORMS],
  ["Can't find cgroupfs v2 mount point.", 'The memory of the verifier cannot be measured: cgroup v2 is not mounted.', INFORMS],
  ['Memory usage metric unavailable.', 'The memory of the verifier cannot be measured.', INFORMS],
  ["Unrecognized stat name in '{name}'!", 'veristat has no column {name}.'],
  ["Failed to parse stats from '{path}': {e}", 'The file {path} is no CSV of veristat: {e}.'],
  ["Number of stats in '{a}' and '{b}' differs", 'The files {a} and {b} have different columns: make them with the same -e.'],
];
