/**
 * The modules that can be taken out of the page. To take one out, delete its folders and its
 * import here; `node scripts/build-without.mjs` proves for each that the page builds without it.
 */

// lessons, store/lesson, views/class, views/handout, views/lesson, views/lesson-editor, views/presenter
import '#views/lesson/teaching.tsx';
