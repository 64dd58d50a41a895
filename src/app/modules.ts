/**
 * Removable modules. To remove one, delete its folders and its import here; `node
 * scripts/build-without.mjs` checks the build.
 */

// lessons, store/lesson, views/class, views/handout, views/lesson, views/lesson-editor, views/presenter
import '#views/lesson/teaching.tsx';
