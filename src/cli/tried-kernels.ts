/** Keeps the kernels on which `load` tries remedies: a few of many, whose answers differ. */
import type { LoadKernel } from '#analysis/kernel/kernel.ts';

/** Maximum number of kernels that are open at once. */
export const MAX_TRIED = 16;

export class TriedKernels {
  readonly #kept: { readonly kernel: LoadKernel; readonly answer: string }[] = [];

  get kernels(): readonly LoadKernel[] {
    return this.#kept.map(({ kernel }) => kernel);
  }

  /**
   * Adds a kernel, with a text that is equal for kernels with equal verdicts. Beyond the limit, a
   * kernel with a new answer takes the place of one whose answer another kept kernel has, too.
   */
  add(kernel: LoadKernel, answer: string): void {
    const kept = this.#kept;
    if (kept.length >= MAX_TRIED) {
      const answers = kept.map((one) => one.answer);
      const isDouble = (one: string, at: number) => answers.indexOf(one) !== at;
      const double = answers.includes(answer) ? -1 : answers.findLastIndex(isDouble);
      if (double < 0) return;
      kept.splice(double, 1);
    }
    kept.push({ kernel, answer });
  }
}
